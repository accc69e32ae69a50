//===- Interpolate.cpp - Reading meshes at positions ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Interpolate.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

static GridType getMeshType(InterpolateOp op) {
  return cast<GridType>(op.getMeshes().front().getType());
}

Placement pmc::codegen::getPlacement(InterpolateOp op,
                                     ArrayRef<DimAttr> domain) {
  return {op.getWindow(), op.getFree(), getMeshType(op).getDims(), domain};
}

Type pmc::codegen::getWeightType(InterpolateOp op) {
  return getMeshType(op).getElementType();
}

SmallVector<Value> pmc::codegen::readMeshes(Emit &emit, InterpolateOp op,
                                            Kernel &kernel,
                                            const Stencil &stencil) {
  Type element = getMeshType(op).getElementType();
  Type i64 = emit.getBuilder().getI64Type();
  SmallVector<Value> sums(op.getMeshes().size());
  stencil.forEachCell(emit, [&](Value index, Value weight) {
    Value cell = emit.widen(index, i64);
    for (auto [mesh, sum] : llvm::zip_equal(op.getMeshes(), sums)) {
      Value term = emit.mul(emit.load(element, kernel.get(mesh), cell), weight);
      sum = sum ? emit.add(sum, term) : term;
    }
  });
  for (auto [sum, result] : llvm::zip_equal(sums, op.getValues()))
    sum = emit.cast(sum, result.getType());
  return sums;
}
