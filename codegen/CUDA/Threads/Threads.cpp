//===- Threads.cpp - How a domain is dealt to GPU threads -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/Threads.h"

#include "codegen/Elements/Neighbor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

Threads::Threads(const ScheduleSizes &sizes, ArrayRef<DimAttr> dims,
                 int64_t width, const DomainPart *part)
    : dims(dims), part(part), width(width),
      group(std::min<int64_t>(std::min(sizes.group, sizes.block),
                              int64_t(llvm::PowerOf2Ceil(uint64_t(
                                  dims.back().getStoredExtent() / width))))) {}

Value Threads::getItems(OpBuilder &host, Location loc, Extents &extents) const {
  Emit emit(host, loc);
  auto count = [&](ArrayRef<DimAttr> some) {
    return part ? part->count(some) : extents.count(some);
  };
  if (dims.size() == 1)
    return emit.div(count(dims), emit.index(width));
  return emit.mul(count(dims.drop_back()), emit.index(group));
}

int64_t Threads::getMostItems() const {
  if (dims.size() == 1)
    return dims.front().getStoredExtent() / width;
  int64_t items = group;
  for (DimAttr dim : dims.drop_back())
    items *= dim.getStoredExtent();
  return items;
}

SmallVector<Value> Threads::forParts(DeviceKernel &kernel,
                                     KernelExtents &extents, ValueRange carried,
                                     PartBody body) const {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  kernel.setSchedule(
      pmk::ThreadGroupsAttr::get(builder.getContext(), group, width));
  Emit emit(builder, loc);
  Value thread = kernel.getThread(), threads = kernel.getThreads();
  Value length = extents.extent(dims.back()), origin;
  if (part && part->isAlong(dims.back()))
    std::tie(origin, length) = part->get(emit, extents, kernel, dims.back());
  auto place = [&](Value number) {
    return emit.mul(number, emit.index(width));
  };
  auto start = [&](Value number) {
    return origin ? emit.add(origin, number) : place(number);
  };
  if (dims.size() == 1)
    return body(builder, {{}, start(thread), length, place(threads)}, carried);
  Value size = emit.index(group);
  Value lane = start(emit.rem(thread, size)), stride = place(size);
  Value first = emit.div(thread, size), step = emit.div(threads, size);
  Value rows = part ? part->count(emit, extents, kernel, dims.drop_back())
                    : extents.count(emit, dims.drop_back());
  return forLoop(builder, loc, first, rows, step, carried,
                 [&](OpBuilder &inner, Value row, ValueRange values) {
                   Emit at(inner, loc);
                   return body(
                       inner,
                       {part ? part->split(at, extents, kernel, dims, row)
                             : extents.split(at, dims.drop_back(), row),
                        lane, length, stride},
                       values);
                 });
}

SmallVector<Value> Threads::forElements(DeviceKernel &kernel, Body &body,
                                        ValueRange carried,
                                        ElementBody element) const {
  return forParts(
      kernel, body.getExtents(), carried,
      [&](OpBuilder &builder, const RowPart &own, ValueRange values) {
        body.enterRow(builder, own.outer);
        return forLoop(
            builder, kernel.getLoc(), own.from, own.to, own.step, values,
            [&](OpBuilder &inner, Value first, ValueRange before) {
              Emit emit(inner, kernel.getLoc());
              SmallVector<Value> after(before);
              for (int64_t i = 0; i < width; ++i)
                after = element(inner, emit.add(first, emit.index(i)), after);
              return after;
            });
      });
}

/// Longer bodies wait for more than memory; compiling them several times takes
/// long.
static constexpr int64_t longestBody = 24;

/// Whether it consists of few operations that are a few instructions each.
static bool isShort(Block &body) {
  int64_t count = 0;
  for (Operation &inner : body.without_terminator())
    if (++count > longestBody ||
        !(isa<CoordinateOp>(inner) ||
          isa<arith::ArithDialect, complex::ComplexDialect>(
              inner.getDialect())))
      return false;
  return true;
}

int64_t pmc::codegen::getWidth(DomainOpInterface op) {
  int64_t access = ScheduleSizes::get(op).access;
  DimAttr last = op.getDomainDims().back();
  auto map = dyn_cast<MapOp>(op.getOperation());
  if (!last.getAxes().empty() || !isShort(*op.getDomainBody()) ||
      (map && map.getWithin() == last.getLabel()))
    return 1;
  int64_t smallest = access;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<BufferType>(operand.getType()))
      if (type.getDims().back() == last)
        smallest =
            std::min<int64_t>(smallest, getElementBytes(type.getElementType()));
  // Masks have bytes: words of them will do.
  int64_t width = access / std::max<int64_t>(smallest, 4);
  return last.getStoredExtent() % width ? 1 : width;
}

Value pmc::codegen::getTraffic(OpBuilder &host, Extents &extents,
                               DomainOpInterface op) {
  return getTraffic(host, op, DomainPart(op, extents, host));
}

Value pmc::codegen::getTraffic(OpBuilder &host, DomainOpInterface op,
                               const DomainPart &part) {
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
  llvm::for_each(getNeighborFields(op), count);
  return emit.mul(emit.index(bytes), part.count(dims));
}
