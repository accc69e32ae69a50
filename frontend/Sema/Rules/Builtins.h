//===- Builtins.h - Arguments that builtins take ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which types the arguments of a builtin may have. IR generation asks about
// calls that it compiles, and `Checks/FreeChecker` about those in functions
// that are never called, whose arguments are free values.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_BUILTINS_H
#define PMC_FRONTEND_SEMA_RULES_BUILTINS_H

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Rules/Context.h"

namespace pmc {

/// What is wrong with a call.
struct Mistake {
  std::optional<unsigned> argument; ///< absent: the call as a whole
  std::string text;
};

/// The first mistake in a call of a builtin. `args` has a value for each
/// parameter, or null. `isElement`: in a map, where a field may stand for its
/// element. Poison is not a mistake, and free values are one only if every
/// value of their types is.
std::optional<Mistake>
findMistake(BuiltinId id, llvm::ArrayRef<const Value *> args, bool isElement);

/// The same with a message.
bool acceptCall(const RuleContext &context, BuiltinId id,
                llvm::ArrayRef<std::optional<Argument>> args, bool isElement,
                llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_BUILTINS_H
