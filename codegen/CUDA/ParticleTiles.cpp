//===- ParticleTiles.cpp - Tiles of cells around particle blocks ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/ParticleTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

ParticleTiles::ParticleTiles(SharedTileShape shape,
                             const ParticleWindow &particleWindow,
                             ArrayRef<DimAttr> domain, ArrayRef<Value> offsets,
                             Value halo, DeviceKernel &kernel, Location loc)
    : shape(std::move(shape)), particleWindow(particleWindow), domain(domain),
      offsets(offsets), halo(halo), kernel(kernel), loc(loc) {}

/// The number of particle blocks along dim d of the domain. The last one may
/// extend beyond the domain.
Value ParticleTiles::countParticleBlocks(Emit &emit, Value extent,
                                         size_t d) const {
  return emit.div(emit.add(extent, emit.index(shape.particleBlock[d] - 1)),
                  emit.index(shape.particleBlock[d]));
}

Value ParticleTiles::getItems(OpBuilder &host, Extents &extents) const {
  Emit emit(host, loc);
  Value items = emit.index(kernel.getSizes().block);
  for (auto [d, dim] : llvm::enumerate(domain))
    items = emit.mul(items, countParticleBlocks(emit, extents.extent(dim), d));
  return items;
}

void ParticleTiles::forOwn(OpBuilder &builder, int64_t count, Particle body) {
  forLoop(builder, loc, kernel.getThreadOfBlock(),
          Emit(builder, loc).index(count), kernel.getSizes().block, {},
          [&](OpBuilder &inner, Value k, ValueRange) {
            body(inner, k);
            return SmallVector<Value>();
          });
}

void ParticleTiles::forParticleBlocks(Body &body, Block block) {
  OpBuilder &builder = kernel.body();
  kernel.setSchedule(pmk::ParticleBlocksAttr::get(
      builder.getContext(), shape.particleBlock, shape.cells));
  Emit emit(builder, loc);
  SmallVector<Value> counts;
  Value total = emit.index(1);
  for (auto [d, dim] : llvm::enumerate(domain)) {
    counts.push_back(
        countParticleBlocks(emit, body.getExtents().extent(dim), d));
    total = emit.mul(total, counts.back());
  }
  // All threads of a block take the same particle blocks, so that they reach
  // the same barriers.
  forLoop(builder, loc, kernel.getBlock(), total, kernel.getBlocks(), {},
          [&](OpBuilder &inner, Value number, ValueRange) {
            Emit at(inner, loc);
            SmallVector<Value> first(domain.size());
            for (size_t d = domain.size(); d-- > 0;) {
              first[d] = at.mul(at.rem(number, counts[d]),
                                at.index(shape.particleBlock[d]));
              number = at.div(number, counts[d]);
            }
            block(inner, first);
            return SmallVector<Value>();
          });
}

void ParticleTiles::place(OpBuilder &builder, Body &body,
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
  SmallVector<Value> u = body.evaluate(builder, middle.back(), offsets);
  origin.clear();
  Type i32 = builder.getI32Type();
  for (unsigned d = 0; d < mesh.size(); ++d) {
    Value cell = particleWindow.getFirstCell(emit, extents, halo,
                                             body.getCoordinates(), d, u[d]);
    int64_t margin = shape.getMargin(particleWindow, d);
    Value low = emit.sub(cell, emit.constant(i32, double(margin)));
    Value size = emit.constant(i32, double(mesh[d].getStoredExtent()));
    origin.push_back(emit.select(emit.less(low, emit.constant(i32, 0)),
                                 emit.add(low, size), low));
  }
}

void ParticleTiles::forParticles(OpBuilder &builder, Body &body,
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

int64_t ParticleTiles::getStride(size_t d) const {
  int64_t stride = 1;
  for (int64_t cells : ArrayRef(shape.cells).drop_front(d + 1))
    stride *= cells;
  return stride;
}

ParticleTiles::Spot ParticleTiles::find(Emit &emit,
                                        const Stencil &stencil) const {
  Type i32 = emit.getBuilder().getI32Type();
  Spot spot;
  ArrayRef<DimAttr> mesh = particleWindow.getMesh();
  for (unsigned d = 0; d < mesh.size(); ++d) {
    Value first = emit.sub(stencil.cells[d], origin[d]);
    Value size = emit.constant(i32, double(mesh[d].getStoredExtent()));
    first = emit.select(emit.less(first, emit.constant(i32, 0)),
                        emit.add(first, size), first);
    spot.first.push_back(first);
    auto require = [&](Value fits) {
      spot.isInside = spot.isInside ? emit.both(spot.isInside, fits) : fits;
    };
    int64_t behind = shape.cells[d] - int64_t(particleWindow.getSupport(d)) -
                     shape.reach.above[d] + 1;
    require(emit.less(first, emit.constant(i32, double(behind))));
    if (int64_t below = shape.reach.below[d])
      require(emit.less(emit.constant(i32, double(below - 1)), first));
  }
  return spot;
}

/// How a block of threads shares the cells of a tile. A group of threads takes
/// rows along the last dim, and its threads take neighboring cells of a row.
/// The rows along mesh dim `shared` are distributed over the groups. Along the
/// other dims, every group takes all rows. Therefore the indices of a cell are
/// found without divisions.
struct ParticleTiles::Rows {
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
/// the tile, i32.
Value ParticleTiles::getMeshCell(Emit &emit, unsigned d, Value number) const {
  Type i32 = emit.getBuilder().getI32Type();
  Value size =
      emit.constant(i32, double(particleWindow.getMesh()[d].getStoredExtent()));
  Value index = emit.add(origin[d], emit.cast(number, i32));
  return emit.select(emit.less(index, size), index, emit.sub(index, size));
}

/// Requires that a view with these extents has the index along mesh dim d.
static void checkCell(Emit &emit, ArrayRef<Value> extents, unsigned d,
                      Value index, ParticleTiles::Cell &cell) {
  if (extents.empty() || !extents[d])
    return;
  Value exists = emit.less(emit.widen(index, extents[d].getType()), extents[d]);
  cell.exists = cell.exists ? emit.both(cell.exists, exists) : exists;
}

void ParticleTiles::forCells(OpBuilder &builder, Body &body,
                             ArrayRef<Value> extents, VisitCell visit) {
  Rows rows(shape.cells, kernel.getSizes().block);
  Emit emit(builder, loc);
  Value own = kernel.getThreadOfBlock();
  Value lane = emit.rem(own, emit.index(rows.lanes)),
        group = emit.div(own, emit.index(rows.lanes));
  unsigned last = unsigned(shape.cells.size()) - 1;
  forLoop(builder, loc, lane, emit.index(shape.cells[last]), rows.lanes, {},
          [&](OpBuilder &inner, Value k, ValueRange) {
            Emit at(inner, loc);
            TileRow row;
            row.lane = k;
            Value index = getMeshCell(at, last, k);
            checkCell(at, extents, last, index, row.cell);
            row.cell.index = at.widen(index, particleWindow.getIndexType());
            forTileRows(inner, body, rows, group, row, extents, visit);
            return SmallVector<Value>();
          });
}

/// Visits the cell `row.lane` of all rows with the indices in `row`.
void ParticleTiles::forTileRows(OpBuilder &builder, Body &body,
                                const Rows &rows, Value group,
                                const TileRow &row, ArrayRef<Value> extents,
                                VisitCell visit) {
  Emit emit(builder, loc);
  unsigned d = row.dims;
  if (d + 1 == shape.cells.size()) {
    Cell cell = row.cell;
    cell.number =
        row.number
            ? emit.add(emit.mul(row.number, emit.index(shape.cells.back())),
                       row.lane)
            : row.lane;
    return visit(emit, cell);
  }
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
            Value index = getMeshCell(at, d, k);
            checkCell(at, extents, d, index, next.cell);
            Value offset = at.mul(at.widen(index, indexType), stride);
            next.cell.place =
                row.cell.place ? at.add(row.cell.place, offset) : offset;
            next.number =
                row.number
                    ? at.add(at.mul(row.number, at.index(shape.cells[d])), k)
                    : k;
            forTileRows(inner, body, rows, group, next, extents, visit);
            return SmallVector<Value>();
          });
}
