//===- Threads.cpp - How a domain is dealt to GPU threads -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// What depends on the row alone is computed by every thread of its team, so
/// teams are smaller than blocks: threads have a few elements of a row each.
static constexpr int64_t largestTeam = 128;

Threads::Threads(ArrayRef<DimAttr> dims)
    : dims(dims),
      team(std::min<int64_t>(largestTeam,
                             int64_t(llvm::PowerOf2Ceil(
                                 uint64_t(dims.back().getStoredExtent()))))) {}

Value Threads::getItems(OpBuilder &host, Location loc, Extents &extents) const {
  if (dims.size() == 1)
    return extents.extent(dims.front());
  Emit emit(host, loc);
  return emit.mul(extents.count(dims.drop_back()), emit.index(team));
}

int64_t Threads::getMostItems() const {
  if (dims.size() == 1)
    return dims.front().getStoredExtent();
  int64_t items = team;
  for (DimAttr dim : dims.drop_back())
    items *= dim.getStoredExtent();
  return items;
}

SmallVector<Value> Threads::forParts(DeviceKernel &kernel,
                                     KernelExtents &extents, ValueRange carried,
                                     PartBody body) const {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Emit emit(builder, loc);
  Value thread = kernel.getThread(), threads = kernel.getThreads();
  Value length = extents.extent(dims.back());
  if (dims.size() == 1)
    return body(builder, {{}, thread, length, threads}, carried);
  Value size = emit.index(team);
  Value lane = emit.rem(thread, size);
  Value first = emit.div(thread, size), step = emit.div(threads, size);
  return forLoop(builder, loc, first, extents.count(emit, dims.drop_back()),
                 step, carried,
                 [&](OpBuilder &inner, Value row, ValueRange values) {
                   Emit at(inner, loc);
                   return body(inner,
                               {extents.split(at, dims.drop_back(), row), lane,
                                length, size},
                               values);
                 });
}

SmallVector<Value> Threads::forElements(DeviceKernel &kernel, Body &body,
                                        ValueRange carried,
                                        ElementBody element) const {
  return forParts(kernel, body.getExtents(), carried,
                  [&](OpBuilder &builder, const Part &part, ValueRange values) {
                    body.enterRow(builder, part.outer);
                    return forLoop(builder, kernel.getLoc(), part.from, part.to,
                                   part.step, values, element);
                  });
}

Value pmc::codegen::getTraffic(OpBuilder &host, Extents &extents,
                               DomainOpInterface op) {
  Emit emit(host, op.getLoc());
  int64_t bytes = 0;
  ArrayRef<DimAttr> dims = op.getDomainDims();
  auto count = [&](Value field) {
    bytes += getElementBytes(cast<GridType>(field.getType()).getElementType());
  };
  // What is broadcast along the last dim is read once a row: nothing.
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<BufferType>(operand.getType()))
      if (type.getDims().back() == dims.back())
        count(operand);
  op->walk(
      [&](InterpolateOp inner) { llvm::for_each(inner.getMeshes(), count); });
  return emit.mul(emit.index(bytes), extents.count(dims));
}
