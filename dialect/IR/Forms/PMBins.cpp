//===- PMBins.cpp - Cells counted row by row -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMBins.h"

using namespace mlir;
using namespace pmc::pm;

bool pmc::pm::isPainted(ArrayRef<DimAttr> dims) {
  return dims.size() > 1 || dims.front().getExtent() > mostOwnBins;
}

Value pmc::pm::buildBin(OpBuilder &builder, Location loc, ValueRange indices,
                        ArrayRef<DimAttr> dims) {
  Value bin = indices.front();
  for (auto [index, dim] :
       llvm::zip_equal(indices.drop_front(), dims.drop_front())) {
    Value cells = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(dim.getExtent()));
    bin = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, bin, cells), index);
  }
  return bin;
}

BinCells::BinCells(OpBuilder &builder, Location loc, Value bin,
                   ArrayRef<DimAttr> dims)
    : indices(dims.size()) {
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  int64_t cells = 1;
  for (DimAttr dim : dims)
    cells *= dim.getExtent();
  // Of what is below 0, too.
  inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, bin,
                                 number(cells));
  Value cell = arith::SelectOp::create(builder, loc, inside, bin, number(0));
  for (size_t d = dims.size(); d-- > 1;) {
    Value extent = number(dims[d].getExtent());
    indices[d] = arith::RemUIOp::create(builder, loc, cell, extent);
    cell = arith::DivUIOp::create(builder, loc, cell, extent);
  }
  indices[0] = cell;
}
