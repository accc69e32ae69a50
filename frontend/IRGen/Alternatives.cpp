//===- Alternatives.cpp - Functions that may stand for each other ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library has several functions for one purpose, such as the forces of
// nbody, of which one is faster here and another there. To compare what they
// cost, a spec is compiled with one of them in the place of those that it
// calls.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;

/// Records a call of an alternative; returns the function that is to be called
/// instead, if there is one. Calls within the library stay.
std::optional<Value> Generator::replaceAlternative(const Value &callee,
                                                   llvm::SMLoc loc) {
  const ast::FunctionStmt *function = callee.getFunction();
  const ModuleInfo *owner = callee.getModule();
  if (checker || !function || !owner->isLibrary || frame->module->isLibrary ||
      llvm::none_of(options.alternatives, [&](const LibraryFunction &one) {
        return one.name == function->name.text && one.module == owner->name;
      }))
    return std::nullopt;
  if (options.calls)
    options.calls->push_back({loc, function->name.text});
  const LibraryFunction *other = options.alternative;
  if (!other)
    return std::nullopt;
  const ModuleInfo *module = program.findLibraryModule(other->module);
  auto symbol = module ? module->symbols.find(other->name)
                       : llvm::StringMap<Symbol>::const_iterator();
  if (!module || symbol == module->symbols.end())
    return error(loc, "the library has no function '" + other->name + "'");
  return makeClosure(llvm::cast<ast::FunctionStmt>(symbol->second.stmt),
                     nullptr, module, loc);
}
