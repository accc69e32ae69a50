//===- Limits.cpp - Specs that are too large ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Limits.h"

#include "llvm/Support/MathExtras.h"

using namespace pmc;

bool pmc::requireLittleWork(const RuleContext &context, uint64_t work,
                            llvm::SMLoc loc) {
  return work <= Limits::maxWork ||
         context.refuse(loc,
                        "[PM0716] the program is too large: its functions and "
                        "unrolled loops expand without end");
}

bool pmc::requireStack(const RuleContext &context, bool isEnough,
                       llvm::SMLoc loc) {
  if (isEnough || context.isUncalled)
    return isEnough;
  return context.refuse(
      loc, "[PM0716] expressions and calls are nested too deep here");
}

Value pmc::requireSize(const RuleContext &context, Value value,
                       llvm::SMLoc loc) {
  if (value.getDepth() > Limits::maxValueDepth)
    return context.error(loc,
                         "[PM0716] tuples and records are nested more than " +
                             llvm::Twine(Limits::maxValueDepth) + " deep");
  if (value.getSize() > Limits::maxValueSize)
    return context.error(loc, "[PM0716] this has more than " +
                                  llvm::Twine(Limits::maxValueSize) +
                                  " components; use a field or a table");
  return value;
}

bool pmc::requireCallDepth(const RuleContext &context, size_t depth,
                           llvm::SMLoc loc) {
  return depth < Limits::maxCallDepth ||
         context.refuse(loc, "[PM0716] calls are nested more than " +
                                 llvm::Twine(Limits::maxCallDepth) + " deep");
}

bool pmc::checkCallSize(const RuleContext &context, const CallSize &call,
                        llvm::StringRef name, llvm::SMLoc loc) {
  constexpr uint64_t most = Limits::maxExpansion;
  if (call.isDifferentiated && call.made.written == 0 &&
      llvm::SaturatingMultiply<uint64_t>(call.made.code, call.operations) >
          most)
    return context.refuse(loc, "[PM0716] " + name + " has more than " +
                                   llvm::Twine(most) +
                                   " operations; each derivative of a "
                                   "derivative has several times as many as "
                                   "the one before");
  if (call.made.executed > Limits::maxExecuted)
    return context.refuse(
        loc, "[PM0716] one call of " + name + " computes more than " +
                 llvm::Twine(Limits::maxExecuted) +
                 " operations, because each function calls the next several "
                 "times; name common values with 'let'");
  if (std::max(call.size, call.all) <= most)
    return true;
  return context.refuse(
      loc,
      llvm::Twine("[PM0716] ") +
          (call.size > most ? name + " makes" : "the calls up to here make") +
          llvm::Twine(" more than ") + llvm::Twine(most) +
          " operations on fields after all calls are expanded; repeat the same "
          "operations in a loop");
}
