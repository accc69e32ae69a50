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
    members[field].assign(liveness.get(field).begin(),
                          liveness.get(field).end());
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
  if (getField(a.getType()) != getField(b.getType()))
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

bool Coalescing::isAlone(Value field) const {
  return llvm::none_of(parent, [&](const auto &entry) {
    return entry.first != field && leader(entry.first) == leader(field);
  });
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

void Coalescing::joinInPlace(func::FuncOp function,
                             const llvm::DenseSet<Value> &kept) {
  function.walk([&](PlaceableOpInterface op) {
    for (OpResult result : op->getResults())
      for (OpOperand &operand : op->getOpOperands())
        if (!kept.contains(operand.get()) &&
            getField(operand.get().getType()) && getField(result.getType()) &&
            op.canShareBuffer(operand, result) && canShareBuffer(operand) &&
            join(operand.get(), result))
          break;
  });
}
