//===- Neighbor.cpp - Reading cells at constant offsets -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/Neighbor.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Neighbor::Neighbor(NeighborOp op, Kernel &kernel, KernelExtents &extents,
                   ArrayRef<DimAttr> domain)
    : op(op), kernel(kernel), extents(extents), domain(domain),
      dims(cast<GridType>(op.getField().getType()).getDims()) {
  for (DimAttr dim : dims) {
    places.push_back(size_t(View::find(domain, dim)));
    views.push_back(View(dim, domain[places.back()]));
  }
}

/// The element's local coordinate along a dim of the field.
Value Neighbor::getOwn(ArrayRef<Value> outer, Value last, size_t dim) const {
  size_t position = places[dim];
  return position < outer.size() ? outer[position] : last;
}

/// Where the neighbor is along a dim: its local index, or its index in the
/// halo's view. `isInside` becomes false where there is a zero.
Value Neighbor::getCell(Emit &emit, size_t dim, Value own,
                        Value &isInside) const {
  bool isViewed = bool(getHalo(op));
  const View &way = views[dim];
  Value cell = emit.mul(emit.add(own, extents.offset(domain[places[dim]])),
                        emit.index(way.getStep()));
  int64_t offset = op.getOffsets()[dim];
  if (offset != 0) {
    cell = emit.add(cell, emit.index(offset));
    Value cells = emit.index(way.getCells());
    Value last = emit.index(way.getCells() - 1);
    Value zero = emit.index(0);
    bool isUp = offset > 0;
    switch (op.getEdge(dim)) {
    case Edge::Periodic:
      cell =
          isUp
              ? emit.select(emit.less(cell, cells), cell, emit.sub(cell, cells))
              : emit.select(emit.less(cell, zero), emit.add(cell, cells), cell);
      break;
    case Edge::Zero: {
      Value nearest = isUp ? emit.min(cell, last) : emit.max(cell, zero);
      Value isCell = emit.equal(nearest, cell);
      isInside = isInside ? emit.both(isInside, isCell) : isCell;
      cell = nearest;
      break;
    }
    case Edge::Clamp:
      cell = isUp ? emit.min(cell, last) : emit.max(cell, zero);
      break;
    case Edge::Reflect:
      cell = isUp ? emit.min(cell, emit.sub(emit.add(last, last), cell))
                  : emit.max(cell, emit.sub(zero, cell));
      break;
    }
  }
  if (way.getShare() > 1)
    cell = emit.div(cell, emit.index(way.getShare()));
  if (!isViewed)
    return emit.sub(cell, extents.offset(dims[dim]));
  Value place = emit.sub(cell, extents.haloView(getHalo(op)).origins[dim]);
  return emit.select(emit.less(place, emit.index(0)),
                     emit.add(place, emit.index(dims[dim].getExtent())), place);
}

/// The same where neither the edge nor other ranks' cells are met: counted from
/// the first own cell.
Value Neighbor::getInner(Emit &emit, size_t dim, Value own) const {
  const View &way = views[dim];
  Value offset = emit.index(op.getOffsets()[dim]);
  if (way.isSame())
    return emit.add(own, offset);
  DimAttr reader = domain[places[dim]];
  Value cell = emit.mul(emit.add(own, extents.offset(reader)),
                        emit.index(way.getStep()));
  cell = emit.div(emit.add(cell, offset), emit.index(way.getShare()));
  return emit.sub(cell, extents.offset(dims[dim]));
}

NeighborRow Neighbor::enterRow(Emit &emit, ArrayRef<Value> outer) const {
  NeighborRow row;
  size_t rows = dims.size() - 1;
  SmallVector<Value> cells;
  for (size_t d = 0; d < rows; ++d)
    cells.push_back(getCell(emit, d, getOwn(outer, Value(), d), row.isInside));
  Value mesh = kernel.get(op.getField());
  if (!getHalo(op)) {
    cells.push_back(emit.index(0));
    row.begin = emit.at(mesh, extents.linear(emit, dims, cells));
    return row;
  }
  HaloView view = extents.haloView(getHalo(op));
  Value number = emit.index(0);
  for (size_t d = 0; d < rows; ++d)
    number = emit.add(number, emit.mul(cells[d], view.strides[d]));
  auto branch = [&](bool isWhole) {
    return [&, isWhole](OpBuilder &inner, Location loc) {
      Emit at(inner, loc);
      Value begin = isWhole ? at.at(mesh, number) : at.load(view.rows, number);
      scf::YieldOp::create(inner, loc, begin);
    };
  };
  row.begin = scf::IfOp::create(emit.getBuilder(), emit.getLoc(), view.whole,
                                branch(true), branch(false))
                  .getResult(0);
  // From the view's first cell to the first own one.
  DimAttr last = dims.back();
  if (!last.getAxes().empty()) {
    Value shift = emit.sub(extents.offset(last), view.origins.back());
    shift = emit.select(emit.less(shift, emit.index(0)),
                        emit.add(shift, emit.index(last.getExtent())), shift);
    row.begin = emit.at(row.begin, shift);
  }
  return row;
}

Value Neighbor::load(Emit &emit, const NeighborRow &row, ArrayRef<Value> outer,
                     Value last, bool isInterior) const {
  Type element = op.getElement().getType();
  size_t d = dims.size() - 1;
  Value own = getOwn(outer, last, d);
  Value isInside = row.isInside, index;
  // Neighbors along other dims: a cell without an edge, which lets vectors be
  // loaded.
  bool isOwn = views[d].isSame() && op.getOffsets()[d] == 0;
  if (isInterior || isOwn) {
    index = getInner(emit, d, own);
  } else if (dims[d].getAxes().empty() || !getHalo(op)) {
    index = getCell(emit, d, own, isInside);
  } else {
    // Counted from the first own cell, as the row is.
    HaloView view = extents.haloView(getHalo(op));
    Value shift = emit.sub(extents.offset(dims[d]), view.origins[d]);
    shift =
        emit.select(emit.less(shift, emit.index(0)),
                    emit.add(shift, emit.index(dims[d].getExtent())), shift);
    index = emit.sub(getCell(emit, d, own, isInside), shift);
  }
  Value value = emit.load(row.begin, index);
  if (!isInside)
    return value;
  auto choose = [&](Value part) {
    return emit.select(isInside, part, emit.constant(part.getType(), 0));
  };
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return choose(value);
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  Value re = choose(complex::ReOp::create(builder, loc, value));
  Value im = choose(complex::ImOp::create(builder, loc, value));
  return complex::CreateOp::create(builder, loc, complex, re, im);
}

Value pmc::codegen::getHalo(NeighborOp op) { return op.getHalo(); }

RowEnds pmc::codegen::getRowEnds(DomainOpInterface op) {
  RowEnds ends;
  for (auto read : op.getDomainBody()->getOps<NeighborOp>()) {
    DimAttr dim = cast<GridType>(read.getField().getType()).getDims().back();
    ArrayRef<DimAttr> domain = op.getDomainDims();
    if (View::find(domain, dim) + 1 != int(domain.size()))
      continue;
    View::Widths widths =
        View(dim, domain.back()).getEnds(read.getOffsets().back());
    ends.below = std::max(ends.below, widths.below);
    ends.above = std::max(ends.above, widths.above);
  }
  return ends;
}

llvm::SetVector<Value> pmc::codegen::getNeighborFields(DomainOpInterface op) {
  llvm::SetVector<Value> fields;
  for (auto read : op.getDomainBody()->getOps<NeighborOp>())
    fields.insert(read.getField());
  for (auto read : op.getDomainBody()->getOps<CellOp>())
    fields.insert(read.getField());
  for (Value input : op.getDomainInputs())
    fields.remove(input);
  return fields;
}
