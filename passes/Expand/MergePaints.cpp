//===- MergePaints.cpp - Particles are painted at a position once ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_MERGEPAINTS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// Weights a mesh.
static size_t countEach(PaintOp op) {
  return std::max<size_t>(op.getWeights().size(), 1) / op.getMeshes().size();
}

static bool haveOnePosition(PaintOp a, PaintOp b) {
  return a.getWindow() == b.getWindow() && a.getFree() == b.getFree() &&
         a.getWhere() == b.getWhere() &&
         a.getMeshes().front().getType() == b.getMeshes().front().getType() &&
         countEach(a) == countEach(b) &&
         llvm::equal(a.getDisplacements(), b.getDisplacements());
}

/// Whether nothing needs what `a` paints before `b` has painted, nor `b`
/// itself. Then no mesh is kept for longer than it was.
static bool canWait(PaintOp a, PaintOp b) {
  return llvm::all_of(a->getUsers(), [&](Operation *user) {
    Operation *here = b->getBlock()->findAncestorOpInBlock(*user);
    return here && here != b && b->isBeforeInBlock(here);
  });
}

/// A weight of one.
static Value buildOnes(OpBuilder &builder, PaintOp op) {
  auto type = cast<FieldType>(op.getDisplacements().front().getType());
  auto map = MapOp::create(builder, op.getLoc(), TypeRange(type),
                           DimsAttr::get(op.getContext(), type.getDims()),
                           ValueRange(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&map.getBody());
  Value one = arith::ConstantOp::create(
      builder, op.getLoc(), builder.getFloatAttr(type.getElementType(), 1.0));
  YieldOp::create(builder, op.getLoc(), one);
  return map.getResults().front();
}

/// One op in the place of the last.
static PaintOp merge(PaintOp a, PaintOp b) {
  OpBuilder builder(b);
  SmallVector<Value> weights;
  SmallVector<int64_t> orders;
  SmallVector<Type> types;
  bool isDifferentiated = false;
  for (PaintOp op : {a, b}) {
    llvm::append_range(types, op.getMeshes().getTypes());
    size_t before = weights.size();
    llvm::append_range(weights, op.getWeights());
    if (op.getWeights().empty())
      weights.push_back(buildOnes(builder, op));
    if (op.getOrders()) {
      isDifferentiated = true;
      llvm::append_range(orders, *op.getOrders());
    } else {
      orders.append((weights.size() - before) * op.getDisplacements().size(),
                    0);
    }
  }
  auto merged =
      PaintOp::create(builder, builder.getFusedLoc({a.getLoc(), b.getLoc()}),
                      types, b.getWindow(), b.getFree(),
                      isDifferentiated ? builder.getDenseI64ArrayAttr(orders)
                                       : DenseI64ArrayAttr(),
                      b.getDisplacements(), weights, b.getWhere());
  size_t first = a.getMeshes().size();
  a->replaceAllUsesWith(merged.getMeshes().take_front(first));
  b->replaceAllUsesWith(merged.getMeshes().drop_front(first));
  a.erase();
  b.erase();
  return merged;
}

namespace {

class MergePaintsPass
    : public pmc::passes::impl::MergePaintsBase<MergePaintsPass> {
public:
  void runOnOperation() override {
    getOperation().walk([](Block *block) { mergeIn(*block); });
  }

private:
  static void mergeIn(Block &block) {
    SmallVector<PaintOp> last; // of each position
    for (auto op : llvm::make_early_inc_range(block.getOps<PaintOp>())) {
      auto *known = llvm::find_if(
          last, [&](PaintOp other) { return haveOnePosition(other, op); });
      if (known == last.end())
        last.push_back(op);
      else
        *known = canWait(*known, op) ? merge(*known, op) : op;
    }
  }
};

} // namespace
