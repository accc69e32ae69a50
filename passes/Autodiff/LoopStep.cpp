//===- LoopStep.cpp - One step of a loop backwards ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/LoopStep.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Steps::Steps(OpBuilder &builder, scf::ForOp loop) : loop(loop) {
  Location loc = loop.getLoc();
  zero = arith::ConstantIndexOp::create(builder, loc, 0);
  one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value length = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                       loop.getLowerBound());
  if (!isConstantIntValue(loop.getStep(), 1)) {
    Value more = arith::SubIOp::create(builder, loc, loop.getStep(), one);
    length = arith::DivSIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, length, more),
        loop.getStep());
  }
  count = arith::MaxSIOp::create(builder, loc, length, zero);
}

Value Steps::getFromEnd(OpBuilder &builder, Value done) const {
  Value left = arith::SubIOp::create(builder, done.getLoc(), count, done);
  return arith::SubIOp::create(builder, done.getLoc(), left, one);
}

Value Steps::getVariable(OpBuilder &builder, Value step) {
  Location loc = loop.getLoc();
  if (!isConstantIntValue(loop.getStep(), 1))
    step = arith::MulIOp::create(builder, loc, step, loop.getStep());
  return arith::AddIOp::create(builder, loc, loop.getLowerBound(), step);
}

Value Steps::getStep(OpBuilder &builder) {
  Location loc = loop.getLoc();
  Value offset = arith::SubIOp::create(builder, loc, loop.getInductionVar(),
                                       loop.getLowerBound());
  if (isConstantIntValue(loop.getStep(), 1))
    return offset;
  return arith::DivSIOp::create(builder, loc, offset, loop.getStep());
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

Operation *Again::make(OpBuilder &builder, Operation *op) {
  Operation *&copy = made[op];
  if (!copy)
    copy = builder.clone(*op, mapping);
  return copy;
}

Backward::Backward(scf::ForOp loop, Reverse &outside)
    : loop(loop), outside(outside), ops(listOps(*loop.getBody())) {
  for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs()))
    if (outside.wants(carried))
      active.push_back(i);
  captured = outside.getWanted(listCaptured(loop)).takeVector();
}

SmallVector<Value> Backward::begin(OpBuilder &builder) {
  Location loc = loop.getLoc();
  SmallVector<Value> values;
  for (unsigned i : active)
    values.push_back(orZero(builder, loc, outside.get(loop.getResult(i)),
                            loop.getResult(i)));
  for (Value value : captured)
    values.push_back(orZero(builder, loc, outside.take(value), value));
  return values;
}

FailureOr<SmallVector<Value>> Backward::step(OpBuilder &builder, Again again,
                                             ValueRange state,
                                             ValueRange behind) {
  again.mapping.map(loop.getRegionIterArgs(), state);
  SmallVector<Operation *> copies = llvm::map_to_vector(
      ops, [&](Operation *op) { return again.make(builder, op); });
  Activity activity([&](Value value) { return outside.wants(value); });
  for (unsigned i : active)
    activity.seed(state[i]);
  for (Operation *op : copies)
    activity.visit(op);

  Reverse inner(activity, &outside);
  // What one step makes necessary, those before it do.
  bool isGuarded = outside.isAnyGuarded(loop.getResults()) ||
                   llvm::any_of(copies, [&](Operation *op) {
                     return needsGuards(op, activity);
                   });
  for (auto [value, sum] :
       llvm::zip_equal(captured, behind.drop_front(active.size())))
    inner.set(value, sum);
  for (auto [i, cotangent] : llvm::zip(active, behind)) {
    Value value = again.mapping.lookupOrDefault(loop.getYieldedValues()[i]);
    if (inner.wants(value)) {
      inner.add(builder, value, cotangent);
      if (isGuarded)
        inner.guard(value);
    }
  }
  if (failed(inner.differentiate(builder, copies)))
    return failure();
  SmallVector<Value> before;
  for (unsigned i : active)
    before.push_back(
        orZero(builder, loop.getLoc(), inner.get(state[i]), state[i]));
  for (Value value : captured)
    before.push_back(inner.get(value));
  return before;
}

void Backward::end(OpBuilder &builder, ValueRange first) {
  for (auto [i, cotangent] : llvm::zip(active, first)) {
    Value init = loop.getInitArgs()[i];
    if (outside.wants(init))
      outside.add(builder, init, cotangent);
  }
  for (auto [value, sum] :
       llvm::zip_equal(captured, first.drop_front(active.size())))
    outside.add(builder, value, sum);
}
