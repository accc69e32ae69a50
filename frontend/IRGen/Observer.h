//===- Observer.h - Receives what a spec evaluates to -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_OBSERVER_H
#define PMC_FRONTEND_IRGEN_OBSERVER_H

#include "frontend/Sema/Types/Type.h"
#include "frontend/Sema/Value.h"

#include "llvm/Support/SMLoc.h"

namespace pmc {

/// Follows the evaluation of a spec. A function is evaluated once for each
/// instance, so the same place may be seen several times.
class EvaluationObserver {
public:
  virtual ~EvaluationObserver() = default;

  /// The expression in this range has this value, which is not poison.
  virtual void evaluated(llvm::SMRange range, const Value &value) = 0;
  /// The name that is declared at this place stands for this value.
  virtual void bound(llvm::SMLoc name, const Value &value) = 0;
  /// The loop at this place is compiled once more, because Sema did not know
  /// the types that it carries.
  virtual void compiledAgain(llvm::SMLoc) {}
  /// Whether the evaluation should end early, with errors.
  virtual bool isCancelled() = 0;
};

/// Whether an observer receives the value.
inline bool isShown(const Value &value) {
  return value.isFree() ? value.getKnown().isKnown() : !value.isPoison();
}

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_OBSERVER_H
