//===- Cell.cpp - Reading cells at computed indices -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Cell.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Value pmc::codegen::getHalo(CellOp op) { return op.getHalo(); }

Value pmc::codegen::readCell(Emit &emit, CellOp op, Kernel &kernel,
                             KernelExtents &extents, ValueRange indices) {
  ArrayRef<DimAttr> dims = cast<GridType>(op.getField().getType()).getDims();
  Value mesh = kernel.get(op.getField());
  SmallVector<Value> cells(indices);
  Value halo = getHalo(op);
  if (!halo) {
    for (auto [cell, dim] : llvm::zip(cells, dims))
      cell = emit.sub(cell, extents.offset(dim));
    return emit.load(mesh, extents.linear(emit, dims, cells));
  }
  // Where it is in the view, whose rows may lie anywhere.
  HaloView view = extents.haloView(halo);
  for (auto [cell, dim, origin] : llvm::zip(cells, dims, view.origins)) {
    cell = emit.sub(cell, origin);
    cell = emit.select(emit.less(cell, emit.index(0)),
                       emit.add(cell, emit.index(dim.getExtent())), cell);
  }
  Value row = emit.index(0);
  for (size_t d = 0; d + 1 < dims.size(); ++d)
    row = emit.add(row, emit.mul(cells[d], view.strides[d]));
  auto branch = [&](bool isWhole) {
    return [&, isWhole](OpBuilder &inner, Location loc) {
      Emit at(inner, loc);
      Value begin = isWhole ? at.at(mesh, row) : at.load(view.rows, row);
      scf::YieldOp::create(inner, loc, at.load(begin, cells.back()));
    };
  };
  return scf::IfOp::create(emit.getBuilder(), emit.getLoc(), view.whole,
                           branch(true), branch(false))
      .getResult(0);
}
