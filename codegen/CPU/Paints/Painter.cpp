//===- Painter.cpp - A chunk of particles is painted ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Paints/Painter.h"

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
      stencils(kernel.body(), paint.getParticleWindow(), paint.getElement(),
               paint.getDeposit().getOrders()) {
  OpBuilder &builder = kernel.body();
  if (!paint.getDeposit().hasOneWeight())
    for (size_t i = 0; i < paint.getDeposit().getOrders().size(); ++i)
      weights.emplace_back(builder, paint.getElement());
  if (selection) {
    chosen.emplace_back(builder, builder.getI64Type());
    // As wide as an f32, so that vectors of these hold as many.
    flags.emplace_back(builder, builder.getI32Type());
  }
}

void Painter::testPositions() {
  tests.emplace_back(kernel.body(), kernel.body().getF64Type());
}

void Painter::useCopy() { copy.emplace(paint, kernel); }

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
    if (copy)
      copy->setCellBlock(emit,
                         paint.getParticleWindow().getCellBlock(
                             emit, body.getExtents(), paint.getHalo(),
                             body.getCoordinates(), 0,
                             ArrayRef(values).take_front(rank)),
                         i);
    for (ChunkArray &array : tests)
      array.store(emit, nanUnlessValid(emit, ArrayRef(values).take_front(rank)),
                  i);
  });
  if (copy)
    copy->findRuns(builder, count);
  return count;
}

/// Finds the particles of a chunk that are painted: in a loop that vectorizes,
/// and one that packs them. Returns how many there are.
Value Painter::choose(OpBuilder &builder, Value size) {
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, size, [&](OpBuilder &inner, Value i) {
    Value holds = body.evaluate(inner, i, selection).front();
    Emit emit(inner, loc);
    Value flag =
        emit.select(holds, emit.constant(i32, 1), emit.constant(i32, 0));
    flags.front().store(emit, flag, i);
  });
  auto pack = [&](OpBuilder &inner, Value i, ValueRange count) {
    Emit emit(inner, loc);
    chosen.front().store(emit, i, count.front());
    Value flag = emit.cast(flags.front().load(emit, i), i64);
    return SmallVector<Value>{emit.add(count.front(), flag)};
  };
  return forLoop(builder, loc, begin, size, 1, begin, pack).front();
}

void Painter::toMeshes(OpBuilder &builder, Value count) {
  Value direct;
  if (Value halo = paint.getHalo())
    direct = stencils.moveToMesh(builder, loc, body.getExtents().haloView(halo),
                                 count);
  Emit emit(builder, loc);
  paint.inMeshes(emit, kernel, body, direct,
                 [&](Emit &at, ArrayRef<MeshRows> meshes, bool isWhole) {
                   deposit(at.getBuilder(), meshes, count, isWhole);
                 });
}

Paint::Particle Painter::load(Emit &emit, Value i) {
  Paint::Particle particle{stencils.load(emit, i), {}};
  for (ChunkArray &array : weights)
    particle.weights.push_back(array.load(emit, i));
  return particle;
}

void Painter::addParticle(Emit &emit, const Paint::Particle &particle,
                          ArrayRef<MeshRows> meshes) {
  paint.forEachCell(
      emit, kernel, particle, meshes,
      [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
        Value index = row.getIndex(at, cell);
        Value before = at.load(row.base, index);
        // Copies of small meshes are in f64.
        at.store(at.add(before, at.cast(weight, before.getType())), row.base,
                 index);
      });
}

void Painter::deposit(OpBuilder &builder, ArrayRef<MeshRows> meshes,
                      Value count, bool isWhole) {
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, count, [&](OpBuilder &inner, Value i) {
    Emit emit(inner, loc);
    Paint::Particle particle = load(emit, i);
    // Rows of a view that is not whole are not all there.
    if (!copy || !isWhole)
      return addParticle(emit, particle, meshes);
    const WideStencil &stencil = *particle.stencil.wide;
    Value here = copy->isHere(emit, stencil, i, [&](Emit &at) {
      addCopy(at, meshes, stencil.getRanges());
    });
    auto add = [&](bool toCopy) {
      return [&, toCopy](OpBuilder &innermost, Location) {
        Emit at(innermost, loc);
        Paint::Particle moved = particle;
        if (toCopy)
          moved.stencil.wide = copy->getPlaces(at, stencil);
        addParticle(at, moved, toCopy ? copy->getRows() : meshes);
        scf::YieldOp::create(innermost, loc);
      };
    };
    scf::IfOp::create(inner, loc, here, add(true), add(false));
  });
}

void Painter::addCopy(Emit &emit, ArrayRef<MeshRows> meshes,
                      ArrayRef<TapRange> ranges) {
  auto used = scf::IfOp::create(emit.getBuilder(), loc, copy->isInUse(emit),
                                /*withElseRegion=*/false);
  OpBuilder inner = OpBuilder::atBlockBegin(used.thenBlock());
  Emit at(inner, loc);
  copy->addTo(at, meshes, ranges);
}

void Painter::emptyCopy(OpBuilder &builder) {
  Emit emit(builder, loc);
  Value halo = paint.getHalo();
  Value direct;
  if (halo)
    direct = body.getExtents().haloView(halo).whole;
  paint.inMeshes(
      emit, kernel, body, direct,
      [&](Emit &at, ArrayRef<MeshRows> meshes, bool isWhole) {
        if (!isWhole)
          return;
        const ParticleWindow &particleWindow = paint.getParticleWindow();
        SmallVector<TapRange> ranges;
        for (auto [d, dim] : llvm::enumerate(particleWindow.getMesh()))
          ranges.push_back(
              {{},
               at.cast(particleWindow.getStride(at, body.getExtents(), halo,
                                                unsigned(d)),
                       particleWindow.getIndexType()),
               dim.getStoredExtent(),
               particleWindow.getSupport(unsigned(d))});
        addCopy(at, meshes, ranges);
      });
}
