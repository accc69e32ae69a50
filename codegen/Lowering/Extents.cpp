//===- Extents.cpp - Sizes of dims, on the host and in kernels ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Extents.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

std::pair<Value, Value> &Extents::find(DimAttr dim) {
  std::pair<Value, Value> &entry = known[dim];
  if (entry.first)
    return entry;
  if (dim.getAxes().empty()) {
    entry = {context.constant(host, dim.getStoredExtent(), 64),
             context.constant(host, int64_t(0), 64)};
    return entry;
  }
  entry = context.getLocalPart(host, dim);
  return entry;
}

Value Extents::count(ArrayRef<DimAttr> dims) {
  Emit emit(host, loc);
  Value product = emit.index(1);
  for (DimAttr dim : dims)
    product = emit.mul(product, extent(dim));
  return product;
}

void Extents::capture(Kernel &kernel, ArrayRef<DimAttr> dims) {
  for (DimAttr dim : dims) {
    kernel.capture(extent(dim));
    kernel.capture(offset(dim));
  }
}

Value KernelExtents::count(Emit &emit, ArrayRef<DimAttr> dims) {
  Value product = emit.index(1);
  for (DimAttr dim : dims)
    product = emit.mul(product, extent(dim));
  return product;
}

Value KernelExtents::linear(Emit &emit, ArrayRef<DimAttr> dims,
                            ValueRange coordinates) {
  Value index = emit.index(0);
  for (auto [dim, coordinate] : llvm::zip_equal(dims, coordinates))
    index = emit.add(emit.mul(index, extent(dim)), coordinate);
  return index;
}

SmallVector<Value> KernelExtents::split(Emit &emit, ArrayRef<DimAttr> dims,
                                        Value index) {
  return split(emit, dims, index, [&](DimAttr dim) { return extent(dim); });
}

SmallVector<Value>
KernelExtents::split(Emit &emit, ArrayRef<DimAttr> dims, Value index,
                     llvm::function_ref<Value(DimAttr)> extentOf) {
  SmallVector<Value> coordinates(dims.size());
  for (size_t d = dims.size(); d-- > 1;) {
    coordinates[d] = emit.rem(index, extentOf(dims[d]));
    index = emit.div(index, extentOf(dims[d]));
  }
  if (!dims.empty())
    coordinates[0] = index;
  return coordinates;
}

SmallVector<Value> pmc::codegen::mergeCoordinates(ArrayRef<DimAttr> dims,
                                                  ArrayRef<DimAttr> some,
                                                  ValueRange coordinates,
                                                  ArrayRef<DimAttr> others,
                                                  ValueRange more) {
  SmallVector<Value> merged;
  for (DimAttr dim : dims) {
    const auto *found = llvm::find(some, dim);
    merged.push_back(
        found != some.end()
            ? coordinates[size_t(found - some.begin())]
            : more[size_t(llvm::find(others, dim) - others.begin())]);
  }
  return merged;
}

std::pair<Value, Value> ReducedRange::get(Emit &emit, KernelExtents &extents,
                                          DimAttr dim) const {
  Value zero = emit.index(0), extent = extents.extent(dim);
  if (!op.getWithin() || *op.getWithin() != dim.getLabel())
    return {zero, extent};
  auto local = [&](Value bound) {
    Value place = emit.sub(kernel.get(bound), extents.offset(dim));
    return emit.min(emit.max(place, zero), extent);
  };
  return {local(op.getBounds()[0]), local(op.getBounds()[1])};
}

//===----------------------------------------------------------------------===//
// Parts of a domain
//===----------------------------------------------------------------------===//

DomainPart::DomainPart(DomainOpInterface op, Extents &extents, OpBuilder &host)
    : extents(extents), host(host), loc(op.getLoc()) {
  auto map = dyn_cast<MapOp>(op.getOperation());
  if (!map || !map.getWithin())
    return;
  ArrayRef<DimAttr> dims = op.getDomainDims();
  along = dims[findDim(dims, *map.getWithin())];
  Emit emit(host, loc);
  Value zero = emit.index(0), extent = extents.extent(along);
  auto local = [&](Value bound) {
    Value place = emit.sub(bound, extents.offset(along));
    return emit.min(emit.max(place, zero), extent);
  };
  first = local(map.getBounds()[0]);
  size = emit.max(emit.sub(local(map.getBounds()[1]), first), zero);
}

void DomainPart::capture(Kernel &kernel) const {
  if (!first)
    return;
  kernel.capture(first);
  kernel.capture(size);
}

Value DomainPart::count(ArrayRef<DimAttr> dims) const {
  Emit emit(host, loc);
  Value product = emit.index(1);
  for (DimAttr dim : dims)
    product = emit.mul(product, isAlong(dim) ? size : extents.extent(dim));
  return product;
}

Value DomainPart::count(Emit &emit, KernelExtents &sizes, Kernel &kernel,
                        ArrayRef<DimAttr> dims) const {
  Value product = emit.index(1);
  for (DimAttr dim : dims)
    product =
        emit.mul(product, isAlong(dim) ? kernel.get(size) : sizes.extent(dim));
  return product;
}

std::pair<Value, Value> DomainPart::get(Emit &emit, KernelExtents &sizes,
                                        Kernel &kernel, DimAttr dim) const {
  if (!isAlong(dim))
    return {emit.index(0), sizes.extent(dim)};
  Value from = kernel.get(first);
  return {from, emit.add(from, kernel.get(size))};
}

SmallVector<Value> DomainPart::split(Emit &emit, KernelExtents &sizes,
                                     Kernel &kernel, ArrayRef<DimAttr> dims,
                                     Value row) const {
  SmallVector<Value> coordinates =
      KernelExtents::split(emit, dims.drop_back(), row, [&](DimAttr dim) {
        return isAlong(dim) ? kernel.get(size) : sizes.extent(dim);
      });
  for (auto [dim, coordinate] : llvm::zip(dims, coordinates))
    if (isAlong(dim))
      coordinate = emit.add(coordinate, kernel.get(first));
  return coordinates;
}

ArrayRef<DimAttr> pmc::codegen::getDims(Value buffer) {
  return cast<GridType>(buffer.getType()).getDims();
}

LogicalResult pmc::codegen::checkCommonDims(Operation *op, ValueRange outs) {
  for (Value out : outs)
    if (getDims(out) != getDims(outs.front()))
      return op->emitOpError("has results over ")
             << toString(getDims(outs.front())) << " and "
             << toString(getDims(out)) << ", expected the same dims";
  return success();
}
