//===- FirstCells.cpp - Where the cells of a window begin -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A position is the particle's site, an integer, plus its offset u. Only u is
// split into a whole and a fractional part, so that f32 offsets keep their
// precision in a large mesh. Whole parts are added in f64 or as integers. Both
// are exact.
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/Window.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

ParticleWindow::Cell ParticleWindow::locate(Emit &emit, unsigned d,
                                            Value u) const {
  Type type = u.getType();
  Value whole = emit.floor(u);
  Value distance = emit.sub(u, whole);
  // Windows of odd support are around the nearest cell. floor(u + 1/2) would
  // round u + 1/2 if u is large.
  if (getSupport(d) % 2 == 1) {
    Value one = emit.constant(type, 1), zero = emit.constant(type, 0);
    Value isLower = emit.less(distance, emit.constant(type, 0.5));
    Value up = emit.select(isLower, zero, one);
    whole = emit.add(whole, up);
    distance = emit.sub(distance, up);
  }
  return {whole, distance};
}

Value ParticleWindow::getFirstOffset(Emit &emit, unsigned d, Value u) const {
  Type f64 = emit.getBuilder().getF64Type();
  Value middle = emit.cast(locate(emit, d, u).middle, f64);
  return getBefore(d) > 0
             ? emit.sub(middle, emit.constant(f64, double(getBefore(d))))
             : middle;
}

/// Converts the index `first` of a cell, relative to the particle's lattice
/// site, to an index relative to the first cell of the view.
Value ParticleWindow::addSite(Emit &emit, KernelExtents &extents, Value halo,
                              ArrayRef<Value> coordinates, unsigned d,
                              Value first) const {
  Type f64 = emit.getBuilder().getF64Type();
  // Convert through i32, because all processors convert i32 in vectors.
  Type i32 = emit.getBuilder().getI32Type();
  Value node;
  if (!isFree) {
    unsigned i = latticeDim(d);
    Value site =
        emit.cast(emit.add(coordinates[i], extents.offset(domain[i])), i32);
    node =
        emit.mul(emit.cast(site, f64), emit.constant(f64, double(getRatio(d))));
  }
  // Along dims that are not split, a view begins at the first cell of the mesh.
  if (halo && !mesh[d].getAxes().empty()) {
    Value origin =
        emit.cast(emit.cast(extents.haloView(halo).origins[d], i32), f64);
    node = node ? emit.sub(node, origin) : emit.negate(origin);
  }
  return node ? emit.add(first, node) : first;
}

/// The particle's own cell along mesh dim d, i32.
Value ParticleWindow::getNode(Emit &emit, KernelExtents &extents,
                              ArrayRef<Value> coordinates, unsigned d) const {
  Type i32 = emit.getBuilder().getI32Type();
  unsigned i = latticeDim(d);
  Value site =
      emit.cast(emit.add(coordinates[i], extents.offset(domain[i])), i32);
  return emit.mul(site, emit.constant(i32, double(getRatio(d))));
}

Value ParticleWindow::getMiddleCell(Emit &emit, KernelExtents &extents,
                                    ArrayRef<Value> coordinates, unsigned d,
                                    Value u) const {
  return emit.add(
      locate(emit, d, u).middle,
      emit.cast(getNode(emit, extents, coordinates, d), u.getType()));
}

Value ParticleWindow::getUnwrappedCell(Emit &emit, KernelExtents &extents,
                                       ArrayRef<Value> coordinates, unsigned d,
                                       Value u) const {
  return addSite(emit, extents, /*halo=*/{}, coordinates, d,
                 getFirstOffset(emit, d, u));
}

Value ParticleWindow::wrap(Emit &emit, unsigned d, Value cell) const {
  Type f64 = emit.getBuilder().getF64Type();
  Value size = emit.constant(f64, double(mesh[d].getStoredExtent()));
  Value zero = emit.constant(f64, 0);
  Value turns =
      emit.floor(emit.mul(cell, emit.div(emit.constant(f64, 1), size)));
  Value inside = emit.sub(cell, emit.mul(turns, size));
  // For cells below 2^51, the number of turns is correct, with one exception.
  // For whole turns it may be one too low, because the quotient is rounded.
  // Then `inside` is `size`, which means cell 0. NaN, infinity and cells
  // farther away become cell 0, too, so that the index is in the mesh.
  Value valid = emit.both(emit.less(emit.constant(f64, -1), inside),
                          emit.less(inside, size));
  return emit.cast(emit.select(valid, inside, zero),
                   emit.getBuilder().getI32Type());
}

/// For numbers up to this one, the sum of a position, a cell and an origin fits
/// into i32.
static constexpr int64_t nearCells = int64_t(1) << 29;

/// `wrap` for an integer.
Value ParticleWindow::wrapInteger(Emit &emit, unsigned d, Value cell) const {
  OpBuilder &builder = emit.getBuilder();
  Type i32 = builder.getI32Type();
  int64_t extent = mesh[d].getStoredExtent();
  if (llvm::isPowerOf2_64(uint64_t(extent)))
    return arith::AndIOp::create(builder, emit.getLoc(), cell,
                                 emit.constant(i32, double(extent - 1)));
  Value size = emit.constant(i32, double(extent));
  Value inside = arith::RemSIOp::create(builder, emit.getLoc(), cell, size);
  return emit.select(emit.less(inside, emit.constant(i32, 0)),
                     emit.add(inside, size), inside);
}

/// The window's middle cells along mesh dims from d on, as integers, relative
/// to the particle's lattice site. If one of them is not near, all are wrapped
/// into the mesh.
SmallVector<Value>
ParticleWindow::getIntegerMiddles(Emit &emit, unsigned d,
                                  ArrayRef<Value> middles) const {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  Type i32 = builder.getI32Type(), f64 = builder.getF64Type();
  Value isNear;
  for (Value middle : middles) {
    // NaN counts as not near.
    Value one = emit.less(math::AbsFOp::create(builder, loc, middle),
                          emit.constant(middle.getType(), double(nearCells)));
    isNear = isNear ? emit.both(isNear, one) : one;
  }
  auto near = [&](OpBuilder &inner, Location) {
    SmallVector<Value> cells;
    for (Value middle : middles)
      cells.push_back(Emit(inner, loc).cast(middle, i32));
    scf::YieldOp::create(inner, loc, cells);
  };
  // No value in this branch is the same for all particles. Therefore it keeps
  // no values in registers for other particles.
  auto far = [&](OpBuilder &inner, Location) {
    Emit at(inner, loc);
    SmallVector<Value> cells;
    for (auto [i, middle] : llvm::enumerate(middles))
      cells.push_back(wrap(at, d + unsigned(i), at.cast(middle, f64)));
    scf::YieldOp::create(inner, loc, cells);
  };
  auto choice = scf::IfOp::create(builder, loc, isNear, near, far);
  return SmallVector<Value>(choice.getResults());
}

SmallVector<Value>
ParticleWindow::getFirstCells(Emit &emit, KernelExtents &extents, Value halo,
                              ArrayRef<Value> coordinates, unsigned d,
                              ArrayRef<Value> offsets) const {
  SmallVector<Value> cells;
  bool fits = llvm::all_of(
      mesh, [](DimAttr dim) { return dim.getStoredExtent() <= nearCells; });
  if (!hasIntegerCells || !fits) {
    for (auto [i, u] : llvm::enumerate(offsets))
      cells.push_back(
          wrap(emit, d + unsigned(i),
               addSite(emit, extents, halo, coordinates, d + unsigned(i),
                       getFirstOffset(emit, d + unsigned(i), u))));
    return cells;
  }
  for (auto [i, u] : llvm::enumerate(offsets))
    cells.push_back(locate(emit, d + unsigned(i), u).middle);
  cells = getIntegerMiddles(emit, d, cells);
  Type i32 = emit.getBuilder().getI32Type();
  for (Value &cell : cells) {
    // Except along the last dim, `site` is the same for all particles of a row.
    Value site = emit.constant(i32, double(-getBefore(d)));
    if (!isFree)
      site = emit.add(getNode(emit, extents, coordinates, d), site);
    if (halo && !mesh[d].getAxes().empty())
      site = emit.sub(site, emit.cast(extents.haloView(halo).origins[d], i32));
    cell = wrapInteger(emit, d, emit.add(cell, site));
    ++d;
  }
  return cells;
}

Value ParticleWindow::getFirstCell(Emit &emit, KernelExtents &extents,
                                   Value halo, ArrayRef<Value> coordinates,
                                   unsigned d, Value u) const {
  return getFirstCells(emit, extents, halo, coordinates, d, u).front();
}
