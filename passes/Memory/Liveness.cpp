//===- Liveness.cpp - When a field is live --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Liveness.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

bool pmc::passes::readsElementwise(OpOperand &operand) {
  // Meshes of pm.interpolate are used inside of the body, not as an input, and
  // a broadcast input is read again by other elements.
  auto map = dyn_cast<MapOp>(operand.getOwner());
  return map && cast<GridType>(operand.get().getType()).getDims() ==
                    map.getDomainDims();
}

bool pmc::passes::destroys(OpOperand &operand) {
  // The half-complex to real transform of several dims spoils its input.
  return isa<IFFTOp>(operand.getOwner());
}

Liveness::Liveness(func::FuncOp function) {
  int64_t point = 0;
  number(function.getBody().front(), point);
  for (Value field : order)
    measure(field);
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
    // The body of a domain op is one evaluation, not a stretch of time.
    if (!isa<DomainOpInterface>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          number(inner, point);
    last[&op] = op.getNumRegions() ? point++ : first[&op];
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
    live.start = 2 * first.lookup(home->getParentOp()) + 1;
  // What the condition of a while loop hands to the body.
  if (auto loop = dyn_cast<scf::WhileOp>(home->getParentOp());
      loop && !field.getDefiningOp() && home == loop.getAfterBody())
    live.start = 2 * first.lookup(loop.getConditionOp()) + 1;
  live.end = live.start;
  for (OpOperand &use : field.getUses()) {
    Operation *user = use.getOwner();
    // A use in the body of a domain op is a use by that op, of any element.
    bool elementwise = readsElementwise(use);
    while (user->getParentOp() && isa<DomainOpInterface>(user->getParentOp())) {
      user = user->getParentOp();
      elementwise = false;
    }
    bool tie =
        isa<scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(user);
    int64_t end = 2 * first.lookup(user) + (elementwise || tie ? 0 : 1);
    // What a loop reads from outside lives until the loop ends.
    for (Operation *at = user; at->getBlock() != home; at = at->getParentOp())
      if (isa<LoopLikeOpInterface>(at->getParentOp()))
        end = std::max(end, 2 * last.lookup(at->getParentOp()) + 1);
    live.end = std::max(live.end, end);
  }
  intervals[field] = live;
}
