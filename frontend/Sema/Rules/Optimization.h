//===- Optimization.h - optimize --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_OPTIMIZATION_H
#define PMC_FRONTEND_SEMA_RULES_OPTIMIZATION_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

/// `for r in (4, 2), 100 iterations each`.
struct Stages {
  std::vector<Value> stages;
  int64_t perStage = 0;

  /// The first one that is not 0, which fits every unit.
  const Value &getStageInUnit() const;
  int64_t getTotal() const { return perStage * int64_t(stages.size()); }
};
/// `stages` is null if there is one without a value.
std::optional<Stages> readStages(const RuleContext &context,
                                 const Argument *stages, const Argument &count);

/// `for i in a .. b`: a bound, or the distance of two checks. Poison after an
/// error.
Value readStep(const RuleContext &context, Argument step, bool isInterval);
bool requireInterval(const RuleContext &context, const Value &interval,
                     llvm::SMLoc loc);
/// The cells of the history of steps from `begin` to `end`. `cells` is null if
/// the statement does not say how many.
std::optional<int64_t> readHistory(const RuleContext &context,
                                   const ast::Name &history,
                                   const Argument *cells, const Value &begin,
                                   const Value &end);

/// The optimizer: a record of functions.
bool requireOptimizer(const RuleContext &context, const Argument &method);
/// What is optimized. `shape` is its type when the program runs.
bool requirePureNumbers(const RuleContext &context, const Argument &start,
                        const Value &shape);
/// The value of the optimizer's function `step`.
bool requireStepped(const RuleContext &context, const Value &stepped,
                    llvm::SMLoc loc);
/// The value of `check`.
bool requireCheck(const RuleContext &context, const Value &value,
                  llvm::SMLoc loc);
/// The condition of `while`.
bool requireWanted(const RuleContext &context, const Value &value,
                   llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_OPTIMIZATION_H
