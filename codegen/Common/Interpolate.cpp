//===- Interpolate.cpp - Reading meshes at positions ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Interpolate.h"

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

Value pmc::codegen::getHalo(InterpolateOp op) {
  return op.getHalos().empty() ? Value() : op.getHalos().front();
}

SmallVector<MeshRows> pmc::codegen::getMeshRows(InterpolateOp op,
                                                Kernel &kernel,
                                                KernelExtents &extents,
                                                bool whole) {
  SmallVector<MeshRows> meshes;
  if (op.getHalos().empty() || whole)
    for (Value mesh : op.getMeshes())
      meshes.emplace_back(kernel.get(mesh));
  else
    for (Value halo : op.getHalos())
      meshes.emplace_back(extents.view(halo));
  return meshes;
}

SmallVector<Value> pmc::codegen::readMeshes(Emit &emit, InterpolateOp op,
                                            ArrayRef<MeshRows> meshes,
                                            const Stencil &stencil) {
  Type element = getMeshType(op).getElementType();
  SmallVector<Value> sums(meshes.size());
  stencil.forEachRow(emit, [&](Value place, Value rowWeight) {
    SmallVector<MeshRow> rows;
    for (const MeshRows &mesh : meshes)
      rows.push_back(mesh.find(emit, place));
    stencil.forEachCell(emit, rowWeight, [&](Value cell, Value weight) {
      for (auto [row, sum] : llvm::zip_equal(rows, sums)) {
        Value index = row.getIndex(emit, cell);
        Value term = emit.mul(emit.load(element, row.base, index), weight);
        sum = sum ? emit.add(sum, term) : term;
      }
    });
  });
  for (auto [sum, result] : llvm::zip_equal(sums, op.getValues()))
    sum = emit.cast(sum, result.getType());
  return sums;
}
