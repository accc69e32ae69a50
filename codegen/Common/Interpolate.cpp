//===- Interpolate.cpp - Reading meshes at positions ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Interpolate.h"

#include "llvm/ADT/MapVector.h"

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

SmallVector<WindowOrders> pmc::codegen::getOrders(InterpolateOp op) {
  return getWindowOrders(op.getOrdersAttr(), op.getMeshes().size(),
                         getMeshType(op).getDims().size());
}

/// All values with one window: the cells' weights are shared by the meshes.
static SmallVector<Value> readWith(Emit &emit, const WindowOrders &orders,
                                   ArrayRef<MeshRows> meshes,
                                   const Stencil &stencil) {
  SmallVector<Value> sums(meshes.size());
  stencil.forEachRow(emit, orders, [&](Value place, ArrayRef<Value> weights) {
    SmallVector<MeshRow> rows;
    for (const MeshRows &mesh : meshes)
      rows.push_back(mesh.find(emit, place));
    stencil.forEachCell(
        emit, weights.front(), orders.back(), [&](Value cell, Value weight) {
          for (auto [row, sum] : llvm::zip_equal(rows, sums)) {
            Value index = row.getIndex(emit, cell);
            Value term = emit.mul(emit.load(row.base, index), weight);
            sum = sum ? emit.add(sum, term) : term;
          }
        });
  });
  return sums;
}

namespace {

/// Values of one mesh.
struct Readings {
  const MeshRows *mesh;
  SmallVector<size_t> values;
};

} // namespace

/// Several windows: the sums over a row of each mesh, one for each order along
/// the last dim, are shared by the values.
static SmallVector<Value> readDerived(Emit &emit, ArrayRef<WindowOrders> orders,
                                      ArrayRef<Readings> readings,
                                      const Stencil &stencil) {
  SmallVector<Value> sums(orders.size());
  auto accumulate = [&](Value &sum, Value term) {
    sum = sum ? emit.add(sum, term) : term;
  };
  stencil.forEachRow(emit, orders, [&](Value place, ArrayRef<Value> weights) {
    for (const Readings &reading : readings) {
      MeshRow row = reading.mesh->find(emit, place);
      SmallVector<Value> cells;
      for (Value cell : stencil.offsets.back())
        cells.push_back(emit.load(row.base, row.getIndex(emit, cell)));
      llvm::SmallMapVector<int64_t, Value, 4> along;
      for (size_t j : reading.values) {
        Value &sum = along[orders[j].back()];
        if (sum)
          continue;
        for (auto [cell, weight] : llvm::zip_equal(
                 cells, stencil.weights.back()[size_t(orders[j].back())]))
          accumulate(sum, emit.mul(cell, weight));
      }
      for (size_t j : reading.values) {
        Value sum = along[orders[j].back()];
        accumulate(sums[j], weights[j] ? emit.mul(sum, weights[j]) : sum);
      }
    }
  });
  return sums;
}

SmallVector<Value> pmc::codegen::readMeshes(Emit &emit, InterpolateOp op,
                                            ArrayRef<MeshRows> meshes,
                                            const Stencil &stencil) {
  SmallVector<WindowOrders> orders = getOrders(op);
  SmallVector<Value> sums;
  if (llvm::all_equal(orders)) {
    sums = readWith(emit, orders.front(), meshes, stencil);
  } else {
    llvm::SmallMapVector<Value, Readings, 4> readings;
    for (auto [j, mesh] : llvm::enumerate(op.getMeshes())) {
      Readings &reading = readings[mesh];
      reading.mesh = &meshes[j];
      reading.values.push_back(j);
    }
    sums = readDerived(emit, orders,
                       llvm::to_vector(llvm::make_second_range(readings)),
                       stencil);
  }
  for (auto [sum, result] : llvm::zip_equal(sums, op.getValues()))
    sum = emit.cast(sum, result.getType());
  return sums;
}
