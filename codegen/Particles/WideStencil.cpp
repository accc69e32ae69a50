//===- WideStencil.cpp - The many cells of a wide window ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A window of 7 cells a side has 343 in three dims. Rows are loops; the cells
// of a row are written out, so that LLVM makes vectors of them, but in a loop
// where the mesh ends in between.
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/WideStencil.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

Value TapRange::cell(Emit &emit, Value k) const {
  Type i32 = emit.getBuilder().getI32Type();
  Value size = emit.constant(i32, double(cells));
  Value index = emit.add(first, emit.cast(k, i32));
  if (cells == 0)
    return index;
  // A window may go around a small mesh more than once.
  if (int64_t(support) > cells)
    index = emit.rem(index, size);
  else if (support > 1)
    index = emit.select(emit.less(index, size), index, emit.sub(index, size));
  return index;
}

WideStencil WideStencil::keep(ArrayRef<TapRange> ranges,
                              const TapWeights &values) {
  WideStencil stencil;
  stencil.ranges.assign(ranges.begin(), ranges.end());
  stencil.rowLength = stencil.last().support;
  stencil.values = values;
  return stencil;
}

WideStencil WideStencil::at(ArrayRef<TapRange> places,
                            unsigned rowLength) const {
  WideStencil stencil = *this;
  stencil.rowLength = rowLength;
  stencil.ranges.assign(places.begin(), places.end());
  return stencil;
}

/// That of the weights.
Type WideStencil::getType() const {
  if (!values.empty()) {
    for (const auto &taps : values.back())
      if (!taps.empty())
        return taps.front().getType();
  } else {
    for (Value span : weights.back())
      if (span)
        return cast<pmk::SpanType>(span.getType()).getElement();
  }
  llvm_unreachable("some order is asked for");
}

Value WideStencil::weight(Emit &emit, size_t dim, int64_t order,
                          Value k) const {
  if (values.empty())
    return emit.load(weights[dim][size_t(order)],
                     emit.add(emit.mul(k, emit.index(chunk)), start));
  Value chosen;
  for (auto [i, weight] : llvm::enumerate(values[dim][size_t(order)]))
    chosen = chosen ? emit.select(emit.equal(k, emit.index(int64_t(i))), weight,
                                  chosen)
                    : weight;
  return chosen;
}

SmallVector<Value> WideStencil::lastWeights(Emit &emit, int64_t order) const {
  SmallVector<Value> found;
  if (!values.empty())
    found = values.back()[size_t(order)];
  else
    for (unsigned k = 0; k < last().support; ++k)
      found.push_back(weight(emit, rank() - 1, order, emit.index(k)));
  while (found.size() < rowLength)
    found.push_back(emit.constant(found.front().getType(), 0));
  return found;
}

Value WideStencil::product(Emit &emit, ArrayRef<int64_t> orders,
                           ArrayRef<Value> taps) const {
  Value product;
  for (auto [d, k] : llvm::enumerate(taps)) {
    Value factor = weight(emit, d, orders[d], k);
    product = product ? emit.mul(product, factor) : factor;
  }
  return product;
}

SmallVector<Value> WideStencil::forEachRow(Emit &emit, ValueRange carried,
                                           Row row) const {
  auto visit = [&](auto &self, Emit &at, Value place, SmallVector<Value> taps,
                   ValueRange before) -> SmallVector<Value> {
    size_t d = taps.size();
    if (d + 1 == rank())
      return row(at, place, taps, before);
    return forLoop(
        at.getBuilder(), at.getLoc(), at.index(0), at.index(ranges[d].support),
        1, before, [&](OpBuilder &inner, Value k, ValueRange values) {
          Emit emit(inner, at.getLoc());
          const TapRange &range = ranges[d];
          Value offset =
              emit.mul(emit.widen(range.cell(emit, k), range.stride.getType()),
                       range.stride);
          SmallVector<Value> next(taps);
          next.push_back(k);
          return self(self, emit, place ? emit.add(place, offset) : offset,
                      next, values);
        });
  };
  return visit(visit, emit, {}, {}, carried);
}

SmallVector<Value> WideStencil::branch(Emit &emit, Part part) const {
  if (last().cells == 0)
    return part(emit, /*straight=*/true);
  if (int64_t(last().support) > last().cells)
    return part(emit, /*straight=*/false);
  OpBuilder &builder = emit.getBuilder();
  Type i32 = builder.getI32Type();
  Value isStraight = emit.less(
      last().first,
      emit.constant(i32, double(last().cells - int64_t(last().support) + 1)));
  auto make = [&](bool straight) {
    return [&, straight](OpBuilder &inner, Location loc) {
      Emit at(inner, loc);
      scf::YieldOp::create(inner, loc, part(at, straight));
    };
  };
  auto choice = scf::IfOp::create(builder, emit.getLoc(), isStraight,
                                  make(true), make(false));
  return SmallVector<Value>(choice.getResults());
}

void WideChunk::allocate(ArrayRef<TapRange> ranges, const TapWeights &all) {
  for (const TapRange &range : ranges) {
    shapes.push_back({{}, {}, range.cells, range.support});
    first.emplace_back(builder, builder.getI32Type());
    stride.emplace_back(builder, index);
  }
  for (const auto &orders : all) {
    auto &spans = weights.emplace_back();
    for (const auto &taps : orders)
      spans.push_back(
          taps.empty()
              ? Value()
              : ChunkArray(builder, weight, int64_t(taps.size())).getMemory());
  }
}

void WideChunk::store(Emit &emit, ArrayRef<TapRange> ranges,
                      const TapWeights &all, Value i) {
  if (shapes.empty())
    allocate(ranges, all);
  for (auto [d, range] : llvm::enumerate(ranges)) {
    first[d].store(emit, range.first, i);
    stride[d].store(emit, range.stride, i);
  }
  int64_t size = first.front().getSize();
  for (auto [spans, orders] : llvm::zip_equal(weights, all))
    for (auto [span, taps] : llvm::zip_equal(spans, orders))
      for (auto [k, value] : llvm::enumerate(taps))
        emit.store(emit.cast(value, weight), span,
                   emit.add(i, emit.index(int64_t(k) * size)));
}

WideStencil WideChunk::load(Emit &emit, Value i) {
  WideStencil stencil;
  for (auto [d, shape] : llvm::enumerate(shapes))
    stencil.ranges.push_back({first[d].load(emit, i), stride[d].load(emit, i),
                              shape.cells, shape.support});
  stencil.rowLength = stencil.last().support;
  stencil.weights = weights;
  stencil.start = i;
  stencil.chunk = first.front().getSize();
  return stencil;
}
