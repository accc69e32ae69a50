//===- ElementNumbers.cpp - A number for each element ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/ElementNumbers.h"

#include "codegen/Lowering/Loops.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

void pmc::codegen::storeNumbers(
    Kernel &kernel, Body &body, Value from, Value to, Value numbers,
    llvm::function_ref<Value(OpBuilder &, Value)> number) {
  Location loc = kernel.getLoc();
  auto row = [&](OpBuilder &builder, ArrayRef<Value> outer, Value first,
                 Value end, ValueRange) {
    body.enterRow(builder, outer);
    SmallVector<Value> start(outer);
    Emit emit(builder, loc);
    start.push_back(emit.index(0));
    Value origin = body.getExtents().linear(emit, body.getDims(), start);
    auto chunk = [&](OpBuilder &inner, Value begin, Value size, ValueRange) {
      body.enterChunk(inner, begin, size);
      Emit outside(inner, loc);
      Value place = outside.add(origin, begin);
      forLoop(inner, loc, outside.index(0), size,
              [&](OpBuilder &innermost, Value i) {
                Value value = number(innermost, i);
                pmk::StoreOp::create(innermost, loc, value, numbers,
                                     Emit(innermost, loc).add(place, i),
                                     /*unbounded=*/true);
              });
      return SmallVector<Value>();
    };
    return forChunks(builder, loc, first, end, body.getChunk(), {}, chunk);
  };
  forElements(kernel.body(), loc, body.getDims(), body.getExtents(), from, to,
              {}, row);
}
