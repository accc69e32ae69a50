//===- Limits.h - Specs that are too large ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_LIMITS_H
#define PMC_FRONTEND_SEMA_RULES_LIMITS_H

#include "frontend/Sema/Limits.h"
#include "frontend/Sema/Rules/Context.h"

namespace pmc {

/// The work of an evaluation so far.
bool requireLittleWork(const RuleContext &context, uint64_t work,
                       llvm::SMLoc loc);
/// The stack of the compiler.
bool requireStack(const RuleContext &context, bool isEnough, llvm::SMLoc loc);
/// The value, or poison if it has too many parts.
Value requireSize(const RuleContext &context, Value value, llvm::SMLoc loc);
bool requireCallDepth(const RuleContext &context, size_t depth,
                      llvm::SMLoc loc);

/// What a call of a function makes, and all calls of the program so far.
struct CallSize {
  Expansion made;
  bool isDifferentiated = false;
  uint64_t operations = 0;    ///< of derivatives, for each of the function
  uint64_t size = 0, all = 0; ///< operations of this call, and of all
};
bool checkCallSize(const RuleContext &context, const CallSize &call,
                   llvm::StringRef name, llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_LIMITS_H
