//===- Coalesce.cpp - Which fields share a buffer -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Coalesce.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

Coalescing::Coalescing(const Liveness &liveness) {
  for (Value field : liveness.fields()) {
    parent[field] = field;
    members[field].push_back(liveness.get(field));
  }
}

Value Coalescing::leader(Value field) const {
  while (parent.lookup(field) != field)
    field = parent.lookup(field);
  return field;
}

bool Coalescing::join(Value a, Value b) {
  a = leader(a);
  b = leader(b);
  if (a == b)
    return true;
  if (a.getType() != b.getType())
    return false;
  for (const Interval &one : members[a])
    for (const Interval &other : members[b])
      if (one.overlaps(other))
        return false;
  parent[b] = a;
  SmallVector<Interval> moved = std::move(members[b]);
  members[a].append(moved);
  return true;
}

Interval Coalescing::hull(Value field) const {
  auto found = members.find(leader(field));
  Interval hull = found->second.front();
  for (const Interval &interval : found->second) {
    hull.start = std::min(hull.start, interval.start);
    hull.end = std::max(hull.end, interval.end);
  }
  hull.end |= 1;
  return hull;
}

SmallVector<std::pair<OpOperand *, Value>> pmc::passes::getTies(Operation *op) {
  SmallVector<std::pair<OpOperand *, Value>> ties;
  auto tie = [&](OpOperand &operand, Value value) {
    if (isa<FieldType>(value.getType()))
      ties.push_back({&operand, value});
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument] :
         llvm::zip(loop.getInitArgsMutable(), loop.getRegionIterArgs()))
      tie(init, argument);
    for (auto [yielded, argument, result] :
         llvm::zip(loop.getBody()->getTerminator()->getOpOperands(),
                   loop.getRegionIterArgs(), loop.getResults())) {
      tie(yielded, argument);
      tie(yielded, result);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions())
      if (!region.empty())
        for (auto [yielded, result] :
             llvm::zip(region.front().getTerminator()->getOpOperands(),
                       branch.getResults()))
          tie(yielded, result);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, argument] :
         llvm::zip(loop->getOpOperands(), loop.getBeforeArguments()))
      tie(init, argument);
    auto passed = loop.getConditionOp()->getOpOperands().drop_front();
    for (auto [operand, argument, result] :
         llvm::zip(passed, loop.getAfterArguments(), loop.getResults())) {
      tie(operand, argument);
      tie(operand, result);
    }
    for (auto [yielded, argument] : llvm::zip(
             loop.getYieldOp()->getOpOperands(), loop.getBeforeArguments()))
      tie(yielded, argument);
  }
  return ties;
}
