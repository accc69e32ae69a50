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

/// A result that nothing reads, and that is not written over an operand, is
/// memory of the op. Its buffer differs from those of the operands anyway,
/// because hulls of intervals end after the op that reads last.
static bool isMemory(PlaceableOpInterface op, OpResult result) {
  return result.use_empty() &&
         llvm::none_of(op->getOpOperands(), [&](OpOperand &operand) {
           return op.canShareBuffer(operand, result);
         });
}

bool pmc::passes::canShareBuffer(OpOperand &operand) {
  auto op = dyn_cast<PlaceableOpInterface>(operand.getOwner());
  if (!op)
    return false;
  bool any = false;
  for (OpResult result : op->getResults()) {
    if (!getField(result.getType()))
      continue;
    if (op.canShareBuffer(operand, result))
      any = true;
    else if (!isMemory(op, result))
      return false;
  }
  return any;
}

SmallVector<Tie> pmc::passes::getTies(func::FuncOp function) {
  SmallVector<Tie> ties;
  auto add = [&](Operation *op, OperandRange operands, ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      if (getField(value.getType()))
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
      if (FieldType field = getField(type))
        bytes += getBytes(cast<GridType>(Type(field)));
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
    if (getField(value.getType()))
      order.push_back(value);
  };
  for (Value argument : block.getArguments())
    note(argument);
  for (Operation &op : block) {
    first[&op] = point++;
    // The body of a domain op is one evaluation, not a stretch of time: the op
    // reads and writes at one point.
    last[&op] = first[&op];
    if (!isa<DomainOpInterface>(op) && op.getNumRegions()) {
      for (Region *region : getRegionsInOrder(op))
        for (Block &inner : *region)
          number(inner, point);
      last[&op] = point++;
    }
    for (Value result : op.getResults())
      note(result);
  }
}

void Liveness::measure(Value field) {
  int64_t start = field.getDefiningOp()
                      ? 2 * last.lookup(field.getDefiningOp()) + 1
                      : 2 * handedOn.lookup(field) + 1;
  SmallVector<Use> uses;
  for (OpOperand &use : field.getUses()) {
    Operation *user = use.getOwner();
    // A use in the body of a domain op is a use by that op, of any element.
    bool inPlace = canShareBuffer(use);
    while (isa_and_nonnull<DomainOpInterface>(user->getParentOp())) {
      user = user->getParentOp();
      inPlace = false;
    }
    bool isTie =
        isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(user);
    uses.push_back({user, 2 * first.lookup(user) + (inPlace || isTie ? 0 : 1)});
  }
  cover(*field.getParentBlock(), start, uses, intervals[field]);
}

void Liveness::cover(Block &block, int64_t start, ArrayRef<Use> uses,
                     SmallVectorImpl<Interval> &live) const {
  // It lives up to the last op here that reads it.
  Operation *reader = nullptr;
  for (const Use &use : uses) {
    Operation *here = block.findAncestorOpInBlock(*use.user);
    if (!reader || reader->isBeforeInBlock(here))
      reader = here;
  }
  if (!reader) {
    live.push_back({start, start});
    return;
  }
  int64_t end = start;
  bool inside = false;
  for (const Use &use : uses) {
    if (use.user == reader)
      end = std::max(end, use.time);
    else
      inside |= reader->isProperAncestor(use.user);
  }
  if (!inside) {
    live.push_back({start, end});
    return;
  }
  // What a loop reads from outside lives until the loop ends.
  if (isa<LoopLikeOpInterface>(reader)) {
    live.push_back({start, 2 * last.lookup(reader) + 1});
    return;
  }
  // In branches, as long as each of them needs it.
  live.push_back({start, 2 * first.lookup(reader) + 1});
  for (Region &region : reader->getRegions()) {
    SmallVector<Use> inner;
    for (const Use &use : uses)
      if (region.isAncestor(use.user->getParentRegion()))
        inner.push_back(use);
    if (!inner.empty())
      cover(region.front(), 2 * first.lookup(&region.front().front()), inner,
            live);
  }
}

bool Liveness::isLiveAfter(Value field, Operation *op) const {
  return llvm::any_of(get(field), [&](const Interval &interval) {
    return interval.start <= 2 * first.lookup(op) &&
           interval.end > 2 * last.lookup(op) + 1;
  });
}
