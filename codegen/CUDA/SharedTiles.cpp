//===- SharedTiles.cpp - Paints that add in shared memory first -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/SharedTiles.h"
#include "codegen/CUDA/SharedMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

SharedTiles::SharedTiles(SharedTileShape shape, Paint &paint,
                         DeviceKernel &kernel)
    : shape(std::move(shape)), paint(paint),
      meshes(int64_t(paint.getOp().getOuts().size())),
      element(paint.getElement()), domain(paint.getDomain().getDomainDims()),
      particleWindow(paint.getParticleWindow()), halo(paint.getHalo()),
      kernel(kernel), loc(paint.getLoc()) {
  kernel.useShared(meshes * this->shape.countCells() *
                   int64_t(getElementBytes(element)));
}

/// Particle blocks along dim d of the domain; the last one may stick out.
Value SharedTiles::countParticleBlocks(Emit &emit, Value extent,
                                       size_t d) const {
  return emit.div(emit.add(extent, emit.index(shape.particleBlock[d] - 1)),
                  emit.index(shape.particleBlock[d]));
}

Value SharedTiles::getItems(OpBuilder &host) const {
  Emit emit(host, loc);
  Value items = emit.index(kernel.getSizes().block);
  for (auto [d, dim] : llvm::enumerate(domain))
    items = emit.mul(
        items, countParticleBlocks(emit, paint.getExtents().extent(dim), d));
  return items;
}

/// What of `count` things of a block is this thread's.
void SharedTiles::forOwn(OpBuilder &builder, int64_t count, OwnBody body) {
  forLoop(builder, loc, kernel.getThreadOfBlock(),
          Emit(builder, loc).index(count), kernel.getSizes().block, {},
          [&](OpBuilder &inner, Value k, ValueRange) {
            body(inner, k);
            return SmallVector<Value>();
          });
}

void SharedTiles::forParticleBlocks(Body &body, Particle particle,
                                    Flush flush) {
  OpBuilder &builder = kernel.body();
  kernel.setSchedule(pmk::ParticleBlocksAttr::get(
      builder.getContext(), shape.particleBlock, shape.cells));
  Emit emit(builder, loc);
  Value memory = getSharedMemory(paint.getContext(), builder, loc, element);
  for (int64_t m = 0; m < meshes; ++m)
    tiles.push_back(emit.at(memory, emit.index(m * shape.countCells())));
  forOwn(builder, meshes * shape.countCells(), [&](OpBuilder &inner, Value k) {
    Emit at(inner, loc);
    at.store(at.constant(element, 0), memory, k);
  });
  SmallVector<Value> counts;
  Value total = emit.index(1);
  for (auto [d, dim] : llvm::enumerate(domain)) {
    counts.push_back(
        countParticleBlocks(emit, body.getExtents().extent(dim), d));
    total = emit.mul(total, counts.back());
  }
  // All threads of a block take the same particle blocks, and so meet at the
  // barriers.
  forLoop(builder, loc, kernel.getBlock(), total, kernel.getBlocks(), {},
          [&](OpBuilder &inner, Value particleBlock, ValueRange) {
            Emit at(inner, loc);
            SmallVector<Value> first(domain.size());
            for (size_t d = domain.size(); d-- > 0;) {
              first[d] = at.mul(at.rem(particleBlock, counts[d]),
                                at.index(shape.particleBlock[d]));
              particleBlock = at.div(particleBlock, counts[d]);
            }
            placeTile(inner, body, first);
            // All cells are 0: they are zeroed at the start and by each flush.
            NVVM::Barrier0Op::create(inner, loc);
            forParticles(inner, body, first, particle);
            NVVM::Barrier0Op::create(inner, loc);
            flushTile(inner, body, flush);
            return SmallVector<Value>();
          });
}

/// Every thread looks at the middle particle, which costs no barrier.
void SharedTiles::placeTile(OpBuilder &builder, Body &body,
                            ArrayRef<Value> first) {
  Emit emit(builder, loc);
  KernelExtents &extents = body.getExtents();
  SmallVector<Value> middle;
  for (auto [d, dim] : llvm::enumerate(domain))
    middle.push_back(
        emit.min(emit.add(first[d], emit.index(shape.particleBlock[d] / 2)),
                 emit.sub(extents.extent(dim), emit.index(1))));
  body.enterRow(builder, ArrayRef(middle).drop_back());
  ArrayRef<DimAttr> mesh = particleWindow.getMesh();
  SmallVector<Value> u =
      body.evaluate(builder, middle.back(), paint.getOffsets());
  origin.clear();
  Type i32 = builder.getI32Type();
  for (unsigned d = 0; d < mesh.size(); ++d) {
    Value cell = particleWindow.getFirstCell(emit, extents, halo,
                                             body.getCoordinates(), d, u[d]);
    int64_t margin = shape.getMargin(d, particleWindow.getSupport(d));
    Value low = emit.sub(cell, emit.constant(i32, double(margin)));
    Value size = emit.constant(i32, double(mesh[d].getStoredExtent()));
    origin.push_back(emit.select(emit.less(low, emit.constant(i32, 0)),
                                 emit.add(low, size), low));
  }
}

void SharedTiles::forParticles(OpBuilder &builder, Body &body,
                               ArrayRef<Value> first, Particle particle) {
  forOwn(builder, shape.countParticles(), [&](OpBuilder &inner, Value k) {
    Emit emit(inner, loc);
    SmallVector<Value> place(domain.size());
    Value exists;
    for (size_t d = domain.size(); d-- > 0;) {
      Value size = emit.index(shape.particleBlock[d]);
      place[d] = emit.add(first[d], emit.rem(k, size));
      k = emit.div(k, size);
      Value isThere = emit.less(place[d], body.getExtents().extent(domain[d]));
      exists = exists ? emit.both(exists, isThere) : isThere;
    }
    scf::IfOp::create(inner, loc, exists, [&](OpBuilder &there, Location) {
      body.enterRow(there, ArrayRef(place).drop_back());
      particle(there, place.back());
      scf::YieldOp::create(there, loc);
    });
  });
}

SharedTiles::Spot SharedTiles::find(Emit &emit, const Stencil &stencil) const {
  Type i32 = emit.getBuilder().getI32Type();
  Spot spot{{}, stencil};
  ArrayRef<DimAttr> mesh = particleWindow.getMesh();
  int64_t stride = 1;
  for (unsigned d = unsigned(mesh.size()); d-- > 0;) {
    Value first = emit.sub(stencil.cells[d], origin[d]);
    Value size = emit.constant(i32, double(mesh[d].getStoredExtent()));
    first = emit.select(emit.less(first, emit.constant(i32, 0)),
                        emit.add(first, size), first);
    int64_t last = shape.cells[d] - int64_t(particleWindow.getSupport(d));
    Value fits = emit.less(first, emit.constant(i32, double(last + 1)));
    spot.isInside = spot.isInside ? emit.both(spot.isInside, fits) : fits;
    for (auto [k, offset] : llvm::enumerate(spot.stencil.offsets[d]))
      offset = emit.mul(emit.add(first, emit.constant(i32, double(k))),
                        emit.constant(i32, double(stride)));
    stride *= shape.cells[d];
  }
  return spot;
}

SmallVector<MeshRows> SharedTiles::getRows() const {
  SmallVector<MeshRows> rows;
  for (Value tile : tiles)
    rows.emplace_back(tile);
  return rows;
}

/// How a block of threads shares the cells of a tile. A group of threads takes
/// rows along the last dim, and its threads take neighboring cells of a row.
/// The rows along mesh dim `shared` are distributed over the groups. Along the
/// other dims, every group takes all rows. Therefore the indices of a cell are
/// found without divisions.
struct SharedTiles::Rows {
  int64_t lanes = 1, groups = 1;
  size_t shared = 0; ///< the last dim if it is the only one

  Rows(ArrayRef<int64_t> cells, int64_t block) : shared(cells.size() - 1) {
    constexpr int64_t warp = 32;
    lanes = std::min(
        {warp, block, int64_t(llvm::PowerOf2Ceil(uint64_t(cells.back())))});
    if (cells.size() == 1)
      lanes = block;
    groups = block / lanes;
    // Choose the dim for which the fewest groups have no row in the last turn.
    double least = 0;
    for (size_t d = 0; d + 1 < cells.size(); ++d) {
      double idle = double(llvm::divideCeil(cells[d], groups) * groups) /
                    double(cells[d]);
      if (d == 0 || idle < least) {
        least = idle;
        shared = d;
      }
    }
  }
};

/// The index along mesh dim d, in the mesh or the view, of the cell `number` of
/// the tile.
Value SharedTiles::getMeshCell(Emit &emit, unsigned d, Value number) const {
  Type i32 = emit.getBuilder().getI32Type();
  Value size =
      emit.constant(i32, double(particleWindow.getMesh()[d].getStoredExtent()));
  Value index = emit.add(origin[d], emit.cast(number, i32));
  index = emit.select(emit.less(index, size), index, emit.sub(index, size));
  return emit.widen(index, particleWindow.getIndexType());
}

void SharedTiles::flushTile(OpBuilder &builder, Body &body, Flush flush) {
  Rows rows(shape.cells, kernel.getSizes().block);
  Emit emit(builder, loc);
  Value own = kernel.getThreadOfBlock();
  Value lane = emit.rem(own, emit.index(rows.lanes)),
        group = emit.div(own, emit.index(rows.lanes));
  unsigned last = unsigned(shape.cells.size()) - 1;
  forLoop(builder, loc, lane, emit.index(shape.cells[last]), rows.lanes, {},
          [&](OpBuilder &inner, Value k, ValueRange) {
            Emit at(inner, loc);
            TileRow row{0, {}, {}, getMeshCell(at, last, k), k};
            forTileRows(inner, body, rows, group, row, flush);
            return SmallVector<Value>();
          });
}

/// Flushes the cell `row.lane` of all rows with the indices in `row`.
void SharedTiles::forTileRows(OpBuilder &builder, Body &body, const Rows &rows,
                              Value group, const TileRow &row, Flush flush) {
  Emit emit(builder, loc);
  unsigned d = row.dims;
  if (d + 1 == shape.cells.size())
    return flushCell(emit, row, flush);
  bool isShared = d == rows.shared;
  Type indexType = particleWindow.getIndexType();
  Value stride = emit.cast(
      particleWindow.getStride(emit, body.getExtents(), halo, d), indexType);
  forLoop(builder, loc, isShared ? group : emit.index(0),
          emit.index(shape.cells[d]), isShared ? rows.groups : 1, {},
          [&](OpBuilder &inner, Value k, ValueRange) {
            Emit at(inner, loc);
            TileRow next = row;
            ++next.dims;
            Value offset = at.mul(getMeshCell(at, d, k), stride);
            next.place = row.place ? at.add(row.place, offset) : offset;
            next.number =
                row.number
                    ? at.add(at.mul(row.number, at.index(shape.cells[d])), k)
                    : k;
            forTileRows(inner, body, rows, group, next, flush);
            return SmallVector<Value>();
          });
}

void SharedTiles::flushCell(Emit &emit, const TileRow &row, Flush flush) {
  Value k = row.lane;
  if (row.number)
    k = emit.add(emit.mul(row.number, emit.index(shape.cells.back())), k);
  for (auto [m, tile] : llvm::enumerate(tiles)) {
    Value sum = emit.load(tile, k);
    // NaN is added to the mesh, too.
    Value isTouched =
        arith::CmpFOp::create(emit.getBuilder(), loc, arith::CmpFPredicate::UNE,
                              sum, emit.constant(element, 0));
    scf::IfOp::create(emit.getBuilder(), loc, isTouched,
                      [&](OpBuilder &some, Location) {
                        Emit at(some, loc);
                        at.store(at.constant(element, 0), tile, k);
                        flush(at, m, row.place, row.cell, sum);
                        scf::YieldOp::create(some, loc);
                      });
  }
}
