//===- BatchCollectives.cpp - Numbers that travel together ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_BATCHCOLLECTIVES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// Whether nothing before `later` in the block uses results of `earlier`.
static bool canMoveDownTo(AllReduceOp earlier, AllReduceOp later) {
  Block *block = earlier->getBlock();
  return llvm::all_of(earlier->getUsers(), [&](Operation *user) {
    Operation *top = block->findAncestorOpInBlock(*user);
    return top != later && later->isBeforeInBlock(top);
  });
}

/// One message in the place of `later`.
static AllReduceOp merge(AllReduceOp earlier, AllReduceOp later) {
  SmallVector<Value> values(earlier.getValues());
  llvm::append_range(values, later.getValues());
  OpBuilder builder(later);
  auto merged = AllReduceOp::create(
      builder,
      FusedLoc::get(later.getContext(), {later.getLoc(), earlier.getLoc()}),
      ValueRange(values).getTypes(), later.getKind(), later.getAxes(), values);
  unsigned count = earlier.getResults().size();
  earlier.replaceAllUsesWith(merged.getResults().take_front(count));
  later.replaceAllUsesWith(merged.getResults().drop_front(count));
  earlier.erase();
  later.erase();
  return merged;
}

namespace {

class BatchCollectivesPass
    : public pmc::passes::impl::BatchCollectivesBase<BatchCollectivesPass> {
public:
  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      SmallVector<AllReduceOp> open;
      for (auto op : llvm::make_early_inc_range(block->getOps<AllReduceOp>())) {
        AllReduceOp current = op;
        for (AllReduceOp &earlier : open)
          if (earlier && earlier.getKind() == current.getKind() &&
              earlier.getAxes() == current.getAxes() &&
              canMoveDownTo(earlier, current)) {
            current = merge(earlier, current);
            earlier = nullptr;
          }
        open.push_back(current);
      }
    });
  }
};

} // namespace
