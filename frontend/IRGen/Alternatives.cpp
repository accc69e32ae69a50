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
#include "frontend/Sema/Rules/Calls.h"

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
  const Symbol *symbol =
      requireSymbol(rules(), module, other->name, LibraryUse::Alternative, loc);
  if (!symbol)
    return Value::poison();
  return makeClosure(llvm::cast<ast::FunctionStmt>(symbol->stmt), nullptr,
                     module, loc);
}
