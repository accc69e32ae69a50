//===- Loops.cpp - Loop nests of kernels ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Loops.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

SmallVector<Value> pmc::codegen::forLoop(OpBuilder &builder, Location loc,
                                         Value from, Value to, int64_t step,
                                         ValueRange carried, LoopBody body) {
  Value stride = arith::ConstantIntOp::create(builder, loc, step, 64);
  return forLoop(builder, loc, from, to, stride, carried, body);
}

SmallVector<Value> pmc::codegen::forLoop(OpBuilder &builder, Location loc,
                                         Value from, Value to, Value step,
                                         ValueRange carried, LoopBody body) {
  // Not through the op's builder, where the body is not in the function
  // yet, whose frame it may want to grow.
  auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
  Block *block = loop.getBody();
  OpBuilder inner = OpBuilder::atBlockBegin(block);
  SmallVector<Value> results =
      body(inner, loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(inner, loc, results);
  return llvm::to_vector<6>(ValueRange(loop.getResults()));
}

void pmc::codegen::forLoop(OpBuilder &builder, Location loc, Value from,
                           Value to,
                           llvm::function_ref<void(OpBuilder &, Value)> body) {
  forLoop(builder, loc, from, to, 1, {},
          [&](OpBuilder &inner, Value index, ValueRange) {
            body(inner, index);
            return SmallVector<Value>();
          });
}

SmallVector<Value> pmc::codegen::forRows(OpBuilder &builder, Location loc,
                                         ArrayRef<DimAttr> dims,
                                         KernelExtents &extents, Value from,
                                         Value to, ValueRange carried,
                                         RowBody body) {
  return forLoop(builder, loc, from, to, 1, carried,
                 [&](OpBuilder &inner, Value row, ValueRange values) {
                   Emit emit(inner, loc);
                   SmallVector<Value> outer =
                       extents.split(emit, dims.drop_back(), row);
                   return body(inner, outer, emit.index(0),
                               extents.extent(dims.back()), values);
                 });
}

SmallVector<Value> pmc::codegen::forElements(OpBuilder &builder, Location loc,
                                             ArrayRef<DimAttr> dims,
                                             KernelExtents &extents, Value from,
                                             Value to, ValueRange carried,
                                             RowBody body) {
  if (dims.size() == 1)
    return body(builder, {}, from, to, carried);
  Emit host(builder, loc);
  Value length = extents.extent(dims.back());
  Value first = host.div(from, length);
  Value last = host.div(host.add(to, host.sub(length, host.index(1))), length);
  return forLoop(builder, loc, first, last, 1, carried,
                 [&](OpBuilder &inner, Value row, ValueRange values) {
                   Emit emit(inner, loc);
                   SmallVector<Value> outer =
                       extents.split(emit, dims.drop_back(), row);
                   Value start = emit.mul(row, length);
                   return body(inner, outer,
                               emit.max(emit.sub(from, start), emit.index(0)),
                               emit.min(emit.sub(to, start), length), values);
                 });
}

SmallVector<Value> pmc::codegen::forParts(OpBuilder &builder, Location loc,
                                          ArrayRef<DimAttr> dims,
                                          KernelExtents &extents, Value from,
                                          Value to, ValueRange carried,
                                          RowBody body) {
  if (dims.size() == 1)
    return body(builder, {}, from, to, carried);
  return forRows(builder, loc, dims, extents, from, to, carried, body);
}

SmallVector<Value> pmc::codegen::forParts(OpBuilder &builder, Location loc,
                                          ArrayRef<DimAttr> dims,
                                          const DomainPart &part,
                                          KernelExtents &extents,
                                          Kernel &kernel, Value from, Value to,
                                          ValueRange carried, RowBody body) {
  if (dims.size() == 1) {
    if (!part.isAlong(dims.front()))
      return body(builder, {}, from, to, carried);
    Emit emit(builder, loc);
    Value first = part.get(emit, extents, kernel, dims.front()).first;
    return body(builder, {}, emit.add(from, first), emit.add(to, first),
                carried);
  }
  return forLoop(builder, loc, from, to, 1, carried,
                 [&](OpBuilder &inner, Value row, ValueRange values) {
                   Emit emit(inner, loc);
                   SmallVector<Value> outer =
                       part.split(emit, extents, kernel, dims, row);
                   auto [begin, end] =
                       part.get(emit, extents, kernel, dims.back());
                   return body(inner, outer, begin, end, values);
                 });
}

SmallVector<Value> pmc::codegen::forChunks(
    OpBuilder &builder, Location loc, Value from, Value to, int64_t chunk,
    ValueRange carried,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Value, Value,
                                          ValueRange)>
        body) {
  return forLoop(builder, loc, from, to, chunk, carried,
                 [&](OpBuilder &inner, Value first, ValueRange values) {
                   Emit emit(inner, loc);
                   Value size =
                       emit.min(emit.sub(to, first), emit.index(chunk));
                   return body(inner, first, size, values);
                 });
}
