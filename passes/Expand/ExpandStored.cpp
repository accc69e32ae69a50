//===- ExpandStored.cpp - pm.stored to a map there and one back -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Expand.h"
#include "passes/Optimize/Precision/Widening.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Between f64 and the reduced-precision formats by way of f32, for which
/// processors have instructions.
static Value cast(OpBuilder &builder, Location loc, Value value, Type to) {
  Type from = value.getType(), single = builder.getF32Type();
  if (from == to)
    return value;
  if (from.isF64() && isReducedPrecision(to))
    value = arith::TruncFOp::create(builder, loc, single, value);
  if (isReducedPrecision(from) && to.isF64())
    value = arith::ExtFOp::create(builder, loc, single, value);
  if (value.getType().getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(builder, loc, to, value);
  return arith::ExtFOp::create(builder, loc, to, value);
}

static Value convert(OpBuilder &builder, Location loc, Value field, Type to) {
  auto type = llvm::cast<FieldType>(field.getType());
  auto map = MapOp::create(
      builder, loc,
      TypeRange(FieldType::get(type.getContext(), type.getDims(), to)),
      DimsAttr::get(type.getContext(), type.getDims()), field, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&map.getBody(), {}, type.getElementType(),
                                    field.getLoc());
  YieldOp::create(builder, loc, cast(builder, loc, body->getArgument(0), to));
  return map.getResults().front();
}

namespace {

struct ExpandStored : OpRewritePattern<StoredOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StoredOp op,
                                PatternRewriter &rewriter) const override {
    Type element =
        llvm::cast<FieldType>(op.getInput().getType()).getElementType();
    Value narrow =
        convert(rewriter, op.getLoc(), op.getInput(), op.getFormat());
    rewriter.replaceOp(op, convert(rewriter, op.getLoc(), narrow, element));
    return success();
  }
};

} // namespace

void pmc::passes::populateExpandStoredPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandStored>(patterns.getContext());
}
