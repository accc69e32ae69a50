//===- Painter.cpp - A chunk of particles is painted ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Painter.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Value pmc::codegen::nanUnlessValid(Emit &emit, ArrayRef<Value> offsets) {
  Type f64 = emit.getBuilder().getF64Type();
  return emit.select(
      isValid(emit, offsets), emit.constant(f64, 0),
      emit.constant(f64, std::numeric_limits<double>::quiet_NaN()));
}

Painter::Painter(Paint &paint, Kernel &kernel, Body &body, Value selection)
    : paint(paint), kernel(kernel), body(body), selection(selection),
      loc(paint.getLoc()),
      stencils(kernel.body(), paint.getPlacement(), paint.getElement(),
               paint.getDeposit().getOrders()) {
  OpBuilder &builder = kernel.body();
  if (!paint.getDeposit().hasOneWeight())
    for (size_t i = 0; i < paint.getDeposit().getOrders().size(); ++i)
      weights.emplace_back(builder, paint.getElement());
  if (selection) {
    chosen.emplace_back(builder, builder.getI64Type());
    flags.emplace_back(builder, builder.getI64Type());
  }
}

void Painter::testPositions() {
  tests.emplace_back(kernel.body(), kernel.body().getF64Type());
}

Value Painter::prepare(OpBuilder &builder, Value size) {
  Value begin = Emit(builder, loc).index(0);
  Value count = selection ? choose(builder, size) : size;
  size_t rank = paint.getOffsets().size();
  forLoop(builder, loc, begin, count, [&](OpBuilder &inner, Value i) {
    Emit emit(inner, loc);
    Value element = selection ? chosen.front().load(emit, i) : i;
    SmallVector<Value> values =
        body.evaluate(inner, element, paint.getPainted());
    Paint::Particle particle = paint.getParticle(emit, body, values);
    stencils.store(emit, particle.stencil, i);
    for (auto [array, value] : llvm::zip_equal(weights, particle.weights))
      array.store(emit, value, i);
    for (ChunkArray &array : tests)
      array.store(emit, nanUnlessValid(emit, ArrayRef(values).take_front(rank)),
                  i);
  });
  return count;
}

/// Finds the particles of a chunk that are painted: in a loop that vectorises,
/// and one that packs them. Returns how many there are.
Value Painter::choose(OpBuilder &builder, Value size) {
  Type i64 = builder.getI64Type();
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, size, [&](OpBuilder &inner, Value i) {
    Value holds = body.evaluate(inner, i, selection).front();
    Emit emit(inner, loc);
    Value flag =
        emit.select(holds, emit.constant(i64, 1), emit.constant(i64, 0));
    flags.front().store(emit, flag, i);
  });
  auto pack = [&](OpBuilder &inner, Value i, ValueRange count) {
    Emit emit(inner, loc);
    chosen.front().store(emit, i, count.front());
    Value flag = flags.front().load(emit, i);
    return SmallVector<Value>{emit.add(count.front(), flag)};
  };
  return forLoop(builder, loc, begin, size, 1, begin, pack).front();
}

void Painter::toMeshes(OpBuilder &builder, Value count) {
  Value direct;
  if (Value halo = paint.getHalo())
    direct =
        stencils.moveToMesh(builder, loc, body.getExtents().view(halo), count);
  Emit emit(builder, loc);
  paint.inMeshes(emit, kernel, body, direct,
                 [&](Emit &at, ArrayRef<MeshRows> meshes) {
                   deposit(at.getBuilder(), meshes, count);
                 });
}

void Painter::deposit(OpBuilder &builder, ArrayRef<MeshRows> meshes,
                      Value count) {
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, count, [&](OpBuilder &inner, Value i) {
    Emit emit(inner, loc);
    Paint::Particle particle{stencils.load(emit, i), {}};
    for (ChunkArray &array : weights)
      particle.weights.push_back(array.load(emit, i));
    paint.forEachCell(
        emit, kernel, particle, meshes,
        [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
          Value index = row.getIndex(at, cell);
          Value before = at.load(row.base, index);
          at.store(at.add(before, weight), row.base, index);
        });
  });
}
