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
// from there on.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

struct Generator::Optimization {
  Value start;  // what is optimised, at run time
  Value method; // the optimiser
  std::vector<Value> stages;
  int64_t perStage = 0;
  std::string name; // of messages and checkpoints
  Value history;    // at the start
  Checkpointing states;

  /// The first one that is not 0, which fits every unit.
  const Value &getStageInUnit() const {
    auto found = llvm::find_if(
        stages, [](const Value &stage) { return !stage.hasAnyUnit(); });
    return found == stages.end() ? stages.front() : *found;
  }
  int64_t getTotal() const { return perStage * int64_t(stages.size()); }
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

/// The expressions of the statement; false after an error.
bool Generator::checkOptimization(const ast::OptimizeStmt &stmt,
                                  Optimization &fit) {
  for (const ast::Name &name : stmt.pattern.names)
    fit.name += (fit.name.empty() ? "" : ",") + name.text;
  Argument start = evaluateArgument(*stmt.start);
  Argument method = evaluateArgument(*stmt.method);
  Argument stages;
  if (stmt.stages)
    stages = evaluateArgument(*stmt.stages);
  Argument count = evaluateArgument(*stmt.iterations);
  auto perStage =
      constInt(count, "the number of iterations", 1, int64_t(1) << 30);
  bool ok = perStage && !start.value.isPoison() && !method.value.isPoison();
  ok &= checkpointing(stmt.pattern.names, stmt.every.get(), /*least=*/1,
                      fit.states);
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
  if (fit.getTotal() > int64_t(1) << 30) {
    error(count, "there are " + llvm::Twine(fit.getTotal()) +
                     " iterations; expected at most 2^30");
    return false;
  }
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

/// The history with the loss of this iteration in its place.
Value Generator::recordLoss(const Value &history, const Value &iteration,
                            const Value &loss, llvm::SMLoc loc) {
  pm::DimAttr dim = history.getFieldType().getDims()[0];
  mlir::Location at = getLoc(loc);
  mlir::Value number =
      arith::SIToFPOp::create(builder, at, f64Type, iteration.getSSA());
  return buildMap(dim, loc, [&] {
    mlir::Value index = pm::CoordinateOp::create(builder, at, dim.getLabel());
    mlir::Value here = arith::CmpFOp::create(
        builder, at, arith::CmpFPredicate::OEQ, index, number);
    Value old = element(history, loc);
    return Value::scalar(
        arith::SelectOp::create(builder, at, here, loss.getSSA(), old.getSSA()),
        loss.getUnit());
  });
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// What the loop carries: what is optimised, the optimiser's state, the losses,
/// and the loss at the beginning of the stage.
Value Generator::optimizerStep(const ast::OptimizeStmt &stmt,
                               const Optimization &fit, const Value &carried,
                               const Value &iteration) {
  mlir::Location at = getLoc(stmt.loc);
  mlir::Value each = intConstant(fit.perStage, at);
  mlir::Value stage =
      arith::DivSIOp::create(builder, at, iteration.getSSA(), each);
  mlir::Value inside =
      arith::RemSIOp::create(builder, at, iteration.getSSA(), each);
  auto equal = [&](mlir::Value a, int64_t b) -> mlir::Value {
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, a,
                                 intConstant(b, at));
  };
  mlir::Value fresh = equal(inside, 0);

  Scope scope(frame->scope);
  llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
  if (stmt.stage) {
    mlir::Value value = materialize(fit.stages[0], f64Type, at);
    for (size_t i = 1; i < fit.stages.size(); ++i)
      value = arith::SelectOp::create(builder, at, equal(stage, int64_t(i)),
                                      materialize(fit.stages[i], f64Type, at),
                                      value);
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
  Value stepped = apply(
      *fit.method.findMember("step"),
      {argument(objective), argument(carried.getElements()[0]),
       argument(carried.getElements()[1]), argument(Value::scalar(fresh))},
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
      arith::SIToFPOp::create(builder, at, f64Type, iteration.getSSA());
  pm::AssertOp::create(builder, at, finite,
                       "the fit of " + fit.name +
                           " diverges: the loss is {} in iteration {}",
                       mlir::ValueRange{number, step});
  mlir::Value first = arith::SelectOp::create(
      builder, at, fresh, number, carried.getElements()[3].getSSA());
  mlir::Value last = equal(inside, fit.perStage - 1);
  mlir::Value rises = arith::AndIOp::create(
      builder, at, last,
      arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OGT, number,
                            first));
  auto say = [&](mlir::Value when, const std::string &text,
                 mlir::ValueRange numbers, bool regular) {
    auto choice = scf::IfOp::create(builder, at, mlir::TypeRange(), when,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/false);
    mlir::OpBuilder::InsertionGuard guard(builder);
    choice.thenBlock()->clear();
    builder.setInsertionPointToEnd(choice.thenBlock());
    auto print = pm::PrintOp::create(builder, at, text, numbers);
    if (regular) // --quiet is for such, and the first values are a curve
      print->setAttr("loss", builder.getStringAttr(fit.name));
    scf::YieldOp::create(builder, at);
  };
  int64_t interval = std::max<int64_t>(1, fit.perStage / 10);
  mlir::Value due = arith::OrIOp::create(
      builder, at, last,
      equal(arith::RemSIOp::create(builder, at, inside,
                                   intConstant(interval, at)),
            0));
  say(due, fit.name + ": iteration {:.0f}, loss {:.6e}", {step, number},
      /*regular=*/true);
  say(rises,
      fit.name + ": diverges: the loss rose from {:.6e} to {:.6e} in the "
                 "stage that ends with iteration {:.0f}",
      {first, number, step}, /*regular=*/false);
  effectsSeen = true;

  Value history = recordLoss(carried.getElements()[2], iteration, loss, loc);
  return Value::tuple({stepped.getElements()[0], stepped.getElements()[1],
                       history, Value::scalar(first, loss.getUnit())});
}

void Generator::optimizeStmt(const ast::OptimizeStmt &stmt) {
  auto giveUp = [&] {
    for (const ast::Name &name : stmt.pattern.names)
      define(name, Value::poison());
    define(stmt.history, Value::poison());
  };
  Optimization fit;
  if (!checkOptimization(stmt, fit))
    return giveUp();
  mlir::Location at = getLoc(stmt.loc);
  Argument start{"", {}, fit.start, stmt.method->loc, stmt.method->range};
  Value state = apply(*fit.method.findMember("start"), start, stmt.method->loc);
  if (state.isPoison())
    return giveUp();
  // Losses are f64 in every precision.
  pm::DimAttr dim = iterationDim(fit.getTotal());
  ElementState element;
  auto block = buildBody(dim, stmt.loc, element, [&](auto &yields) {
    yields.push_back(floatConstant(0, f64Type, at));
    return true;
  });
  auto zeros = pm::MapOp::create(
      builder, at, mlir::TypeRange{pm::FieldType::get(&context, dim, f64Type)},
      pm::DimsAttr::get(&context, dim), element.inputs, mlir::ValueRange());
  zeros.getBody().push_back(block.release());

  Value initial = Value::tuple({fit.start, state,
                                Value::field(zeros.getResult(0)).withAnyUnit(),
                                Value::real(0)});
  // Its numbers at run time, so that a checkpoint holds them too.
  Value shape = runtimeShape(initial, stmt.start->loc);
  if (shape.isPoison())
    return giveUp();
  llvm::SmallVector<mlir::Value> leaves;
  convertTo(initial, shape, stmt.start->loc, leaves);
  unsigned next = 0;
  Value result =
      countedLoop(rebuild(shape, leaves, next), Value::integer(0),
                  Value::integer(fit.getTotal()), stmt.start->loc, stmt.loc,
                  stmt.method->loc, fit.states,
                  [&](const Value &carried, const Value &iteration) {
                    return optimizerStep(stmt, fit, carried, iteration);
                  });
  if (result.isPoison())
    return giveUp();
  Scope names;
  if (!bindPattern(stmt.pattern, result.getElements()[0], stmt.loc, names))
    return giveUp();
  for (const ast::Name &name : stmt.pattern.names)
    define(name, names.names.lookup(name.text));
  define(stmt.history, result.getElements()[2]);
}
