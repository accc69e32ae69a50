//===- FirstCells.cpp - Where the cells of a window begin -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A position is the particle's site, an integer, plus its offset u. Only u is
// split into a whole and a fractional part, so that f32 offsets keep their
// precision in a large mesh; whole parts are added in f64, or as integers,
// exactly.
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
  // Windows of odd support are around the nearest cell. (Not floor(u + 1/2),
  // which rounds where u is large.)
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

/// The cell's index, counted from the view's first cell, from that relative to
/// the own lattice site.
Value ParticleWindow::addSite(Emit &emit, KernelExtents &extents, Value halo,
                              ArrayRef<Value> coordinates, unsigned d,
                              Value first) const {
  Type f64 = emit.getBuilder().getF64Type();
  // Through i32, which every machine converts in vectors.
  Type i32 = emit.getBuilder().getI32Type();
  Value node;
  if (!isFree) {
    unsigned i = latticeDim(d);
    Value site =
        emit.cast(emit.add(coordinates[i], extents.offset(domain[i])), i32);
    node =
        emit.mul(emit.cast(site, f64), emit.constant(f64, double(getRatio(d))));
  }
  // A view begins where the mesh does along dims that are not split.
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
  // For cells below 2^51 the number of turns is right, but of whole turns it
  // may be one less, as the quotient is rounded: `size` is cell 0 then. NaN,
  // infinity and what is further away must not lead out of the mesh.
  Value valid = emit.both(emit.less(emit.constant(f64, -1), inside),
                          emit.less(inside, size));
  return emit.cast(emit.select(valid, inside, zero),
                   emit.getBuilder().getI32Type());
}

/// Below, the sum of a position, a cell and an origin fits into i32.
static constexpr int64_t nearCells = int64_t(1) << 29;

/// As `wrap`, of an integer.
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

/// The window's middle cells along mesh dims from d on, counted from the own
/// lattice site, as integers: themselves if all are near, and otherwise equal
/// ones modulo the mesh.
SmallVector<Value>
ParticleWindow::getIntegerMiddles(Emit &emit, unsigned d,
                                  ArrayRef<Value> middles) const {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  Type i32 = builder.getI32Type(), f64 = builder.getF64Type();
  Value isNear;
  for (Value middle : middles) {
    // NaN is not near.
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
  // Nothing of it is the same for all particles, and could be kept in
  // registers.
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
    // The same for all particles of a row, but along the last dim.
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
