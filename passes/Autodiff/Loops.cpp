//===- Loops.cpp - Adjoints of loops over fields --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Loops.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Tape.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static constexpr StringLiteral scheduleName = "pm.schedule";
static constexpr StringLiteral snapshotsName = "pm.snapshots";

void pmc::passes::setSchedule(func::FuncOp function, ScheduleAttr schedule,
                              IntegerAttr snapshots) {
  function.walk([&](scf::ForOp loop) {
    loop->setAttr(scheduleName, schedule);
    if (snapshots)
      loop->setAttr(snapshotsName, snapshots);
  });
}

void pmc::passes::clearSchedule(func::FuncOp function) {
  function.walk([&](scf::ForOp loop) {
    loop->removeAttr(scheduleName);
    loop->removeAttr(snapshotsName);
  });
}

void pmc::passes::eraseEffects(Region &region) {
  region.walk([](Operation *op) {
    if (isa<ProgressOp, PrintOp, AssertOp, OutputOp, PlotOp>(op))
      op->erase();
  });
}

//===----------------------------------------------------------------------===//
// One step backwards
//===----------------------------------------------------------------------===//

namespace {

/// What flows backwards through a loop: the cotangents of what it carries and
/// of what its body reads of outside.
class Backward {
public:
  Backward(scf::ForOp loop, Reverse &outside) : loop(loop), outside(outside) {
    for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs()))
      if (outside.wants(carried))
        active.push_back(i);
    captured = outside.getWanted(listCaptured(loop)).takeVector();
  }

  /// The cotangents behind the last step.
  SmallVector<Value> begin(OpBuilder &builder) {
    SmallVector<Value> values;
    for (unsigned i : active)
      values.push_back(orZero(builder, loop.getLoc(),
                              outside.get(loop.getResult(i)),
                              loop.getResult(i)));
    for (Value value : captured)
      values.push_back(
          orZero(builder, loop.getLoc(), outside.take(value), value));
    return values;
  }

  /// Computes a step again, from its number and the values at its beginning,
  /// and then its adjoint: the cotangents before the step from those behind it.
  FailureOr<SmallVector<Value>> step(OpBuilder &builder, Value number,
                                     ValueRange state, ValueRange behind) {
    SmallVector<Operation *> ops;
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), number);
    mapping.map(loop.getRegionIterArgs(), state);
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<SaveOp>(op))
        ops.push_back(builder.clone(op, mapping));
    Activity activity([&](Value value) { return outside.wants(value); });
    for (unsigned i : active)
      activity.seed(state[i]);
    for (Operation *op : ops)
      activity.visit(op);

    Reverse inner(activity, &outside);
    ValueRange rest = behind.drop_front(active.size());
    for (auto [value, sum] : llvm::zip_equal(captured, rest))
      inner.set(value, sum);
    for (auto [i, cotangent] : llvm::zip(active, behind)) {
      Value value = mapping.lookupOrDefault(loop.getYieldedValues()[i]);
      if (inner.wants(value))
        inner.add(builder, value, cotangent);
    }
    if (failed(inner.differentiate(builder, ops)))
      return failure();
    SmallVector<Value> before;
    for (unsigned i : active)
      before.push_back(
          orZero(builder, loop.getLoc(), inner.get(state[i]), state[i]));
    for (Value value : captured)
      before.push_back(inner.get(value));
    return before;
  }

  /// Hands on the cotangents before the first step.
  void end(OpBuilder &builder, ValueRange first) {
    for (auto [i, cotangent] : llvm::zip(active, first)) {
      Value init = loop.getInitArgs()[i];
      if (outside.wants(init))
        outside.add(builder, init, cotangent);
    }
    for (auto [value, sum] :
         llvm::zip_equal(captured, first.drop_front(active.size())))
      outside.add(builder, value, sum);
  }

private:
  scf::ForOp loop;
  Reverse &outside;
  SmallVector<unsigned> active;
  SmallVector<Value> captured;
};

/// The steps of a loop, counted from 0.
class Steps {
public:
  Steps(OpBuilder &builder, scf::ForOp loop) : loop(loop) {
    Location loc = loop.getLoc();
    Value length = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                         loop.getLowerBound());
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    one = arith::ConstantIndexOp::create(builder, loc, 1);
    if (!isConstantIntValue(loop.getStep(), 1)) {
      Value more = arith::SubIOp::create(builder, loc, loop.getStep(), one);
      length = arith::DivSIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, length, more),
          loop.getStep());
    }
    count = arith::MaxSIOp::create(builder, loc, length, zero);
  }

  Value getCount() const { return count; }
  Value getZero() const { return zero; }
  Value getOne() const { return one; }

  /// The loop's variable in a step.
  Value getVariable(OpBuilder &builder, Value step) {
    Location loc = loop.getLoc();
    Value offset =
        isConstantIntValue(loop.getStep(), 1)
            ? step
            : arith::MulIOp::create(builder, loc, step, loop.getStep());
    return arith::AddIOp::create(builder, loc, loop.getLowerBound(), offset);
  }

  /// The step in which the loop is, in its body.
  Value getStep(OpBuilder &builder) {
    Location loc = loop.getLoc();
    Value offset = arith::SubIOp::create(builder, loc, loop.getInductionVar(),
                                         loop.getLowerBound());
    return isConstantIntValue(loop.getStep(), 1)
               ? offset
               : arith::DivSIOp::create(builder, loc, offset, loop.getStep());
  }

private:
  scf::ForOp loop;
  Value count, zero, one;
};

} // namespace

//===----------------------------------------------------------------------===//
// Keep
//===----------------------------------------------------------------------===//

/// Every state is kept, and restored from the last to the first.
static LogicalResult keepStates(OpBuilder &builder, scf::ForOp loop,
                                Reverse &cotangents) {
  Location loc = loop.getLoc();
  OpBuilder before(loop);
  Steps steps(before, loop);
  FailureOr<Tape> tape =
      Tape::create(before, loc, steps.getCount(), loop.getRegionIterArgs());
  if (failed(tape))
    return failure();
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  tape->save(inside, steps.getStep(inside), loop.getRegionIterArgs());

  Backward backward(loop, cotangents);
  auto reversed =
      scf::ForOp::create(builder, loc, steps.getZero(), steps.getCount(),
                         steps.getOne(), backward.begin(builder));
  if (!reversed.getBody()->empty())
    reversed.getBody()->getTerminator()->erase();
  inside.setInsertionPointToEnd(reversed.getBody());
  Value left = arith::SubIOp::create(inside, loc, steps.getCount(),
                                     reversed.getInductionVar());
  Value step = arith::SubIOp::create(inside, loc, left, steps.getOne());
  SmallVector<Value> state = tape->restore(inside, step);
  FailureOr<SmallVector<Value>> first =
      backward.step(inside, steps.getVariable(inside, step), state,
                    reversed.getRegionIterArgs());
  if (failed(first))
    return failure();
  scf::YieldOp::create(inside, loc, *first);
  eraseEffects(reversed.getRegion());
  eraseDead(reversed.getRegion());
  tape->free(builder);
  tape->drop();
  backward.end(builder, reversed.getResults());
  return success();
}

LogicalResult pmc::passes::reverseLoop(OpBuilder &builder, scf::ForOp loop,
                                       Reverse &cotangents) {
  return keepStates(builder, loop, cotangents);
}
