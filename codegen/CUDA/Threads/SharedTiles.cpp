//===- SharedTiles.cpp - Paints that add in shared memory first -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/SharedTiles.h"
#include "codegen/CUDA/Threads/SharedMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

SharedTiles::SharedTiles(SharedTileShape shape, Paint &paint,
                         DeviceKernel &kernel)
    : paint(paint), meshes(int64_t(paint.getOp().getOuts().size())),
      element(paint.getElement()), kernel(kernel), loc(paint.getLoc()),
      loops(std::move(shape), paint.getParticleWindow(),
            paint.getDomain().getDomainDims(), paint.getOffsets(),
            paint.getHalo(), kernel, loc) {
  kernel.useShared(meshes * loops.getShape().countCells() *
                   int64_t(getElementBytes(element)));
}

void SharedTiles::forParticleBlocks(Body &body,
                                    ParticleTiles::Particle particle,
                                    Flush flush) {
  OpBuilder &builder = kernel.body();
  Emit emit(builder, loc);
  int64_t cells = loops.getShape().countCells();
  Value memory = getSharedMemory(paint.getContext(), builder, loc, element);
  for (int64_t m = 0; m < meshes; ++m)
    tiles.push_back(emit.at(memory, emit.index(m * cells)));
  loops.forOwn(builder, meshes * cells, [&](OpBuilder &inner, Value k) {
    Emit at(inner, loc);
    at.store(at.constant(element, 0), memory, k);
  });
  loops.forParticleBlocks(body, [&](OpBuilder &inner, ArrayRef<Value> first) {
    loops.place(inner, body, first);
    // All cells are 0: they are zeroed at the start and by each flush.
    NVVM::Barrier0Op::create(inner, loc);
    loops.forParticles(inner, body, first, particle);
    NVVM::Barrier0Op::create(inner, loc);
    flushTile(inner, body, flush);
  });
}

SharedTiles::Spot SharedTiles::find(Emit &emit, const Stencil &stencil) const {
  Type i32 = emit.getBuilder().getI32Type();
  ParticleTiles::Spot place = loops.find(emit, stencil);
  Spot spot{place.isInside, stencil};
  for (size_t d = 0; d < place.first.size(); ++d)
    for (auto [k, offset] : llvm::enumerate(spot.stencil.offsets[d]))
      offset = emit.mul(emit.add(place.first[d], emit.constant(i32, double(k))),
                        emit.constant(i32, double(loops.getStride(d))));
  return spot;
}

SmallVector<MeshRows> SharedTiles::getRows() const {
  SmallVector<MeshRows> rows;
  for (Value tile : tiles)
    rows.emplace_back(tile);
  return rows;
}

void SharedTiles::flushTile(OpBuilder &builder, Body &body, Flush flush) {
  // Cells that a view lacks are 0.
  loops.forCells(builder, body, /*extents=*/{},
                 [&](Emit &emit, const ParticleTiles::Cell &cell) {
                   for (auto [m, tile] : llvm::enumerate(tiles)) {
                     Value sum = emit.load(tile, cell.number);
                     // NaN is added to the mesh, too.
                     Value isTouched = arith::CmpFOp::create(
                         emit.getBuilder(), loc, arith::CmpFPredicate::UNE, sum,
                         emit.constant(element, 0));
                     scf::IfOp::create(
                         emit.getBuilder(), loc, isTouched,
                         [&](OpBuilder &some, Location) {
                           Emit at(some, loc);
                           at.store(at.constant(element, 0), tile, cell.number);
                           flush(at, m, cell.place, cell.index, sum);
                           scf::YieldOp::create(some, loc);
                         });
                   }
                 });
}
