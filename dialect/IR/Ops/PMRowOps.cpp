//===- PMRowOps.cpp - Rows of tables, and sums for them -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"

using namespace mlir;
using namespace pmc::pm;

#define GET_OP_CLASSES
#include "dialect/IR/PMRowOps.cpp.inc"

OpFoldResult RowsOp::fold(FoldAdaptor) {
  if (auto transform = getTable().getDefiningOp<TransformOp>()) {
    getTableMutable().assign(transform.getTable());
    return getResult();
  }
  if (auto tabulate = getTable().getDefiningOp<TabulateOp>())
    return tabulate.getPoints();
  return {};
}

LogicalResult AddToRowsOp::verify() {
  auto grid = cast<GridType>(getValues().getType());
  if (grid.getDims().size() == 1 && grid.getElementType().isF64())
    return success();
  return emitOpError("adds a ")
         << getValues().getType() << ", expected a 1-D field of f64";
}
