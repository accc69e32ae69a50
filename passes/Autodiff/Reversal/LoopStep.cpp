//===- LoopStep.cpp - One step of a loop backwards ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Reversal/LoopStep.h"
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
// ReadState
//===----------------------------------------------------------------------===//

/// Whether what is made of an element of a body is linear in it; appends the
/// places among the yields that it gets to.
static bool isLinear(Value element, llvm::SmallSetVector<unsigned, 2> &places) {
  for (OpOperand &use : element.getUses()) {
    Operation *op = use.getOwner();
    if (isa<YieldOp>(op) && op->getBlock() == element.getParentBlock()) {
      places.insert(use.getOperandNumber());
      continue;
    }
    bool isCondition = isa<arith::SelectOp>(op) && use.getOperandNumber() == 0;
    if (isCondition ||
        !isa<arith::SelectOp, arith::AddFOp, arith::SubFOp, arith::NegFOp,
             arith::ExtFOp, arith::TruncFOp, complex::CreateOp, complex::ReOp,
             complex::ImOp, complex::AddOp, complex::SubOp>(op) ||
        !isLinear(op->getResult(0), places))
      return false;
  }
  return true;
}

/// Whether nothing is made of the field but what the loop carries in its place,
/// and that by maps that are linear in it.
static bool isOnlyChanged(scf::ForOp loop, unsigned position) {
  SmallVector<Value> open{loop.getRegionIterArgs()[position]};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value field = open.pop_back_val();
    if (!seen.insert(field).second)
      continue;
    for (OpOperand &use : field.getUses()) {
      Operation *op = use.getOwner();
      if (isa<scf::YieldOp>(op) && op->getParentOp() == loop &&
          use.getOperandNumber() == position)
        continue;
      auto map = dyn_cast<MapOp>(op);
      if (!map || map->getBlock() != loop.getBody() ||
          use.getOperandNumber() >= map.getInputs().size())
        return false;
      llvm::SmallSetVector<unsigned, 2> places;
      if (!isLinear(map.getDomainBody()->getArgument(use.getOperandNumber()),
                    places))
        return false;
      for (unsigned place : places)
        open.push_back(map.getResult(place));
    }
  }
  return true;
}

ReadState::ReadState(scf::ForOp loop)
    : loop(loop), read(loop.getRegionIterArgs().size(), true) {
  for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isa<FieldType>(carried.getType()) && isOnlyChanged(loop, i))
      read.reset(i);
}

SmallVector<Value> ReadState::select(ValueRange carried) const {
  SmallVector<Value> selected;
  for (unsigned i : read.set_bits())
    selected.push_back(carried[i]);
  return selected;
}

SmallVector<Value> ReadState::expand(OpBuilder &builder,
                                     ValueRange selected) const {
  SmallVector<Value> all;
  scf::ForOp like = loop;
  for (auto [i, carried] : llvm::enumerate(like.getRegionIterArgs())) {
    if (!read.test(i)) {
      all.push_back(buildZero(builder, like.getLoc(), carried.getType()));
      continue;
    }
    all.push_back(selected.front());
    selected = selected.drop_front();
  }
  return all;
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
    if (outside.needs(carried))
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
  Activity activity([&](Value value) { return outside.needs(value); });
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
    if (inner.needs(value)) {
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
    if (outside.needs(init))
      outside.add(builder, init, cotangent);
  }
  for (auto [value, sum] :
       llvm::zip_equal(captured, first.drop_front(active.size())))
    outside.add(builder, value, sum);
}
