//===- BatchCollectives.cpp - What travels together -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/FieldSize.h"
#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_BATCHCOLLECTIVES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// What one rank has of all inputs, as whole fields: partial results are not
/// split by the axes they are summed over.
static int64_t getInputBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    if (auto grid = dyn_cast<GridType>(getUnderlying(type)))
      bytes += pmc::passes::getBytes(grid);
    else
      bytes += pmc::pm::getElementBytes(getUnderlying(type));
  return bytes;
}

static bool isSmall(AllReduceOp, int64_t) { return true; }

/// Of larger fields, the time of a message is that of its bytes.
static bool isSmall(ReduceFieldsOp op, int64_t bytes) {
  return llvm::all_of(op.getInputs(), [&](Value input) {
    return pmc::passes::getBytes(
               cast<GridType>(getUnderlying(input.getType()))) <= bytes;
  });
}

static bool haveOneElement(AllReduceOp, AllReduceOp) { return true; }

static bool haveOneElement(ReduceFieldsOp a, ReduceFieldsOp b) {
  auto get = [](ReduceFieldsOp op) {
    return cast<GridType>(getUnderlying(op.getInputs().front().getType()))
        .getElementType();
  };
  return get(a) == get(b);
}

/// Whether nothing before `later` in the block uses results of `earlier`.
static bool canMoveDownTo(Operation *earlier, Operation *later) {
  Block *block = earlier->getBlock();
  return llvm::all_of(earlier->getUsers(), [&](Operation *user) {
    Operation *top = block->findAncestorOpInBlock(*user);
    return top != later && later->isBeforeInBlock(top);
  });
}

static AllReduceOp create(OpBuilder &builder, Location loc, AllReduceOp like,
                          ValueRange values, TypeRange types) {
  return AllReduceOp::create(builder, loc, types, like.getKind(),
                             like.getAxes(), values);
}

static ReduceFieldsOp create(OpBuilder &builder, Location loc,
                             ReduceFieldsOp like, ValueRange values,
                             TypeRange types) {
  return ReduceFieldsOp::create(builder, loc, types, like.getKind(),
                                like.getAxes(), values, ValueRange());
}

/// One message in the place of `later`.
template <class Op> static Op merge(Op earlier, Op later) {
  SmallVector<Value> values(earlier->getOperands());
  llvm::append_range(values, later->getOperands());
  SmallVector<Type> types(earlier->getResultTypes());
  llvm::append_range(types, later->getResultTypes());
  OpBuilder builder(later);
  Op merged = create(
      builder,
      FusedLoc::get(later.getContext(), {later.getLoc(), earlier.getLoc()}),
      later, values, types);
  unsigned count = earlier->getNumResults();
  earlier->replaceAllUsesWith(merged->getResults().take_front(count));
  later->replaceAllUsesWith(merged->getResults().drop_front(count));
  earlier.erase();
  later.erase();
  return merged;
}

/// A bucket that is full stays where it is, and leaves while the block goes on.
template <class Op>
static void batch(Block *block, int64_t smallBytes, int64_t bucketBytes) {
  SmallVector<Op> open;
  for (Op op : llvm::make_early_inc_range(block->getOps<Op>())) {
    if (!isSmall(op, smallBytes))
      continue;
    Op current = op;
    for (Op &earlier : open)
      if (earlier && earlier.getKind() == current.getKind() &&
          earlier.getAxes() == current.getAxes() &&
          haveOneElement(earlier, current) &&
          getInputBytes(earlier) <= bucketBytes - getInputBytes(current) &&
          canMoveDownTo(earlier, current)) {
        current = merge(earlier, current);
        earlier = nullptr;
      }
    open.push_back(current);
  }
}

namespace {

class BatchCollectivesPass
    : public pmc::passes::impl::BatchCollectivesBase<BatchCollectivesPass> {
public:
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    for (auto [name, bytes] :
         {std::pair("small-bytes", smallBytes.getValue()),
          std::pair("bucket-bytes", bucketBytes.getValue())})
      if (bytes < 0)
        return emitError(UnknownLoc::get(context))
               << name << " of pm-batch-collectives is " << bytes
               << ", expected 0 bytes or more";
    return success();
  }
  void runOnOperation() override {
    getOperation()->walk([&](Block *block) {
      batch<AllReduceOp>(block, smallBytes, bucketBytes);
      batch<ReduceFieldsOp>(block, smallBytes, bucketBytes);
    });
  }
};

} // namespace
