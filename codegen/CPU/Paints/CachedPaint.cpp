//===- CachedPaint.cpp - Paint in copies of boxes of cells ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Paints/CachedPaint.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// More meshes are painted where they are.
static constexpr size_t mostPaintedMeshes = 8;

bool CachedPaint::canPaint(Paint &paint) {
  ScatterOp op = paint.getOp();
  ArrayRef<WindowOrders> orders = paint.getDeposit().getOrders();
  auto isPlain = [](const WindowOrders &along) {
    return llvm::all_of(along, [](int64_t order) { return order == 0; });
  };
  Type cell = paint.getCell();
  return (cell.isF32() || cell.isF64()) && cell == paint.getElement() &&
         !op.getWords() && !paint.getSelection() &&
         (op.isComputed() || orders.size() == op.getOuts().size()) &&
         orders.size() <= mostPaintedMeshes && llvm::all_of(orders, isPlain) &&
         hasLatticeBlocks(paint.getParticleWindow(),
                          paint.getDomain().getDomainDims(), op.getFree(),
                          // Sums with a stencil have no other kernels.
                          op.isComputed()
                              ? 1
                              : paint.getContext().getTarget().sizes.lattice);
}

static int64_t getWidth(Paint &paint) {
  size_t fields = paint.getDeposit().getOrders().size();
  const ParticleWindow &particleWindow = paint.getParticleWindow();
  auto last = unsigned(particleWindow.getMesh().size() - 1);
  return int64_t(llvm::PowerOf2Ceil(
      fields > 1 ? fields : particleWindow.getSupport(last)));
}

CachedPaint::CachedPaint(Paint &paint, Kernel &deposit)
    : paint(paint), kernel(deposit), loc(paint.getLoc()),
      element(paint.getElement()), width(getWidth(paint)),
      isInterleaved(paint.getDeposit().getOrders().size() > 1),
      place(kernel.body(), kernel.body().getI32Type()),
      vectors(kernel.body(), element, width) {
  Emit emit(kernel.body(), loc);
  Type i32 = kernel.body().getI32Type();
  const ParticleWindow &particleWindow = paint.getParticleWindow();
  size_t rank = particleWindow.getMesh().size();
  auto number = [&](unsigned argument, size_t d) {
    return emit.cast(emit.load(kernel.extra(argument), emit.index(int64_t(d))),
                     i32);
  };
  for (size_t d = 0; d < rank; ++d) {
    first.push_back(number(1, d));
    strides.push_back(number(2, d));
  }
  if (!isInterleaved)
    copyStep = number(2, rank);
  // Cells along the last dim are rows of their own if meshes are interleaved.
  rows.push_back(emit.index(0));
  for (size_t d = 0; d < rank - (isInterleaved ? 0 : 1); ++d) {
    Value stride = emit.load(kernel.extra(2), emit.index(int64_t(d)));
    SmallVector<Value> outer = std::exchange(rows, {});
    for (Value row : outer)
      for (unsigned k = 0; k < particleWindow.getSupport(unsigned(d)); ++k)
        rows.push_back(emit.add(row, emit.mul(stride, emit.index(int64_t(k)))));
  }
  for (size_t r = 0; r < rows.size(); ++r)
    factors.emplace_back(kernel.body(), element);
}

void CachedPaint::emit() {
  std::unique_ptr<Body> body =
      paint.makeBody(kernel, paint.getPainted(), Body::Reading::InChunks);
  forSites(kernel.body(), *body, kernel.extra(0), {},
           [&](OpBuilder &inner, Value first, Value size, ValueRange) {
             body->prefetch(inner, first, size);
             body->enterChunk(inner, first, size);
             prepare(inner, size, *body);
             deposit(inner, size);
             return SmallVector<Value>();
           });
}

void CachedPaint::prepare(OpBuilder &builder, Value size, Body &body) {
  ArrayRef<WindowOrders> orders = paint.getDeposit().getOrders().take_front();
  forLoop(
      builder, loc, Emit(builder, loc).index(0), size,
      [&](OpBuilder &inner, Value i) {
        Emit emit(inner, loc);
        SmallVector<Value> values = body.evaluate(inner, i, paint.getPainted());
        Stencil stencil = paint.getParticleWindow().getBoxStencil(
            emit, body.getExtents(), first, strides, body.getCoordinates(),
            ArrayRef(values).take_front(strides.size()), element, orders);
        store(emit, stencil, ArrayRef(values).drop_front(strides.size()), i);
      });
}

/// Where the vector that starts at the cell, counted from the box's first one
/// along the last dim, is: in the copy where it is aligned.
Value CachedPaint::chooseCopy(Emit &emit, Value cell) {
  Type i32 = cell.getType();
  Value copy = arith::AndIOp::create(emit.getBuilder(), loc, cell,
                                     emit.constant(i32, double(width - 1)));
  return emit.add(cell,
                  emit.mul(copy, emit.sub(copyStep, emit.constant(i32, 1))));
}

void CachedPaint::store(Emit &emit, const Stencil &stencil,
                        ArrayRef<Value> weights, Value i) {
  size_t rank = strides.size();
  Value where;
  for (size_t d = 0; d < rank; ++d) {
    Value along = stencil.offsets[d].front();
    if (!isInterleaved && d + 1 == rank)
      along = chooseCopy(emit, along);
    where = where ? emit.add(where, along) : along;
  }
  place.store(emit, where, i);

  SmallVector<Value> products{Value()};
  for (size_t d = 0; d < rank - (isInterleaved ? 0 : 1); ++d) {
    SmallVector<Value> outer = std::exchange(products, {});
    for (Value product : outer)
      for (Value weight : stencil.weights[d].front())
        products.push_back(product ? emit.mul(product, weight) : weight);
  }
  for (auto [array, product] : llvm::zip_equal(factors, products))
    array.store(emit, product, i);

  SmallVector<Value> vector;
  if (isInterleaved)
    for (Value weight : weights)
      vector.push_back(emit.cast(weight, element));
  else
    for (Value weight : stencil.weights.back().front())
      vector.push_back(emit.mul(weight, emit.cast(weights.front(), element)));
  vector.resize(size_t(width), emit.constant(element, 0));
  Value begin = emit.mul(i, emit.index(width));
  for (auto [k, value] : llvm::enumerate(vector))
    vectors.store(emit, value, emit.add(begin, emit.index(int64_t(k))));
}

void CachedPaint::deposit(OpBuilder &builder, Value size) {
  auto type = VectorType::get({width}, element);
  Value memory = kernel.extra(3);
  forLoop(builder, loc, Emit(builder, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            Emit emit(inner, loc);
            Value where = emit.cast(place.load(emit, i), inner.getI64Type());
            auto load = [&](Value view, Value index) -> Value {
              return pmk::LoadOp::create(inner, loc, type, view, index);
            };
            Value vector =
                load(vectors.getMemory(), emit.mul(i, emit.index(width)));
            for (auto [row, array] : llvm::zip_equal(rows, factors)) {
              Value index = emit.add(where, row);
              Value factor = emit.splat(array.load(emit, i), type);
              emit.store(
                  emit.add(load(memory, index), emit.mul(vector, factor)),
                  memory, index);
            }
          });
}
