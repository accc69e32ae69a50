//===- MergeReadings.cpp - Meshes are read at a position once -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_MERGEREADINGS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

static bool haveOnePosition(InterpolateOp a, InterpolateOp b) {
  return a.getWindow() == b.getWindow() && a.getFree() == b.getFree() &&
         a.getMeshes().front().getType() == b.getMeshes().front().getType() &&
         llvm::equal(a.getOffsets(), b.getOffsets());
}

static SmallVector<int64_t> getOrders(InterpolateOp op, size_t value) {
  size_t rank = op.getOffsets().size();
  std::optional<ArrayRef<int64_t>> orders = op.getOrders();
  return orders ? SmallVector<int64_t>(orders->slice(value * rank, rank))
                : SmallVector<int64_t>(rank, 0);
}

/// One op, in the place of the first, for what is used of all of them.
static void merge(ArrayRef<InterpolateOp> group) {
  struct Reading {
    Value mesh;
    SmallVector<int64_t> orders;
    Type type;
    SmallVector<Value> values; // of the ops before
  };
  SmallVector<Reading> readings;
  size_t count = 0;
  for (InterpolateOp op : group)
    for (auto [j, value] : llvm::enumerate(op.getValues())) {
      ++count;
      if (value.use_empty())
        continue;
      Reading reading{op.getMeshes()[j], getOrders(op, j), value.getType(), {}};
      auto *same = llvm::find_if(readings, [&](const Reading &other) {
        return other.mesh == reading.mesh && other.orders == reading.orders &&
               other.type == reading.type;
      });
      if (same == readings.end()) {
        readings.push_back(reading);
        same = &readings.back();
      }
      same->values.push_back(value);
    }
  if (group.size() == 1 && readings.size() == count)
    return;
  if (!readings.empty()) {
    SmallVector<Value> meshes;
    SmallVector<int64_t> orders;
    SmallVector<Type> types;
    SmallVector<Location> locs;
    for (const Reading &reading : readings) {
      meshes.push_back(reading.mesh);
      orders.append(reading.orders);
      types.push_back(reading.type);
    }
    for (InterpolateOp op : group)
      locs.push_back(op.getLoc());
    InterpolateOp first = group.front();
    OpBuilder builder(first);
    bool isDifferentiated =
        llvm::any_of(orders, [](int64_t n) { return n != 0; });
    auto merged = InterpolateOp::create(
        builder, builder.getFusedLoc(locs), types, first.getWindow(),
        first.getFree(),
        isDifferentiated ? builder.getDenseI64ArrayAttr(orders)
                         : DenseI64ArrayAttr(),
        meshes, first.getOffsets());
    for (auto [reading, now] : llvm::zip_equal(readings, merged.getValues()))
      for (Value value : reading.values)
        value.replaceAllUsesWith(now);
  }
  for (InterpolateOp op : group)
    op.erase();
}

namespace {

class MergeReadingsPass
    : public pmc::passes::impl::MergeReadingsBase<MergeReadingsPass> {
public:
  void runOnOperation() override {
    getOperation().walk([](DomainOpInterface op) {
      op.getDomainBody()->walk([](Block *block) { mergeIn(*block); });
      mergeIn(*op.getDomainBody());
    });
  }

private:
  static void mergeIn(Block &block) {
    SmallVector<SmallVector<InterpolateOp>> groups;
    for (auto op : block.getOps<InterpolateOp>()) {
      auto *group = llvm::find_if(groups, [&](ArrayRef<InterpolateOp> others) {
        return haveOnePosition(others.front(), op);
      });
      if (group == groups.end())
        groups.push_back({op});
      else
        group->push_back(op);
    }
    for (ArrayRef<InterpolateOp> group : groups)
      merge(group);
  }
};

} // namespace
