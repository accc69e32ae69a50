//===- Forces.cpp - What makes the force of an N-body simulation ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library has several forces for nbody, of which one is faster here and
// another there. To compare what they cost, a spec is compiled with another one
// in the place of those that it calls.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;

static constexpr ForceMaker makers[] = {{"fourier_force", "nbody"},
                                        {"pyramid", "pyramid"},
                                        {"multigrid", "multigrid"}};

llvm::ArrayRef<ForceMaker> pmc::getForceMakers() { return makers; }

const ForceMaker *pmc::findForceMaker(llvm::StringRef function) {
  const auto *found = llvm::find_if(makers, [&](const ForceMaker &maker) {
    return maker.function == function;
  });
  return found == std::end(makers) ? nullptr : found;
}

/// Notes a call of a function that makes a force; the function that is to be
/// called instead, if there is one. Calls of the library are its own affair.
std::optional<Value> Generator::replaceForce(const Value &callee,
                                             llvm::SMLoc loc) {
  const ast::FunctionStmt *function = callee.getFunction();
  const ModuleInfo *owner = callee.getModule();
  if (!function || !owner->isLibrary || frame->module->isLibrary)
    return std::nullopt;
  const ForceMaker *maker = findForceMaker(function->name.text);
  if (!maker || maker->module != owner->name)
    return std::nullopt;
  if (options.forces)
    options.forces->push_back({loc, maker->function.str()});
  const ForceMaker *other = findForceMaker(options.force);
  if (!other)
    return std::nullopt;
  const ModuleInfo *module = program.findLibraryModule(other->module);
  auto symbol = module ? module->symbols.find(other->function)
                       : llvm::StringMap<Symbol>::const_iterator();
  if (!module || symbol == module->symbols.end())
    return error(loc, "the library has no force '" + options.force + "'");
  return makeClosure(llvm::cast<ast::FunctionStmt>(symbol->second.stmt),
                     nullptr, module, loc);
}
