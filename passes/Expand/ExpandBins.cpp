//===- ExpandBins.cpp - Bins of many cells to paints ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few bins are summed by every thread for itself. Of many, or of those of
// several dims, which may be split over ranks, each element is a particle at
// the middle of its cell: indices below 2^31 are exact in f64.
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Expand.h"

#include "dialect/IR/Forms/PMBins.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct ExpandBins : OpRewritePattern<BinsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BinsOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<DimAttr> dims =
        cast<FieldType>(op.getResult(0).getType()).getDims();
    if (!isPainted(dims))
      return failure();
    Location loc = op.getLoc();
    auto scatter = ScatterOp::create(
        rewriter, loc, op.getResultTypes(),
        WindowAttr::getSpline(op.getContext(), 1), op.getDomainAttr(),
        /*free=*/true, DenseI64ArrayAttr(), op.getInputs(), ValueRange());
    rewriter.inlineRegionBefore(op.getBody(), scatter.getBody(),
                                scatter.getBody().end());
    Operation *yield = scatter.getBody().front().getTerminator();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(yield);
    BinCells cells(rewriter, loc, yield->getOperand(0), dims);
    SmallVector<Value> values;
    for (Value index : cells.getIndices())
      values.push_back(
          arith::SIToFPOp::create(rewriter, loc, rewriter.getF64Type(), index));
    llvm::append_range(values, yield->getOperands().drop_front());
    values.push_back(cells.isInside());
    YieldOp::create(rewriter, loc, values);
    rewriter.eraseOp(yield);
    rewriter.replaceOp(op, scatter.getResults());
    return success();
  }
};

} // namespace

void pmc::passes::populateExpandBinsPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandBins>(patterns.getContext());
}
