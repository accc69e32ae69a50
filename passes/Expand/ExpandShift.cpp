//===- ExpandShift.cpp - Shifts to maps -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transposed of a shift is a gather as well. Along a dim of n cells with
// offset o, cell j is read by cell j − o, if that is a cell. Beyond the edge
// that o points at, it is read by others, one for each t = 1 … |o|:
//   clamp    cell n − 1, by n − 1 − o + t
//   reflect  cell n − 1 − t, by n − 1 − o + t
// and likewise at the lower edge. So each is read at a constant offset where
// the coordinate is a certain one. Along several dims it is the product of
// these.
//
// Along a dim of which every s-th cell was taken, the transposed has them at
// the multiples of s, and 0 between; where each was taken s times, it is their
// sum.
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Expand.h"

#include "dialect/IR/Forms/PMViews.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// One reading of the gather: at an offset a dim, where coordinates are certain
/// ones (or none in particular).
namespace {
struct ShiftTap {
  SmallVector<int64_t> offsets;
  SmallVector<std::optional<int64_t>> where;
};
} // namespace

/// More taps would take longer to compile than anybody waits.
static constexpr size_t mostTaps = 1024;

/// The least offset that reads the same cells.
static int64_t normalize(int64_t offset, int64_t cells, Edge edge) {
  switch (edge) {
  case Edge::Periodic:
    offset %= cells;
    if (offset > cells / 2)
      return offset - cells;
    return offset < -(cells / 2) ? offset + cells : offset;
  case Edge::Zero:
    return std::clamp(offset, -cells, cells);
  case Edge::Clamp:
    return std::clamp(offset, 1 - cells, cells - 1);
  case Edge::Reflect:
    return offset;
  }
  llvm_unreachable("an edge");
}

/// The readings along one dim that make the transposed of a shift by `offset`.
static SmallVector<ShiftTap> transposeAlong(int64_t offset, int64_t cells,
                                            Edge edge) {
  SmallVector<ShiftTap> taps{{{-offset}, {std::nullopt}}};
  if (offset == 0 || edge == Edge::Periodic || edge == Edge::Zero)
    return taps;
  int64_t sign = offset > 0 ? 1 : -1;
  for (int64_t t = 1; t <= std::abs(offset); ++t) {
    // Counted from the edge inwards: the cell, and the one that reads it.
    int64_t cell = edge == Edge::Clamp ? 0 : t;
    int64_t reader = std::abs(offset) - t;
    int64_t place = sign > 0 ? cells - 1 - cell : cell;
    taps.push_back({{sign * (cell - reader)}, {place}});
  }
  return taps;
}

/// Those of all dims: each of one with each of the others.
static FailureOr<SmallVector<ShiftTap>> transpose(ShiftOp op,
                                                  ArrayRef<int64_t> offsets) {
  ArrayRef<DimAttr> dims = cast<FieldType>(op.getInput().getType()).getDims();
  SmallVector<ShiftTap> taps(1);
  ArrayRef<DimAttr> to = cast<FieldType>(op.getResult().getType()).getDims();
  for (auto [dim, target, offset, edge] :
       llvm::zip(dims, to, offsets, op.getEdges())) {
    SmallVector<ShiftTap> along = transposeAlong(
        offset, dim.getExtent(), cast<EdgeAttr>(edge).getValue());
    for (int64_t t = 1; t < View(dim, target).getStep(); ++t)
      along.push_back({{t}, {std::nullopt}});
    if (along.size() * taps.size() > mostTaps)
      return op.emitError("the adjoint of a shift by ")
             << offset << " along '" << dim.getLabel() << "' with '"
             << stringifyEdge(cast<EdgeAttr>(edge).getValue())
             << "' adds up more than " << mostTaps
             << " readings at the edge; expected a smaller offset";
    SmallVector<ShiftTap> product;
    for (const ShiftTap &tap : taps)
      for (const ShiftTap &more : along) {
        product.push_back(tap);
        product.back().offsets.append(more.offsets);
        product.back().where.append(more.where);
      }
    taps = std::move(product);
  }
  return taps;
}

static Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  auto complex = dyn_cast<ComplexType>(a.getType());
  if (!complex)
    return arith::AddFOp::create(builder, loc, a, b);
  Type real = complex.getElementType();
  Value re = arith::AddFOp::create(
      builder, loc, complex::ReOp::create(builder, loc, real, a),
      complex::ReOp::create(builder, loc, real, b));
  Value im = arith::AddFOp::create(
      builder, loc, complex::ImOp::create(builder, loc, real, a),
      complex::ImOp::create(builder, loc, real, b));
  return complex::CreateOp::create(builder, loc, complex, re, im);
}

static Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  Value zero = arith::ConstantOp::create(
      builder, loc,
      builder.getZeroAttr(complex ? complex.getElementType() : type));
  return complex ? complex::CreateOp::create(builder, loc, type, zero, zero)
                 : zero;
}

/// The tap's value, 0 at other coordinates than its own.
static Value buildTap(OpBuilder &builder, ShiftOp op, const ShiftTap &tap,
                      ArrayRef<Edge> edges) {
  Location loc = op.getLoc();
  SmallVector<Edge> own(edges);
  for (auto [offset, edge] : llvm::zip(tap.offsets, own))
    if (offset == 0)
      edge = Edge::Periodic;
  auto type = cast<FieldType>(op.getInput().getType());
  Value read = NeighborOp::create(builder, loc, op.getInput(), tap.offsets,
                                  getEdges(op.getContext(), own));
  Value isHere;
  for (auto [dim, where] : llvm::zip(type.getDims(), tap.where)) {
    if (!where)
      continue;
    Value coordinate = CoordinateOp::create(builder, loc, dim.getLabel());
    Value place = arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(coordinate.getType(), double(*where)));
    Value equal = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        coordinate, place);
    isHere =
        isHere ? arith::AndIOp::create(builder, loc, isHere, equal).getResult()
               : equal;
  }
  if (!isHere)
    return read;
  return arith::SelectOp::create(builder, loc, isHere, read,
                                 zeroOf(builder, loc, read.getType()));
}

/// The value where the index along every dim of which the result has s cells
/// for one of the input is a multiple of s, 0 elsewhere.
static Value keepMultiples(OpBuilder &builder, ShiftOp op, Value value) {
  Location loc = op.getLoc();
  Value isKept;
  for (auto [from, to] :
       llvm::zip(cast<FieldType>(op.getInput().getType()).getDims(),
                 cast<FieldType>(op.getResult().getType()).getDims())) {
    int64_t share = View(from, to).getShare();
    if (share == 1)
      continue;
    auto constant = [&](int64_t number) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI64IntegerAttr(number));
    };
    Value index = arith::FPToSIOp::create(
        builder, loc, builder.getI64Type(),
        CoordinateOp::create(builder, loc, to.getLabel()));
    Value rest = arith::RemSIOp::create(builder, loc, index, constant(share));
    Value isMultiple = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, rest, constant(0));
    isKept = isKept ? arith::AndIOp::create(builder, loc, isKept, isMultiple)
                          .getResult()
                    : isMultiple;
  }
  if (!isKept)
    return value;
  return arith::SelectOp::create(builder, loc, isKept, value,
                                 zeroOf(builder, loc, value.getType()));
}

namespace {

struct ExpandShift : OpRewritePattern<ShiftOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ShiftOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<FieldType>(op.getInput().getType());
    SmallVector<int64_t> offsets;
    SmallVector<Edge> edges, within;
    for (auto [dim, offset, attribute] :
         llvm::zip(type.getDims(), op.getOffsets(), op.getEdges())) {
      Edge edge = cast<EdgeAttr>(attribute).getValue();
      offsets.push_back(normalize(offset, dim.getExtent(), edge));
      edges.push_back(offsets.back() == 0 ? Edge::Periodic : edge);
      within.push_back(edges.back() == Edge::Periodic ? Edge::Periodic
                                                      : Edge::Zero);
    }
    SmallVector<ShiftTap> taps{
        {offsets, SmallVector<std::optional<int64_t>>(offsets.size())}};
    if (op.getTransposed()) {
      FailureOr<SmallVector<ShiftTap>> made = transpose(op, offsets);
      if (failed(made))
        return failure();
      taps = std::move(*made);
      edges = within;
    }
    auto result = cast<FieldType>(op.getResult().getType());
    auto map = MapOp::create(rewriter, loc, TypeRange(result),
                             DimsAttr::get(op.getContext(), result.getDims()),
                             ValueRange(), ValueRange());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.createBlock(&map.getBody());
      Value sum;
      for (const ShiftTap &tap : taps) {
        Value value = buildTap(rewriter, op, tap, edges);
        sum = sum ? add(rewriter, loc, sum, value) : value;
      }
      if (op.getTransposed())
        sum = keepMultiples(rewriter, op, sum);
      YieldOp::create(rewriter, loc, sum);
    }
    rewriter.replaceOp(op, map.getResults());
    return success();
  }
};

} // namespace

void pmc::passes::populateExpandShiftPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandShift>(patterns.getContext());
}
