//===- Liveness.cpp - When a field is live --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Liveness.h"
#include "passes/FieldSize.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

bool pmc::passes::canShareBuffer(OpOperand &operand) {
  auto op = dyn_cast<PlaceableOpInterface>(operand.getOwner());
  if (!op)
    return false;
  bool any = false;
  for (OpResult result : op->getResults()) {
    if (!isa<FieldType>(result.getType()))
      continue;
    if (!op.canShareBuffer(operand, result))
      return false;
    any = true;
  }
  return any;
}

SmallVector<Tie> pmc::passes::getTies(func::FuncOp function) {
  SmallVector<Tie> ties;
  auto add = [&](Operation *op, OperandRange operands, ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      if (isa<FieldType>(value.getType()))
        ties.push_back(
            {&op->getOpOperand(operands.getBeginOperandIndex() + i), value});
  };
  function.walk<WalkOrder::PreOrder>([&](RegionBranchOpInterface op) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (const RegionSuccessor &successor : successors)
      add(op, op.getEntrySuccessorOperands(successor),
          successor.getSuccessorInputs());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        auto terminator =
            dyn_cast<RegionBranchTerminatorOpInterface>(block.getTerminator());
        if (!terminator)
          continue;
        successors.clear();
        op.getSuccessorRegions(RegionBranchPoint(terminator), successors);
        for (const RegionSuccessor &successor : successors)
          add(terminator, terminator.getSuccessorOperands(successor),
              successor.getSuccessorInputs());
      }
  });
  return ties;
}

Liveness::Liveness(func::FuncOp function, ArrayRef<Tie> ties) {
  int64_t point = 0;
  number(function.getBody().front(), point);
  for (auto [operand, value] : ties) {
    int64_t at = first.lookup(operand->getOwner());
    auto [entry, isNew] = handedOn.insert({value, at});
    if (!isNew)
      entry->second = std::min(entry->second, at);
  }
  for (Value field : order)
    measure(field);
}

static int64_t getFieldBytes(Region &region) {
  int64_t bytes = 0;
  region.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isa<FieldType>(type))
        bytes += getBytes(cast<GridType>(type));
  });
  return bytes;
}

/// One time serves all branches, and what a branch hands on is live from its
/// end to the end of the branches after it: those that need less memory come
/// later. A loop's regions follow each other.
static SmallVector<Region *> getRegionsInOrder(Operation &op) {
  SmallVector<std::pair<int64_t, unsigned>> order;
  for (Region &region : op.getRegions())
    order.push_back({isa<LoopLikeOpInterface>(op) ? 0 : -getFieldBytes(region),
                     region.getRegionNumber()});
  llvm::sort(order);
  SmallVector<Region *> regions;
  for (auto [bytes, number] : order)
    regions.push_back(&op.getRegion(number));
  return regions;
}

void Liveness::number(Block &block, int64_t &point) {
  auto note = [&](Value value) {
    if (isa<FieldType>(value.getType()))
      order.push_back(value);
  };
  for (Value argument : block.getArguments())
    note(argument);
  for (Operation &op : block) {
    first[&op] = point++;
    // The body of a domain op is one evaluation, not a stretch of time: its
    // results are live while its inputs are read.
    bool takesTime = op.getNumRegions() > 0 && !isa<DomainOpInterface>(op);
    if (takesTime)
      for (Region *region : getRegionsInOrder(op))
        for (Block &inner : *region)
          number(inner, point);
    last[&op] = takesTime ? point++ : first[&op];
    for (Value result : op.getResults())
      note(result);
  }
}

void Liveness::measure(Value field) {
  Block *home = field.getParentBlock();
  Interval live;
  if (Operation *def = field.getDefiningOp())
    live.start = 2 * last.lookup(def) + 1;
  else
    live.start = 2 * handedOn.lookup(field) + 1;
  live.end = live.start;
  for (OpOperand &use : field.getUses()) {
    Operation *user = use.getOwner();
    // A use in the body of a domain op is a use by that op, of any element.
    bool inPlace = canShareBuffer(use);
    while (user->getParentOp() && isa<DomainOpInterface>(user->getParentOp())) {
      user = user->getParentOp();
      inPlace = false;
    }
    bool isTie =
        isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(user);
    int64_t end = 2 * first.lookup(user) + (inPlace || isTie ? 0 : 1);
    // What a loop reads from outside lives until the loop ends.
    for (Operation *at = user; at->getBlock() != home; at = at->getParentOp())
      if (isa<LoopLikeOpInterface>(at->getParentOp()))
        end = std::max(end, 2 * last.lookup(at->getParentOp()) + 1);
    live.end = std::max(live.end, end);
  }
  intervals[field] = live;
}
