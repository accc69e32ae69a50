//===- OptimizeParts.cpp - What an optimize statement is made of ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Derivatives/Optimize.h"
#include "frontend/Sema/Rules/Derivatives.h"

using namespace pmc;

/// `for r in (4, 2), 100 iterations each`.
bool OptimizeEmitter::checkStages() {
  Argument stages;
  if (stmt.stages)
    stages = g.evaluateArgument(*stmt.stages);
  Argument count = g.evaluateArgument(*stmt.iterations);
  auto read = readStages(g.rules(), stmt.stages ? &stages : nullptr, count);
  if (!read)
    return false;
  static_cast<Stages &>(fit) = std::move(*read);
  fit.historyCells = stmt.history.text.empty() ? 0 : fit.getTotal();
  return true;
}

/// `for i in a .. b`, the cells of its history, and how often it is checked.
bool OptimizeEmitter::checkSteps() {
  const RuleContext rules = g.rules();
  auto read = [&](const ast::Expr &expr, bool isInterval = false) {
    return readStep(rules, g.evaluateArgument(expr), isInterval);
  };
  fit.begin = read(*stmt.begin);
  fit.end = read(*stmt.end);
  bool ok = !fit.begin.isPoison() && !fit.end.isPoison();
  if (stmt.interval) {
    fit.interval = read(*stmt.interval, /*isInterval=*/true);
    ok &= !fit.interval.isPoison() &&
          requireInterval(rules, fit.interval, stmt.interval->loc);
  }
  if (!ok || stmt.history.text.empty())
    return ok;
  Argument asked;
  if (stmt.historyCells)
    asked = g.evaluateArgument(*stmt.historyCells);
  const auto cells =
      readHistory(rules, stmt.history, stmt.historyCells ? &asked : nullptr,
                  fit.begin, fit.end);
  fit.historyCells = cells.value_or(0);
  return cells.has_value();
}

/// The expressions of the statement; false after an error.
bool OptimizeEmitter::check() {
  for (const ast::Name &name : stmt.pattern.names)
    fit.name += (fit.name.empty() ? "" : ",") + name.text;
  Argument start = g.evaluateArgument(*stmt.start);
  Argument method = g.evaluateArgument(*stmt.method);
  bool ok = !start.value.isPoison() && !method.value.isPoison();
  ok &= g.checkpointing(stmt.pattern.names, stmt.every.get(), /*least=*/1,
                        fit.states);
  ok &= stmt.counter ? checkSteps() : checkStages();
  if (!ok)
    return false;
  fit.method = method.value;
  if (!requireOptimizer(g.rules(), method))
    return false;
  Value shape = activeShape(g.rules(), start.value, start, fit.name);
  if (shape.isPoison() || !requirePureNumbers(g.rules(), start, shape))
    return false;
  llvm::SmallVector<mlir::Value> leaves;
  g.convertTo(start.value, shape, start.loc, leaves);
  unsigned next = 0;
  fit.start = g.rebuild(shape, leaves, next);
  return true;
}
