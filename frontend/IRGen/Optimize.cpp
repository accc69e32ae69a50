//===- Optimize.cpp - optimize s from … minimizing … ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over the iterations of all stages, so that a run can go on in the
// middle of one. What it does in an iteration is the optimiser's: a record of
// two functions of the module `optim`,
//
//   start = s => state
//   step  = (f, s, state, fresh) => (s, state, loss)
//
// where `fresh` holds in the first iteration of a stage, as f is another one
// from there on. With `for i in a .. b` there is one stage, the iterations are
// called steps, and f may depend on i.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

struct Generator::Optimization {
  Value start;  // what is optimised, at run time
  Value method; // the optimiser
  std::vector<Value> stages;
  int64_t perStage = 0;
  Value begin, end;         // of steps
  Value interval;           // of checks; poison: none
  int64_t historyCells = 0; // 0: no history
  std::string name;         // of messages and checkpoints
  Checkpointing states;

  /// The first one that is not 0, which fits every unit.
  const Value &getStageInUnit() const {
    auto found = llvm::find_if(
        stages, [](const Value &stage) { return !stage.hasAnyUnit(); });
    return found == stages.end() ? stages.front() : *found;
  }
  /// Then the rest of a history of one cell a step is filled afterwards.
  bool mayEndEarly(const ast::OptimizeStmt &stmt) const {
    return stmt.condition && historyCells && !stmt.historyCells;
  }
  int64_t getTotal() const { return perStage * int64_t(stages.size()); }
};

/// Where an iteration stands.
struct Generator::OptimizerMoment {
  mlir::Value iteration, stage;
  mlir::Value fresh; // the first one of its stage
  mlir::Value last;  // of its stage
  mlir::Value due;   // the loss is printed
  mlir::Value cell;  // of the history
  mlir::Value done;  // iterations of this stage, with this one
};

/// Whether all of it are pure numbers and fields of them, with derivatives.
static bool isPure(const Value &value) {
  if (value.isTuple() || value.isRecord() || value.isComplex())
    return llvm::all_of(value.getElements(), isPure);
  if (value.is(Value::Kind::Table))
    return false;
  return value.getType() && pm::hasTangent(value.getType()) &&
         value.getUnit().isNumber();
}

/// `for r in (4, 2), 100 iterations each`.
bool Generator::checkStages(const ast::OptimizeStmt &stmt, Optimization &fit) {
  Argument stages;
  if (stmt.stages)
    stages = evaluateArgument(*stmt.stages);
  Argument count = evaluateArgument(*stmt.iterations);
  auto perStage =
      constInt(count, "the number of iterations", 1, int64_t(1) << 30);
  bool ok = perStage.has_value();
  if (stmt.stages) {
    if (stages.value.isTuple())
      fit.stages = stages.value.getElements();
    else
      fit.stages = {stages.value};
    for (const Value &value : fit.stages)
      if (!value.isRealNumber()) {
        if (!value.isPoison())
          error(stages,
                "the stages are numbers, not " + stages.value.describeType());
        return false;
      }
    for (const Value &value : fit.stages)
      ok &= checkUnits("'for'", fit.getStageInUnit(), value,
                       {stages.loc, stages.range, stages.range});
    if (fit.stages.empty()) {
      error(stages, "there are no stages");
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
  error(count, "there are " + llvm::Twine(fit.getTotal()) +
                   " iterations; expected at most 2^30");
  return false;
}

/// `for i in a .. b`, the cells of its history, and how often it is checked.
bool Generator::checkSteps(const ast::OptimizeStmt &stmt, Optimization &fit) {
  bool ok = true;
  auto whole = [&](const ast::Expr &expr, llvm::StringRef what) {
    Argument argument = evaluateArgument(expr);
    if (auto known = argument.value.getConstInt())
      return Value::integer(*known);
    if (argument.value.isIntLike() && !argument.value.isUnsigned())
      return argument.value;
    ok = false;
    if (!argument.value.isPoison())
      error(argument, what + " are ints, not " + argument.value.describeType());
    return Value::poison();
  };
  fit.begin = whole(*stmt.begin, "the bounds of steps");
  fit.end = whole(*stmt.end, "the bounds of steps");
  if (stmt.interval) {
    fit.interval = whole(*stmt.interval, "the steps between two checks");
    auto known = fit.interval.getConstInt();
    if (known && *known < 1) {
      error(stmt.interval->loc, "there are 1 step or more between two checks, "
                                "not " +
                                    llvm::Twine(*known));
      ok = false;
    }
  }
  if (!ok || stmt.history.text.empty())
    return ok;
  constexpr int64_t most = int64_t(1) << 30;
  if (stmt.historyCells) {
    auto cells = constInt(evaluateArgument(*stmt.historyCells),
                          "the number of cells of a history", 1, most);
    fit.historyCells = cells.value_or(0);
    return cells.has_value();
  }
  auto begin = fit.begin.getConstInt(), end = fit.end.getConstInt();
  if (begin && end && *end > *begin && *end <= most && *begin >= -most) {
    fit.historyCells = *end - *begin;
    return true;
  }
  error(stmt.history.loc, "a history of one cell a step needs their number "
                          "when the spec is compiled, from 1 to 2^30")
      .note(stmt.history.loc, "'history " + stmt.history.text +
                                  "[100]' has 100 cells for any number");
  return false;
}

/// The expressions of the statement; false after an error.
bool Generator::checkOptimization(const ast::OptimizeStmt &stmt,
                                  Optimization &fit) {
  for (const ast::Name &name : stmt.pattern.names)
    fit.name += (fit.name.empty() ? "" : ",") + name.text;
  Argument start = evaluateArgument(*stmt.start);
  Argument method = evaluateArgument(*stmt.method);
  bool ok = !start.value.isPoison() && !method.value.isPoison();
  ok &= checkpointing(stmt.pattern.names, stmt.every.get(), /*least=*/1,
                      fit.states);
  ok &= stmt.counter ? checkSteps(stmt, fit) : checkStages(stmt, fit);
  if (!ok)
    return false;
  fit.method = method.value;
  for (llvm::StringRef member : {"start", "step"}) {
    const Value *function =
        fit.method.isRecord() ? fit.method.findMember(member) : nullptr;
    if (function && function->isFunction())
      continue;
    error(method, "'with' wants an optimiser, as adam() of the module "
                  "'optim': a record with functions 'start' and 'step', not " +
                      fit.method.describeType());
    return false;
  }
  Value shape = activeShape(start.value, start, fit.name);
  if (shape.isPoison())
    return false;
  if (!isPure(shape)) {
    error(start, "what is optimised holds pure numbers, not " +
                     shape.describe() + "; divide it by its scale");
    return false;
  }
  llvm::SmallVector<mlir::Value> leaves;
  convertTo(start.value, shape, start.loc, leaves);
  unsigned next = 0;
  fit.start = rebuild(shape, leaves, next);
  return true;
}

/// The history with a loss in this cell, and, if `behind`, in all those behind
/// it. One cell costs a cell, whatever the history's length.
Value Generator::recordLoss(const Value &history, mlir::Value cell,
                            const Value &loss, bool behind, llvm::SMLoc loc) {
  pm::DimAttr dim = history.getFieldType().getDims()[0];
  mlir::Location at = getLoc(loc);
  mlir::Value number = arith::SIToFPOp::create(builder, at, f64Type, cell);
  return buildMap(dim, loc, [&] {
    mlir::Value index = pm::CoordinateOp::create(builder, at, dim.getLabel());
    mlir::Value here = arith::CmpFOp::create(builder, at,
                                             behind ? arith::CmpFPredicate::OGE
                                                    : arith::CmpFPredicate::OEQ,
                                             index, number);
    Value old = element(history, loc);
    return Value::scalar(
        arith::SelectOp::create(builder, at, here, loss.getSSA(), old.getSSA()),
        loss.getUnit());
  });
}

/// Losses are f64 in every precision.
Value Generator::emptyHistory(int64_t cells, llvm::SMLoc loc) {
  mlir::Location at = getLoc(loc);
  pm::DimAttr dim = iterationDim(cells);
  ElementState element;
  auto block = buildBody(dim, loc, element, [&](auto &yields) {
    yields.push_back(floatConstant(0, f64Type, at));
    return true;
  });
  auto map = pm::MapOp::create(
      builder, at, mlir::TypeRange{pm::FieldType::get(&context, dim, f64Type)},
      pm::DimsAttr::get(&context, dim), element.inputs, mlir::ValueRange());
  map.getBody().push_back(block.release());
  return Value::field(map.getResult(0)).withAnyUnit();
}

/// Prints where `when` holds. `curve`: of numbers that belong to one, of which
/// --quiet is silent; the first values are a point of it.
void Generator::tellWhen(mlir::Value when, const std::string &text,
                         mlir::ValueRange numbers, llvm::StringRef curve,
                         mlir::Location at) {
  auto choice = scf::IfOp::create(builder, at, mlir::TypeRange(), when,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  choice.thenBlock()->clear();
  builder.setInsertionPointToEnd(choice.thenBlock());
  auto print = pm::PrintOp::create(builder, at, text, numbers);
  if (!curve.empty())
    print->setAttr("loss", builder.getStringAttr(curve));
  scf::YieldOp::create(builder, at);
  effectsSeen = true;
}

//===----------------------------------------------------------------------===//
// An iteration
//===----------------------------------------------------------------------===//

Generator::OptimizerMoment Generator::momentOf(const ast::OptimizeStmt &stmt,
                                               const Optimization &fit,
                                               const Value &iteration) {
  mlir::Location at = getLoc(stmt.loc);
  auto equal = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, a, b);
  };
  mlir::Value zero = intConstant(0, at), one = intConstant(1, at);
  OptimizerMoment moment;
  moment.iteration = iteration.getSSA();
  mlir::Value inside, each, interval;
  if (stmt.counter) {
    mlir::Value begin = materialize(fit.begin, i64Type, at);
    inside = arith::SubIOp::create(builder, at, moment.iteration, begin);
    each = arith::SubIOp::create(builder, at, materialize(fit.end, i64Type, at),
                                 begin);
    moment.stage = zero;
    interval = arith::MaxSIOp::create(
        builder, at, one,
        arith::DivSIOp::create(builder, at, each, intConstant(10, at)));
    moment.cell = inside;
    if (stmt.historyCells)
      moment.cell = arith::DivSIOp::create(
          builder, at,
          arith::MulIOp::create(builder, at, inside,
                                intConstant(fit.historyCells, at)),
          each);
  } else {
    each = intConstant(fit.perStage, at);
    moment.stage = arith::DivSIOp::create(builder, at, moment.iteration, each);
    inside = arith::RemSIOp::create(builder, at, moment.iteration, each);
    interval = intConstant(std::max<int64_t>(1, fit.perStage / 10), at);
    moment.cell = moment.iteration;
  }
  moment.done = arith::AddIOp::create(builder, at, inside, one);
  moment.fresh = equal(inside, zero);
  moment.last = equal(moment.done, each);
  moment.due = arith::OrIOp::create(
      builder, at, moment.last,
      equal(arith::RemSIOp::create(builder, at, inside, interval), zero));
  return moment;
}

/// A function of the statement, of what is optimised.
Value Generator::ofOptimised(const ast::Expr &function,
                             const Value &optimised) {
  Value closure = makeClosure(nullptr, llvm::cast<ast::LambdaExpr>(&function),
                              frame->module, function.loc);
  return apply(closure,
               Argument{"", {}, optimised, function.loc, function.range},
               function.loc);
}

/// `every m: v = e` after a step: what is known of e with its value if it is
/// time for one, {value, best, step, stale}.
Value Generator::checkStep(const ast::OptimizeStmt &stmt,
                           const Optimization &fit, const Value &optimised,
                           const Value &known, const OptimizerMoment &moment) {
  llvm::SMLoc loc = stmt.check->loc;
  mlir::Location at = getLoc(loc);
  mlir::Value remainder = arith::RemSIOp::create(
      builder, at, moment.done, materialize(fit.interval, i64Type, at));
  mlir::Value due = arith::OrIOp::create(
      builder, at, moment.last,
      arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, remainder,
                            intConstant(0, at)));
  llvm::SmallVector<mlir::Value> old, made;
  for (const Value &part : known.getElements())
    old.push_back(part.getSSA());
  auto choice =
      scf::IfOp::create(builder, at, mlir::ValueRange(old).getTypes(), due,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  choice.elseBlock()->clear();
  builder.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(builder, at, old);
  choice.thenBlock()->clear();
  builder.setInsertionPointToEnd(choice.thenBlock());
  Value value = ofOptimised(*stmt.check, optimised);
  if (!value.isPoison() && !value.isRealNumber())
    value = error(loc, "a check gives a number, not " + value.describeType());
  if (!value.isPoison() && !checkPure("a check", value, loc))
    value = Value::poison();
  if (value.isPoison()) {
    scf::YieldOp::create(builder, at, old);
    return value;
  }
  mlir::Value number = materialize(value, f64Type, at);
  mlir::Value better = arith::CmpFOp::create(
      builder, at, arith::CmpFPredicate::OLT, number, old[1]);
  auto choose = [&](mlir::Value a, mlir::Value b) {
    made.push_back(arith::SelectOp::create(builder, at, better, a, b));
  };
  made.push_back(number);
  choose(number, old[1]);
  choose(moment.iteration, old[2]);
  choose(intConstant(0, at),
         arith::AddIOp::create(builder, at, old[3], intConstant(1, at)));
  mlir::Value step =
      arith::SIToFPOp::create(builder, at, f64Type, moment.iteration);
  const std::string what = fit.name + " " + stmt.checked.text;
  auto print = pm::PrintOp::create(
      builder, at, fit.name + ": step {:.0f}, " + stmt.checked.text + " {:.6e}",
      mlir::ValueRange{step, number});
  print->setAttr("loss", builder.getStringAttr(what));
  effectsSeen = true;
  scf::YieldOp::create(builder, at, made);
  std::vector<Value> parts;
  for (mlir::Value result : choice.getResults())
    parts.push_back(Value::scalar(result));
  return known.withElements(std::move(parts));
}

/// What the loop carries: what is optimised, the optimiser's state, the losses,
/// the loss at the beginning of the stage, and what is known of checks.
Value Generator::optimizerStep(const ast::OptimizeStmt &stmt,
                               const Optimization &fit, const Value &carried,
                               const Value &iteration) {
  mlir::Location at = getLoc(stmt.loc);
  OptimizerMoment moment = momentOf(stmt, fit, iteration);
  Scope scope(frame->scope);
  llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
  if (stmt.counter)
    scope.names[stmt.counter->text] = iteration;
  if (stmt.stage) {
    mlir::Value value = materialize(fit.stages[0], f64Type, at);
    for (size_t i = 1; i < fit.stages.size(); ++i)
      value = arith::SelectOp::create(
          builder, at,
          arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq,
                                moment.stage, intConstant(int64_t(i), at)),
          materialize(fit.stages[i], f64Type, at), value);
    scope.names[stmt.stage->text] =
        Value::scalar(value, fit.getStageInUnit().getUnit());
  }
  Value objective =
      makeClosure(nullptr, llvm::cast<ast::LambdaExpr>(stmt.objective.get()),
                  frame->module, stmt.objective->loc);
  llvm::SMLoc loc = stmt.method->loc;
  auto argument = [&](Value value) {
    return Argument{"", {}, std::move(value), loc, stmt.method->range};
  };
  Value stepped =
      apply(*fit.method.findMember("step"),
            {argument(objective), argument(carried.getElements()[0]),
             argument(carried.getElements()[1]),
             argument(Value::scalar(moment.fresh))},
            loc);
  if (stepped.isPoison())
    return stepped;
  if (!stepped.isTuple() || stepped.getElements().size() != 3 ||
      !stepped.getElements()[2].isScalar() ||
      stepped.getElements()[2].getType() != f64Type)
    return error(loc, "the 'step' of an optimiser gives (s, state, loss), with "
                      "a loss that is computed, not " +
                          stepped.describeType());
  const Value &loss = stepped.getElements()[2];
  mlir::Value number = loss.getSSA();

  // Only numbers that are finite cancel.
  mlir::Value zero = floatConstant(0, f64Type, at);
  mlir::Value finite = arith::CmpFOp::create(
      builder, at, arith::CmpFPredicate::OEQ,
      arith::SubFOp::create(builder, at, number, number), zero);
  mlir::Value step =
      arith::SIToFPOp::create(builder, at, f64Type, moment.iteration);
  pm::AssertOp::create(builder, at, finite,
                       "the fit of " + fit.name +
                           " diverges: the loss is {} in iteration {}",
                       mlir::ValueRange{number, step});
  mlir::Value first = arith::SelectOp::create(
      builder, at, moment.fresh, number, carried.getElements()[3].getSSA());
  tellWhen(moment.due,
           fit.name + (stmt.counter ? ": step" : ": iteration") +
               " {:.0f}, loss {:.6e}",
           {step, number}, fit.name, at);
  // Losses of other batches tell nothing of each other.
  if (!stmt.counter) {
    mlir::Value rises = arith::AndIOp::create(
        builder, at, moment.last,
        arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OGT, number,
                              first));
    tellWhen(rises,
             fit.name + ": diverges: the loss rose from {:.6e} to {:.6e} in "
                        "the stage that ends with iteration {:.0f}",
             {first, number, step}, /*curve=*/"", at);
  }
  effectsSeen = true;

  Value history = carried.getElements()[2];
  // Cells that were asked for may be more than steps: none remains empty.
  if (history.isField())
    history = recordLoss(history, moment.cell, loss,
                         /*behind=*/stmt.historyCells != nullptr, loc);
  std::vector<Value> next = {stepped.getElements()[0], stepped.getElements()[1],
                             history, Value::scalar(first, loss.getUnit())};
  if (stmt.check) {
    next.push_back(
        checkStep(stmt, fit, next[0], carried.getElements()[4], moment));
    if (next.back().isPoison())
      return Value::poison();
  }
  if (fit.mayEndEarly(stmt))
    next.push_back(Value::tuple({Value::scalar(moment.done), loss}));
  return Value::tuple(std::move(next));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Value Generator::optimizerLoop(const ast::OptimizeStmt &stmt,
                               const Optimization &fit, const Value &initial) {
  auto step = [&](const Value &carried, const Value &iteration) {
    return optimizerStep(stmt, fit, carried, iteration);
  };
  llvm::SMLoc from = stmt.start->loc;
  if (!stmt.counter)
    return countedLoop(initial, Value::integer(0),
                       Value::integer(fit.getTotal()), from, stmt.loc,
                       stmt.method->loc, fit.states, step);
  if (!stmt.condition)
    return countedLoop(initial, fit.begin, fit.end, from, stmt.loc,
                       stmt.method->loc, fit.states, step);
  mlir::Location at = getLoc(stmt.condition->loc);
  auto stepAt = [&](mlir::Value done) -> mlir::Value {
    return arith::AddIOp::create(builder, at, done,
                                 materialize(fit.begin, i64Type, at));
  };
  auto goesOn = [&](const Value &carried, mlir::Value done) -> Value {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    mlir::Value next = stepAt(done);
    scope.names[stmt.counter->text] = Value::scalar(next);
    if (stmt.check)
      scope.names[stmt.checked.text] = carried.getElements()[4];
    Value wanted = ofOptimised(*stmt.condition, carried.getElements()[0]);
    if (wanted.isPoison())
      return wanted;
    if (!wanted.isBoolLike())
      return error(stmt.condition->loc,
                   "the condition of 'while' is a bool, not " +
                       wanted.describeType());
    mlir::Value more =
        arith::CmpIOp::create(builder, at, arith::CmpIPredicate::slt, next,
                              materialize(fit.end, i64Type, at));
    return Value::scalar(arith::AndIOp::create(
        builder, at, more, materialize(wanted, i1Type, at)));
  };
  return whileLoop(initial, fit.states,
                   {stmt.loc, from, stmt.method->loc, /*counts=*/true, goesOn,
                    [&](const Value &carried, mlir::Value done) {
                      return step(carried, Value::scalar(stepAt(done)));
                    }});
}

void Generator::optimizeStmt(const ast::OptimizeStmt &stmt) {
  auto giveUp = [&] {
    for (const ast::Name &name : stmt.pattern.names)
      define(name, Value::poison());
    for (const ast::Name *name : {&stmt.history, &stmt.checked})
      define(*name, Value::poison());
  };
  Optimization fit;
  if (!checkOptimization(stmt, fit))
    return giveUp();
  mlir::Location at = getLoc(stmt.loc);
  if (stmt.interval && !fit.interval.getConstInt()) {
    mlir::Value steps = materialize(fit.interval, i64Type, at);
    mlir::Value some = arith::CmpIOp::create(
        builder, at, arith::CmpIPredicate::sge, steps, intConstant(1, at));
    pm::AssertOp::create(
        builder, getLoc(stmt.interval->loc), some,
        "there are 1 step or more between two checks, not {}",
        mlir::ValueRange{arith::SIToFPOp::create(builder, at, f64Type, steps)});
    effectsSeen = true;
  }
  Argument start{"", {}, fit.start, stmt.method->loc, stmt.method->range};
  Value state = apply(*fit.method.findMember("start"), start, stmt.method->loc);
  if (state.isPoison())
    return giveUp();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Value> parts = {fit.start, state,
                              fit.historyCells
                                  ? emptyHistory(fit.historyCells, stmt.loc)
                                  : Value::integer(0),
                              Value::real(0)};
  if (stmt.check)
    parts.push_back(Value::record({"value", "best", "step", "stale"},
                                  {Value::real(infinity), Value::real(infinity),
                                   fit.begin, Value::integer(0)}));
  if (fit.mayEndEarly(stmt))
    parts.push_back(Value::tuple({Value::integer(0), Value::real(0)}));
  Value initial = Value::tuple(std::move(parts));
  // Its numbers at run time, so that a checkpoint holds them too.
  Value shape = runtimeShape(initial, stmt.start->loc);
  if (shape.isPoison())
    return giveUp();
  llvm::SmallVector<mlir::Value> leaves;
  convertTo(initial, shape, stmt.start->loc, leaves);
  unsigned next = 0;
  Value result = optimizerLoop(stmt, fit, rebuild(shape, leaves, next));
  if (result.isPoison())
    return giveUp();
  Scope names;
  if (!bindPattern(stmt.pattern, result.getElements()[0], stmt.loc, names))
    return giveUp();
  for (const ast::Name &name : stmt.pattern.names)
    define(name, names.names.lookup(name.text));
  Value history = result.getElements()[2];
  if (fit.mayEndEarly(stmt)) {
    const Value &last = result.getElements().back();
    history =
        recordLoss(history, materialize(last.getElements()[0], i64Type, at),
                   last.getElements()[1], /*behind=*/true, stmt.loc);
  }
  define(stmt.history, history);
  if (stmt.check)
    define(stmt.checked, result.getElements()[4]);
}
