//===- BlockReading.cpp - Meshes are read from a block's cells ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/BlockReading.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// `pmrt_parallel_blocks` takes no more meshes.
static constexpr size_t mostMeshes = 16;

SmallVector<Value> BlockReading::getMeshes(InterpolateOp reading) {
  llvm::SmallSetVector<Value, 4> meshes(reading.getMeshes().begin(),
                                        reading.getMeshes().end());
  return meshes.takeVector();
}

/// Of each value the mesh, or what the cell yields.
static OperandRange getFieldsOfValues(InterpolateOp reading) {
  return reading.isComputed() ? reading.getCellYields()
                              : OperandRange(reading.getMeshes());
}

SmallVector<Value> BlockReading::getFields(InterpolateOp reading) {
  OperandRange all = getFieldsOfValues(reading);
  llvm::SmallSetVector<Value, 4> fields(all.begin(), all.end());
  return fields.takeVector();
}

bool BlockReading::canRead(InterpolateOp reading, ArrayRef<DimAttr> domain) {
  Type element = getWeightType(reading);
  SmallVector<Value> fields = getFields(reading);
  return (element.isF32() || element.isF64()) && fields.size() > 1 &&
         fields.size() <= mostMeshes;
}

/// Windows that differ.
static SmallVector<WindowOrders> getDistinct(ArrayRef<WindowOrders> orders) {
  SmallVector<WindowOrders> distinct;
  for (const WindowOrders &wanted : orders)
    if (!llvm::is_contained(distinct, wanted))
      distinct.push_back(wanted);
  return distinct;
}

BlockReading::BlockReading(Kernel &kernel, InterpolateOp reading,
                           ArrayRef<DimAttr> domain, Value firstCells,
                           Value cellStrides, Value memory)
    : reading(reading), particleWindow(getParticleWindow(reading, domain)),
      orders(getDistinct(getOrders(reading))),
      stencils(kernel.body(), particleWindow, getWeightType(reading), orders),
      memory(memory) {
  SmallVector<Value> fields = getFields(reading);
  for (auto [field, wanted] :
       llvm::zip_equal(getFieldsOfValues(reading), getOrders(reading))) {
    lane.push_back(size_t(llvm::find(fields, field) - fields.begin()));
    order.push_back(size_t(llvm::find(orders, wanted) - orders.begin()));
  }
  lanes = VectorType::get({int64_t(llvm::PowerOf2Ceil(fields.size()))},
                          getWeightType(reading));
  Emit emit(kernel.body(), reading.getLoc());
  Type i32 = kernel.body().getI32Type();
  for (size_t d = 0; d < particleWindow.getMesh().size(); ++d) {
    Value at = emit.index(int64_t(d));
    first.push_back(emit.cast(emit.load(firstCells, at), i32));
    strides.push_back(emit.cast(emit.load(cellStrides, at), i32));
  }
}

void BlockReading::prepare(Emit &emit, KernelExtents &extents,
                           ArrayRef<Value> coordinates, ArrayRef<Value> u,
                           Value i) {
  stencils.store(emit,
                 particleWindow.getBoxStencil(emit, extents, first, strides,
                                              coordinates, u,
                                              getWeightType(reading), orders),
                 i);
}

SmallVector<Value> BlockReading::read(Emit &emit, Value i) {
  OpBuilder &builder = emit.getBuilder();
  Stencil stencil = stencils.load(emit, i);
  SmallVector<Value> sums(orders.size());
  auto row = [&](Value place, ArrayRef<Value> products) {
    for (auto [k, cell] : llvm::enumerate(stencil.offsets.back())) {
      Value index = emit.cast(emit.add(place, cell), builder.getI64Type());
      Value cells =
          pmk::LoadOp::create(builder, emit.getLoc(), lanes, memory, index);
      for (auto [sum, product, wanted] :
           llvm::zip_equal(sums, products, orders)) {
        Value weight =
            emit.mul(product, stencil.weights.back()[size_t(wanted.back())][k]);
        Value term = emit.mul(cells, emit.splat(weight, lanes));
        sum = sum ? emit.add(sum, term) : term;
      }
    }
  };
  stencil.forEachRow(emit, orders, row);
  SmallVector<Value> values;
  for (auto [result, of, at] :
       llvm::zip_equal(reading.getValues(), order, lane)) {
    Value where = LLVM::ConstantOp::create(builder, emit.getLoc(),
                                           builder.getI32IntegerAttr(at));
    Value value =
        LLVM::ExtractElementOp::create(builder, emit.getLoc(), sums[of], where);
    values.push_back(emit.cast(value, result.getType()));
  }
  return values;
}
