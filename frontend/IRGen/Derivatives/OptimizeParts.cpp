//===- OptimizeParts.cpp - What an optimize statement is made of ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Derivatives/Optimize.h"

using namespace pmc;

/// Whether all of it are pure numbers and fields of them, with derivatives.
static bool isPure(const Value &value) {
  if (value.isTuple() || value.isRecord() || value.isComplex())
    return llvm::all_of(value.getElements(), isPure);
  if (value.is(Value::Kind::Table))
    return false;
  return hasTangent(value) && value.getUnit().isNumber();
}

/// `for r in (4, 2), 100 iterations each`.
bool OptimizeEmitter::checkStages() {
  Argument stages;
  if (stmt.stages)
    stages = g.evaluateArgument(*stmt.stages);
  Argument count = g.evaluateArgument(*stmt.iterations);
  auto perStage =
      g.constInt(count, "the number of iterations", 1, int64_t(1) << 30);
  bool ok = perStage.has_value();
  if (stmt.stages) {
    if (stages.value.isTuple())
      fit.stages = stages.value.getElements();
    else
      fit.stages = {stages.value};
    for (const Value &value : fit.stages)
      if (!value.isRealNumber()) {
        if (!value.isPoison())
          g.error(stages,
                  "the stages are numbers, not " + stages.value.describeType());
        return false;
      }
    for (const Value &value : fit.stages)
      ok &= g.checkUnits("'for'", fit.getStageInUnit(), value,
                         {stages.loc, stages.range, stages.range});
    if (fit.stages.empty()) {
      g.error(stages, "there are no stages");
      return false;
    }
  } else {
    fit.stages = {Value::integer(0)};
  }
  if (!ok)
    return false;
  fit.perStage = *perStage;
  fit.historyCells = stmt.history.text.empty() ? 0 : fit.getTotal();
  if (fit.getTotal() <= int64_t(1) << 30)
    return true;
  g.error(count, "there are " + llvm::Twine(fit.getTotal()) +
                     " iterations; expected at most 2^30");
  return false;
}

/// `for i in a .. b`, the cells of its history, and how often it is checked.
bool OptimizeEmitter::checkSteps() {
  bool ok = true;
  auto whole = [&](const ast::Expr &expr, llvm::StringRef what) {
    Argument argument = g.evaluateArgument(expr);
    if (auto known = argument.value.getConstInt())
      return Value::integer(*known);
    if (argument.value.isIntLike() && !argument.value.isUnsigned())
      return argument.value;
    ok = false;
    if (!argument.value.isPoison())
      g.error(argument,
              what + " are ints, not " + argument.value.describeType());
    return Value::poison();
  };
  fit.begin = whole(*stmt.begin, "the bounds of steps");
  fit.end = whole(*stmt.end, "the bounds of steps");
  if (stmt.interval) {
    fit.interval = whole(*stmt.interval, "the steps between two checks");
    auto known = fit.interval.getConstInt();
    if (known && *known < 1) {
      g.error(stmt.interval->loc,
              "there are 1 step or more between two checks, "
              "not " +
                  llvm::Twine(*known));
      ok = false;
    }
  }
  if (!ok || stmt.history.text.empty())
    return ok;
  constexpr int64_t most = int64_t(1) << 30;
  if (stmt.historyCells) {
    auto cells = g.constInt(g.evaluateArgument(*stmt.historyCells),
                            "the number of cells of a history", 1, most);
    fit.historyCells = cells.value_or(0);
    return cells.has_value();
  }
  auto begin = fit.begin.getConstInt(), end = fit.end.getConstInt();
  if (begin && end && *end > *begin && *end <= most && *begin >= -most) {
    fit.historyCells = *end - *begin;
    return true;
  }
  g.error(stmt.history.loc, "a history of one cell a step needs their number "
                            "when the spec is compiled, from 1 to 2^30")
      .note(stmt.history.loc, "'history " + stmt.history.text +
                                  "[100]' has 100 cells for any number");
  return false;
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
  for (llvm::StringRef member : {"start", "step"}) {
    const Value *function =
        fit.method.isRecord() ? fit.method.findMember(member) : nullptr;
    if (function && function->isFunction())
      continue;
    g.error(method,
            "'with' requires an optimizer, as adam() of the module "
            "'optim': a record with functions 'start' and 'step', not " +
                fit.method.describeType());
    return false;
  }
  Value shape = g.activeShape(start.value, start, fit.name);
  if (shape.isPoison())
    return false;
  if (!isPure(shape)) {
    g.error(start, "what is optimized holds pure numbers, not " +
                       shape.describe() + "; divide it by its scale");
    return false;
  }
  llvm::SmallVector<mlir::Value> leaves;
  g.convertTo(start.value, shape, start.loc, leaves);
  unsigned next = 0;
  fit.start = g.rebuild(shape, leaves, next);
  return true;
}
