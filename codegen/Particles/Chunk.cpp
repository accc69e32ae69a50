//===- Chunk.cpp - Local arrays of kernels, and sums over them ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/Chunk.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

static constexpr int64_t laneCount = 8;

ChunkArray::ChunkArray(OpBuilder &builder, Type type, int64_t chunks)
    : type(type) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  auto function = isa<func::FuncOp>(op) ? cast<func::FuncOp>(op)
                                        : op->getParentOfType<func::FuncOp>();
  size = chunks * ScheduleSizes::get(function).chunk;
  OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
  memory = pmk::ChunkOp::create(start, function.getLoc(),
                                pmk::SpanType::get(type), size);
}

void ChunkArray::fillTail(Emit &emit, Value from, Value value) {
  forLoop(emit.getBuilder(), emit.getLoc(), from, emit.index(size),
          [&](OpBuilder &inner, Value i) {
            Emit at(inner, emit.getLoc());
            at.store(value, memory, i);
          });
}

double Lanes::getNeutral() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case Reduction::Sum:
    return 0;
  case Reduction::Min:
    return infinity;
  case Reduction::Max:
    return -infinity;
  }
  llvm_unreachable("no other reductions");
}

Value Lanes::neutral(Emit &emit, Type type) const {
  return emit.constant(type, getNeutral());
}

Value Lanes::initial(Emit &emit, Type type) const {
  OpBuilder &builder = emit.getBuilder();
  Type element = type ? type : builder.getF64Type();
  auto neutral = builder.getFloatAttr(element, getNeutral());
  return arith::ConstantOp::create(
      builder, emit.getLoc(),
      DenseElementsAttr::get(VectorType::get({laneCount}, element),
                             Attribute(neutral)));
}

Value Lanes::combine(Emit &emit, Value a, Value b) const {
  OpBuilder &builder = emit.getBuilder();
  switch (kind) {
  case Reduction::Sum:
    return arith::AddFOp::create(builder, emit.getLoc(), a, b);
  case Reduction::Min:
    if (!hasNaN)
      return emit.min(a, b);
    return arith::MinimumFOp::create(builder, emit.getLoc(), a, b);
  case Reduction::Max:
    if (!hasNaN)
      return emit.max(a, b);
    return arith::MaximumFOp::create(builder, emit.getLoc(), a, b);
  }
  llvm_unreachable("no other reductions");
}

/// 1 for each lane before `size`.
static Value lanesBefore(Emit &emit, Value size) {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  auto type = VectorType::get({laneCount}, builder.getI64Type());
  SmallVector<int64_t> numbers(laneCount);
  std::iota(numbers.begin(), numbers.end(), 0);
  Value lanes = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
  Value sizes = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < laneCount; ++i)
    sizes =
        LLVM::InsertElementOp::create(builder, loc, sizes, size, emit.index(i));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lanes,
                               sizes);
}

Value Lanes::add(Emit &emit, Value lanes, ChunkArray &chunk, Value size) const {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  if (chunk.getSize() <= laneCount) {
    chunk.fillTail(emit, size, neutral(emit, chunk.getType()));
    return add(emit, lanes, chunk);
  }
  // A chunk of a small field has few elements, all in the first group of lanes.
  // The other groups would only add neutral elements.
  Value isFew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                      size, emit.index(laneCount));
  auto choice = scf::IfOp::create(
      builder, loc, isFew,
      [&](OpBuilder &inner, Location) {
        Emit few(inner, loc);
        Type vector = VectorType::get({laneCount}, chunk.getType());
        Value values = pmk::LoadOp::create(inner, loc, vector,
                                           chunk.getMemory(), few.index(0));
        values = arith::SelectOp::create(inner, loc, lanesBefore(few, size),
                                         values, initial(few, chunk.getType()));
        Value sum = combine(few, lanes, few.cast(values, lanes.getType()));
        scf::YieldOp::create(inner, loc, sum);
      },
      [&](OpBuilder &inner, Location) {
        Emit many(inner, loc);
        chunk.fillTail(many, size, neutral(many, chunk.getType()));
        scf::YieldOp::create(inner, loc, add(many, lanes, chunk));
      });
  return choice.getResult(0);
}

Value Lanes::add(Emit &emit, Value lanes, ChunkArray &chunk) const {
  OpBuilder &builder = emit.getBuilder();
  Type vector = VectorType::get({laneCount}, chunk.getType());
  for (int64_t first = 0; first < chunk.getSize(); first += laneCount) {
    Value values = pmk::LoadOp::create(builder, emit.getLoc(), vector,
                                       chunk.getMemory(), emit.index(first));
    lanes = combine(emit, lanes, emit.cast(values, lanes.getType()));
  }
  return lanes;
}

Value Lanes::finish(Emit &emit, Value lanes) const {
  OpBuilder &builder = emit.getBuilder();
  SmallVector<Value> parts;
  for (int64_t i = 0; i < laneCount; ++i)
    parts.push_back(LLVM::ExtractElementOp::create(builder, emit.getLoc(),
                                                   lanes, emit.index(i)));
  while (parts.size() > 1) {
    SmallVector<Value> pairs;
    for (size_t i = 0; i < parts.size(); i += 2)
      pairs.push_back(combine(emit, parts[i], parts[i + 1]));
    parts = pairs;
  }
  return parts.front();
}
