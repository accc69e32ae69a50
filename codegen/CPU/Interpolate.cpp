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

Value pmc::codegen::getHalo(InterpolateOp op) {
  return op.getHalos().empty() ? Value() : op.getHalos().front();
}

SmallVector<MeshRows> pmc::codegen::getMeshRows(InterpolateOp op,
                                                Kernel &kernel,
                                                KernelExtents &extents,
                                                bool whole) {
  GridType type = getMeshType(op);
  Type element = type.getElementType();
  SmallVector<MeshRows> meshes;
  for (auto [i, mesh] : llvm::enumerate(op.getMeshes())) {
    if (op.getHalos().empty())
      meshes.emplace_back(kernel.get(mesh), element);
    else if (whole)
      meshes.emplace_back(kernel.get(mesh), element,
                          type.getDims().back().getStoredExtent());
    else
      meshes.emplace_back(extents.view(op.getHalos()[i]), element);
  }
  return meshes;
}

SmallVector<Value> pmc::codegen::readMeshes(Emit &emit, InterpolateOp op,
                                            ArrayRef<MeshRows> meshes,
                                            const Stencil &stencil) {
  Type element = getMeshType(op).getElementType();
  Type i64 = emit.getBuilder().getI64Type();
  SmallVector<Value> sums(meshes.size());
  stencil.forEachRow(emit, [&](Value place, Value rowWeight) {
    SmallVector<Value> rows;
    for (const MeshRows &mesh : meshes)
      rows.push_back(mesh.find(emit, place));
    stencil.forEachCell(emit, rowWeight, [&](Value index, Value weight) {
      Value cell = emit.widen(index, i64);
      for (auto [row, sum] : llvm::zip_equal(rows, sums)) {
        Value term = emit.mul(emit.load(element, row, cell), weight);
        sum = sum ? emit.add(sum, term) : term;
      }
    });
  });
  for (auto [sum, result] : llvm::zip_equal(sums, op.getValues()))
    sum = emit.cast(sum, result.getType());
  return sums;
}
