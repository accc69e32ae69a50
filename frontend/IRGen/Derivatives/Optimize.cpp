//===- Optimize.cpp - optimize s from … minimizing … ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over the iterations of all stages, so that a run can go on in the
// middle of one. What it does in an iteration is the optimizer's: a record of
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

#include "frontend/IRGen/Derivatives/Optimize.h"
#include "frontend/Sema/Rules/Control.h"

#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// The history with a loss in this cell, and, if `behind`, in all those behind
/// it. One cell costs a cell, whatever the history's length.
Value OptimizeEmitter::recordLoss(const Value &history, mlir::Value cell,
                                  const Value &loss, bool behind,
                                  llvm::SMLoc loc) {
  pm::DimAttr dim = g.lowerField(history).getDims()[0];
  mlir::Location at = g.getLoc(loc);
  mlir::Value number = arith::SIToFPOp::create(g.builder, at, g.f64Type, cell);
  return g.buildMap(dim, loc, [&] {
    mlir::Value index = pm::CoordinateOp::create(g.builder, at, dim.getLabel());
    mlir::Value here = arith::CmpFOp::create(g.builder, at,
                                             behind ? arith::CmpFPredicate::OGE
                                                    : arith::CmpFPredicate::OEQ,
                                             index, number);
    Value old = g.element(history, loc);
    return scalarOf(
        arith::SelectOp::create(g.builder, at, here, getSSA(loss), getSSA(old)),
        loss.getUnit());
  });
}

/// Losses are f64 in every precision.
Value OptimizeEmitter::emptyHistory(llvm::SMLoc loc) {
  mlir::Location at = g.getLoc(loc);
  pm::DimAttr dim = g.iterationDim(fit.historyCells);
  ElementState element;
  auto block = g.buildBody(dim, loc, element, [&](auto &yields) {
    yields.push_back(g.floatConstant(0, g.f64Type, at));
    return true;
  });
  auto map = pm::MapOp::create(
      g.builder, at,
      mlir::TypeRange{pm::FieldType::get(&g.context, dim, g.f64Type)},
      pm::DimsAttr::get(&g.context, dim), element.inputs, mlir::ValueRange());
  map.getBody().push_back(block.release());
  return fieldOf(map.getResult(0)).withAnyUnit();
}

/// Prints where `when` holds. `curve`: of numbers that belong to one, of which
/// --quiet is silent; the first values are a point of it.
void OptimizeEmitter::tellWhen(mlir::Value when, const std::string &text,
                               mlir::ValueRange numbers, llvm::StringRef curve,
                               mlir::Location at) {
  auto choice = scf::IfOp::create(g.builder, at, mlir::TypeRange(), when,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/false);
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  choice.thenBlock()->clear();
  g.builder.setInsertionPointToEnd(choice.thenBlock());
  auto print = pm::PrintOp::create(g.builder, at, text, numbers);
  if (!curve.empty())
    print->setAttr("loss", g.builder.getStringAttr(curve));
  scf::YieldOp::create(g.builder, at);
  g.effectsSeen = true;
}

//===----------------------------------------------------------------------===//
// An iteration
//===----------------------------------------------------------------------===//

OptimizeEmitter::Moment OptimizeEmitter::momentOf(const Value &iteration) {
  mlir::Location at = g.getLoc(stmt.loc);
  auto equal = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::CmpIOp::create(g.builder, at, arith::CmpIPredicate::eq, a, b);
  };
  mlir::Value zero = g.intConstant(0, at), one = g.intConstant(1, at);
  Moment moment;
  moment.iteration = getSSA(iteration);
  mlir::Value inside, each, interval;
  if (stmt.counter) {
    mlir::Value begin = g.materialize(fit.begin, g.i64Type, at);
    inside = arith::SubIOp::create(g.builder, at, moment.iteration, begin);
    each = arith::SubIOp::create(g.builder, at,
                                 g.materialize(fit.end, g.i64Type, at), begin);
    moment.stage = zero;
    interval = arith::MaxSIOp::create(
        g.builder, at, one,
        arith::DivSIOp::create(g.builder, at, each, g.intConstant(10, at)));
    moment.cell = inside;
    if (stmt.historyCells)
      moment.cell = arith::DivSIOp::create(
          g.builder, at,
          arith::MulIOp::create(g.builder, at, inside,
                                g.intConstant(fit.historyCells, at)),
          each);
  } else {
    each = g.intConstant(fit.perStage, at);
    moment.stage =
        arith::DivSIOp::create(g.builder, at, moment.iteration, each);
    inside = arith::RemSIOp::create(g.builder, at, moment.iteration, each);
    interval = g.intConstant(std::max<int64_t>(1, fit.perStage / 10), at);
    moment.cell = moment.iteration;
  }
  moment.done = arith::AddIOp::create(g.builder, at, inside, one);
  moment.fresh = equal(inside, zero);
  moment.last = equal(moment.done, each);
  moment.due = arith::OrIOp::create(
      g.builder, at, moment.last,
      equal(arith::RemSIOp::create(g.builder, at, inside, interval), zero));
  return moment;
}

/// A function of the statement, of what is optimized.
Value OptimizeEmitter::ofOptimized(const ast::Expr &function,
                                   const Value &optimized) {
  Value closure = g.makeClosure(nullptr, llvm::cast<ast::LambdaExpr>(&function),
                                g.frame->module, function.loc);
  return g.apply(closure,
                 {Argument{"", {}, optimized, function.loc, function.range},
                  function.loc});
}

/// `every m: v = e` after a step: what is known of e with its value if it is
/// time for one, {value, best, step, stale}.
Value OptimizeEmitter::checkStep(const Value &optimized, const Value &known,
                                 const Moment &moment) {
  llvm::SMLoc loc = stmt.check->loc;
  mlir::Location at = g.getLoc(loc);
  mlir::Value remainder = arith::RemSIOp::create(
      g.builder, at, moment.done, g.materialize(fit.interval, g.i64Type, at));
  mlir::Value due = arith::OrIOp::create(
      g.builder, at, moment.last,
      arith::CmpIOp::create(g.builder, at, arith::CmpIPredicate::eq, remainder,
                            g.intConstant(0, at)));
  llvm::SmallVector<mlir::Value> old, made;
  for (const Value &part : known.getElements())
    old.push_back(getSSA(part));
  auto choice =
      scf::IfOp::create(g.builder, at, mlir::ValueRange(old).getTypes(), due,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  choice.elseBlock()->clear();
  g.builder.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(g.builder, at, old);
  choice.thenBlock()->clear();
  g.builder.setInsertionPointToEnd(choice.thenBlock());
  Value value = ofOptimized(*stmt.check, optimized);
  if (!value.isPoison() && !requireCheck(g.rules(), value, loc))
    value = Value::poison();
  if (value.isPoison()) {
    scf::YieldOp::create(g.builder, at, old);
    return value;
  }
  mlir::Value number = g.materialize(value, g.f64Type, at);
  mlir::Value better = arith::CmpFOp::create(
      g.builder, at, arith::CmpFPredicate::OLT, number, old[1]);
  auto choose = [&](mlir::Value a, mlir::Value b) {
    made.push_back(arith::SelectOp::create(g.builder, at, better, a, b));
  };
  made.push_back(number);
  choose(number, old[1]);
  choose(moment.iteration, old[2]);
  choose(g.intConstant(0, at),
         arith::AddIOp::create(g.builder, at, old[3], g.intConstant(1, at)));
  mlir::Value step =
      arith::SIToFPOp::create(g.builder, at, g.f64Type, moment.iteration);
  const std::string what = fit.name + " " + stmt.checked.text;
  auto print = pm::PrintOp::create(g.builder, at,
                                   fit.name + ": step {:.0f}, " +
                                       stmt.checked.text + " {:.6e}",
                                   mlir::ValueRange{step, number});
  print->setAttr("loss", g.builder.getStringAttr(what));
  g.effectsSeen = true;
  scf::YieldOp::create(g.builder, at, made);
  std::vector<Value> parts;
  for (mlir::Value result : choice.getResults())
    parts.push_back(scalarOf(result));
  return known.withElements(std::move(parts));
}

/// The loop carries the optimized values, the optimizer's state, the losses,
/// the loss at the beginning of the stage, and what is known of checks.
Value OptimizeEmitter::step(const Value &carried, const Value &iteration) {
  mlir::Location at = g.getLoc(stmt.loc);
  Moment moment = momentOf(iteration);
  Scope scope(g.frame->scope);
  llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
  if (stmt.counter)
    scope.names[stmt.counter->text] = iteration;
  if (stmt.stage) {
    mlir::Value value = g.materialize(fit.stages[0], g.f64Type, at);
    for (size_t i = 1; i < fit.stages.size(); ++i)
      value = arith::SelectOp::create(
          g.builder, at,
          arith::CmpIOp::create(g.builder, at, arith::CmpIPredicate::eq,
                                moment.stage, g.intConstant(int64_t(i), at)),
          g.materialize(fit.stages[i], g.f64Type, at), value);
    scope.names[stmt.stage->text] =
        scalarOf(value, fit.getStageInUnit().getUnit());
  }
  Value objective =
      g.makeClosure(nullptr, llvm::cast<ast::LambdaExpr>(stmt.objective.get()),
                    g.frame->module, stmt.objective->loc);
  llvm::SMLoc loc = stmt.method->loc;
  auto argument = [&](Value value) {
    return Argument{"", {}, std::move(value), loc, stmt.method->range};
  };
  Value stepped = g.apply(
      *fit.method.findMember("step"),
      {{argument(objective), argument(carried.getElements()[0]),
        argument(carried.getElements()[1]), argument(scalarOf(moment.fresh))},
       loc});
  if (stepped.isPoison())
    return stepped;
  if (!requireStepped(g.rules(), stepped, loc))
    return Value::poison();
  const Value &loss = stepped.getElements()[2];
  mlir::Value number = getSSA(loss);

  // Only numbers that are finite cancel.
  mlir::Value zero = g.floatConstant(0, g.f64Type, at);
  mlir::Value finite = arith::CmpFOp::create(
      g.builder, at, arith::CmpFPredicate::OEQ,
      arith::SubFOp::create(g.builder, at, number, number), zero);
  mlir::Value step =
      arith::SIToFPOp::create(g.builder, at, g.f64Type, moment.iteration);
  pm::AssertOp::create(g.builder, at, finite,
                       "the fit of " + fit.name +
                           " diverges: the loss is {} in iteration {}",
                       mlir::ValueRange{number, step});
  mlir::Value first = arith::SelectOp::create(
      g.builder, at, moment.fresh, number, getSSA(carried.getElements()[3]));
  tellWhen(moment.due,
           fit.name + (stmt.counter ? ": step" : ": iteration") +
               " {:.0f}, loss {:.6e}",
           {step, number}, fit.name, at);
  // Losses of other batches tell nothing of each other.
  if (!stmt.counter) {
    mlir::Value rises = arith::AndIOp::create(
        g.builder, at, moment.last,
        arith::CmpFOp::create(g.builder, at, arith::CmpFPredicate::OGT, number,
                              first));
    tellWhen(rises,
             fit.name + ": diverges: the loss rose from {:.6e} to {:.6e} in "
                        "the stage that ends with iteration {:.0f}",
             {first, number, step}, /*curve=*/"", at);
  }
  g.effectsSeen = true;

  Value history = carried.getElements()[2];
  // Cells that were asked for may be more than steps: none remains empty.
  if (history.isField())
    history = recordLoss(history, moment.cell, loss,
                         /*behind=*/stmt.historyCells != nullptr, loc);
  std::vector<Value> next = {stepped.getElements()[0], stepped.getElements()[1],
                             history, scalarOf(first, loss.getUnit())};
  if (stmt.check) {
    next.push_back(checkStep(next[0], carried.getElements()[4], moment));
    if (next.back().isPoison())
      return Value::poison();
  }
  if (mayEndEarly())
    next.push_back(Value::tuple({scalarOf(moment.done), loss}));
  return Value::tuple(std::move(next));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Value OptimizeEmitter::loop(const Value &initial) {
  auto iterate = [&](const Value &carried, const Value &iteration) {
    return step(carried, iteration);
  };
  llvm::SMLoc from = stmt.start->loc;
  const Unit stage = stmt.stage ? fit.getStageInUnit().getUnit() : Unit();
  const Value guess = g.loopTypes.optimized(stmt, fit.method, stage, initial);
  if (!stmt.counter)
    return g.countedLoop(initial, Value::integer(0),
                         Value::integer(fit.getTotal()), from, stmt.loc,
                         stmt.method->loc, fit.states, iterate, guess);
  if (!stmt.condition)
    return g.countedLoop(initial, fit.begin, fit.end, from, stmt.loc,
                         stmt.method->loc, fit.states, iterate, guess);
  mlir::Location at = g.getLoc(stmt.condition->loc);
  auto stepAt = [&](mlir::Value done) -> mlir::Value {
    return arith::AddIOp::create(g.builder, at, done,
                                 g.materialize(fit.begin, g.i64Type, at));
  };
  auto goesOn = [&](const Value &carried, mlir::Value done) -> Value {
    Scope scope(g.frame->scope);
    llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
    mlir::Value next = stepAt(done);
    scope.names[stmt.counter->text] = scalarOf(next);
    if (stmt.check)
      scope.names[stmt.checked.text] = carried.getElements()[4];
    Value wanted = ofOptimized(*stmt.condition, carried.getElements()[0]);
    if (wanted.isPoison())
      return wanted;
    if (!requireWanted(g.rules(), wanted, stmt.condition->loc))
      return Value::poison();
    mlir::Value more =
        arith::CmpIOp::create(g.builder, at, arith::CmpIPredicate::slt, next,
                              g.materialize(fit.end, g.i64Type, at));
    return scalarOf(arith::AndIOp::create(g.builder, at, more,
                                          g.materialize(wanted, g.i1Type, at)));
  };
  return g.whileLoop(initial, fit.states,
                     {stmt.loc, from, stmt.method->loc, /*counts=*/true, goesOn,
                      [&](const Value &carried, mlir::Value done) {
                        return step(carried, scalarOf(stepAt(done)));
                      },
                      guess});
}

void OptimizeEmitter::run() {
  auto giveUp = [&] {
    for (const ast::Name &name : stmt.pattern.names)
      g.define(name, Value::poison());
    for (const ast::Name *name : {&stmt.history, &stmt.checked})
      g.define(*name, Value::poison());
  };
  if (!check())
    return giveUp();
  mlir::Location at = g.getLoc(stmt.loc);
  if (stmt.interval && !fit.interval.getConstInt()) {
    mlir::Value steps = g.materialize(fit.interval, g.i64Type, at);
    mlir::Value some = arith::CmpIOp::create(
        g.builder, at, arith::CmpIPredicate::sge, steps, g.intConstant(1, at));
    pm::AssertOp::create(g.builder, g.getLoc(stmt.interval->loc), some,
                         "'every' must be at least 1, found {}",
                         mlir::ValueRange{arith::SIToFPOp::create(
                             g.builder, at, g.f64Type, steps)});
    g.effectsSeen = true;
  }
  Argument start{"", {}, fit.start, stmt.method->loc, stmt.method->range};
  Value state =
      g.apply(*fit.method.findMember("start"), {start, stmt.method->loc});
  if (state.isPoison())
    return giveUp();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Value> parts = {fit.start, state,
                              fit.historyCells ? emptyHistory(stmt.loc)
                                               : Value::integer(0),
                              Value::real(0)};
  if (stmt.check)
    parts.push_back(Value::record({"value", "best", "step", "stale"},
                                  {Value::real(infinity), Value::real(infinity),
                                   fit.begin, Value::integer(0)}));
  if (mayEndEarly())
    parts.push_back(Value::tuple({Value::integer(0), Value::real(0)}));
  Value initial = Value::tuple(std::move(parts));
  // Its numbers at run time, so that a checkpoint holds them too.
  Value shape = requireCarried(g.rules(), initial, stmt.start->loc);
  if (shape.isPoison())
    return giveUp();
  llvm::SmallVector<mlir::Value> leaves;
  g.convertTo(initial, shape, stmt.start->loc, leaves);
  unsigned next = 0;
  Value result = loop(g.rebuild(shape, leaves, next));
  if (result.isPoison())
    return giveUp();
  Scope names;
  if (!g.bindPattern(stmt.pattern, result.getElements()[0], stmt.loc, names))
    return giveUp();
  for (const ast::Name &name : stmt.pattern.names)
    g.define(name, names.names.lookup(name.text));
  Value history = result.getElements()[2];
  if (mayEndEarly()) {
    const Value &last = result.getElements().back();
    history =
        recordLoss(history, g.materialize(last.getElements()[0], g.i64Type, at),
                   last.getElements()[1], /*behind=*/true, stmt.loc);
  }
  g.define(stmt.history, history);
  if (stmt.check)
    g.define(stmt.checked, result.getElements()[4]);
}

void Generator::optimizeStmt(const ast::OptimizeStmt &stmt) {
  OptimizeEmitter(*this, stmt).run();
}
