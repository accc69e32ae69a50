//===- PMCommCanonicalize.cpp - Canonical forms of messages ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// All-reduce
//===----------------------------------------------------------------------===//

namespace {

/// Unused numbers and duplicates are not sent.
struct ReduceOnce : OpRewritePattern<AllReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllReduceOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SetVector<Value> values;
    for (auto [value, result] : llvm::zip(op.getValues(), op.getResults()))
      if (!result.use_empty())
        values.insert(value);
    if (values.empty() || values.size() == op.getValues().size())
      return failure();
    auto made = AllReduceOp::create(
        rewriter, op.getLoc(),
        SmallVector<Type>(values.size(), rewriter.getF64Type()), op.getKind(),
        op.getAxes(), values.getArrayRef());
    for (auto [value, result] : llvm::zip(op.getValues(), op.getResults()))
      if (!result.use_empty())
        rewriter.replaceAllUsesWith(
            result, made.getResult(std::distance(values.begin(),
                                                 llvm::find(values, value))));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void AllReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ReduceOnce>(context);
}

//===----------------------------------------------------------------------===//
// Reshard
//===----------------------------------------------------------------------===//

LogicalResult ReshardOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  Value result = getResult();
  if (!result)
    return failure();
  if (getInput().getType() == result.getType()) {
    results.push_back(getInput());
    return success();
  }
  auto before = getInput().getDefiningOp<ReshardOp>();
  if (!before)
    return failure();
  if (before.getInput().getType() == result.getType()) {
    results.push_back(before.getInput());
    return success();
  }
  // By way of a layout that somebody else needs too, the second step may be
  // free.
  if (!getInput().hasOneUse())
    return failure();
  getInputMutable().assign(before.getInput());
  return success();
}

/// Whether `to` has the axes of `from` and more behind them: a slice.
static bool isSlice(ArrayRef<DimAttr> from, ArrayRef<DimAttr> to) {
  return llvm::all_of(llvm::zip(from, to), [](auto pair) {
    auto [before, after] = pair;
    return after.getAxes().take_front(before.getAxes().size()) ==
           before.getAxes();
  });
}

namespace {

/// A slice of a map over one dim is a map over less of it: tables along an axis
/// are made where they are needed.
struct SliceTables : OpRewritePattern<ReshardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshardOp op,
                                PatternRewriter &rewriter) const override {
    auto map = op.getInput().getDefiningOp<MapOp>();
    if (!map || !op.getResult() || map.getDomain().getDims().size() != 1)
      return failure();
    ArrayRef<DimAttr> dims = cast<GridType>(op.getResult().getType()).getDims();
    if (!isSlice(map.getDomain().getDims(), dims) ||
        llvm::any_of(map.getDomainBody()->getOperations(),
                     [](Operation &inner) { return readsFields(&inner); }))
      return failure();
    SmallVector<Value> inputs;
    for (Value input : map.getInputs()) {
      auto type = cast<FieldType>(input.getType());
      inputs.push_back(ReshardOp::create(rewriter, op.getLoc(),
                                         FieldType::get(getContext(), dims,
                                                        type.getElementType()),
                                         input, ValueRange())
                           .getResult());
    }
    SmallVector<Type> types;
    for (Type type : map.getResultTypes())
      types.push_back(FieldType::get(getContext(), dims,
                                     cast<FieldType>(type).getElementType()));
    auto made =
        MapOp::create(rewriter, map.getLoc(), types,
                      DimsAttr::get(getContext(), dims), inputs, ValueRange());
    IRMapping mapping;
    rewriter.cloneRegionBefore(map.getBody(), made.getBody(),
                               made.getBody().end(), mapping);
    rewriter.replaceOp(
        op, made.getResult(cast<OpResult>(op.getInput()).getResultNumber()));
    return success();
  }
};

} // namespace

void ReshardOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<SliceTables>(context);
}
