//===- Accumulation.cpp - What a CPU thread adds up -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Accumulation.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

LaneAccumulation::LaneAccumulation(OpBuilder &builder, Location loc,
                                   Reduction kind, Body &body, TypeRange types,
                                   Values values)
    : loc(loc), lanes(kind), body(body), values(values) {
  for (Type type : types)
    arrays.emplace_back(builder, type);
}

SmallVector<Value> LaneAccumulation::begin(Emit &emit) {
  return SmallVector<Value>(arrays.size(), lanes.initial(emit));
}

SmallVector<Value> LaneAccumulation::add(OpBuilder &builder,
                                         const RowPart &part,
                                         ValueRange carried) {
  return forChunks(
      builder, loc, part.from, part.to, body.getChunk(), carried,
      [&](OpBuilder &inner, Value first, Value size, ValueRange before) {
        Emit emit(inner, loc);
        body.enterChunk(inner, first, size);
        body.forEach(
            inner, emit.index(0), size, [&](OpBuilder &innermost, Value i) {
              SmallVector<Value> results = values(innermost, i);
              Emit at(innermost, loc);
              for (auto [array, result] : llvm::zip_equal(arrays, results))
                array.store(at, result, i);
            });
        SmallVector<Value> sums;
        for (auto [array, value] : llvm::zip_equal(arrays, before))
          sums.push_back(lanes.add(emit, value, array, size));
        return sums;
      });
}

void LaneAccumulation::store(Emit &emit, ValueRange carried, Store store) {
  SmallVector<Value> results;
  for (Value value : carried)
    results.push_back(lanes.finish(emit, value));
  store(emit, {}, results);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

ChunkAccumulation::ChunkAccumulation(OpBuilder &builder, Location loc,
                                     Reduction kind, Body &body, size_t count,
                                     Values values, Value first, Value size)
    : loc(loc), lanes(kind), body(body), values(values), first(first),
      size(size) {
  for (size_t j = 0; j < count; ++j)
    sums.emplace_back(builder, builder.getF64Type());
}

SmallVector<Value> ChunkAccumulation::begin(Emit &emit) {
  for (ChunkArray &sum : sums)
    sum.fillTail(emit, emit.index(0), lanes.neutral(emit, sum.getType()));
  return {};
}

SmallVector<Value> ChunkAccumulation::add(OpBuilder &builder, const RowPart &,
                                          ValueRange) {
  body.enterChunk(builder, first, size);
  forLoop(builder, loc, Emit(builder, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            SmallVector<Value> made = values(inner, i);
            Emit at(inner, loc);
            for (auto [sum, value] : llvm::zip_equal(sums, made))
              sum.store(at,
                        lanes.combine(at, sum.load(at, i),
                                      at.cast(value, sum.getType())),
                        i);
          });
  return {};
}

void ChunkAccumulation::store(Emit &emit, ValueRange, Store store) {
  forLoop(emit.getBuilder(), loc, emit.index(0), size,
          [&](OpBuilder &inner, Value i) {
            Emit at(inner, loc);
            SmallVector<Value> results;
            for (ChunkArray &sum : sums)
              results.push_back(sum.load(at, i));
            store(at, i, results);
          });
}
