//===- PMSpectra.cpp - Modes of half spectra ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMSpectra.h"

using namespace mlir;
using namespace pmc::pm;

DimAttr pmc::pm::findHalf(ArrayRef<DimAttr> dims) {
  for (DimAttr dim : dims)
    if (dim.isHalf() && dim.getExtent() > 2)
      return dim;
  return {};
}

Value pmc::pm::buildIsOwnMirror(OpBuilder &builder, Location loc,
                                DimAttr half) {
  Value mode = CoordinateOp::create(builder, loc, half.getLabel());
  auto is = [&](double number) -> Value {
    return arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, mode,
        arith::ConstantOp::create(builder, loc,
                                  builder.getF64FloatAttr(number)));
  };
  Value isOwn = is(0);
  if (half.getExtent() % 2 == 0)
    isOwn = arith::OrIOp::create(builder, loc, isOwn,
                                 is(double(half.getExtent()) / 2));
  return isOwn;
}

Value pmc::pm::buildPairs(OpBuilder &builder, Location loc, DimAttr half,
                          Type type, bool inverse) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  };
  return arith::SelectOp::create(builder, loc,
                                 buildIsOwnMirror(builder, loc, half),
                                 constant(1), constant(inverse ? 0.5 : 2));
}
