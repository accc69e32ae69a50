//===- Painter.cpp - A chunk of particles is painted ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Painter.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Value pmc::codegen::nanUnlessValid(Emit &emit, ArrayRef<Value> offsets) {
  Type f64 = emit.getBuilder().getF64Type();
  return emit.select(
      isValid(emit, offsets), emit.constant(f64, 0),
      emit.constant(f64, std::numeric_limits<double>::quiet_NaN()));
}

Painter::Painter(ScatterOp scatter, ArrayRef<Value> halos, OpBuilder &builder,
                 Kernel &kernel, Body &body, Value selection)
    : scatter(scatter), halos(halos), kernel(kernel), body(body),
      selection(selection), loc(scatter.getLoc()),
      element(scatter.getMeshType().getElementType()),
      placement(getPlacement(scatter)), rule(scatter),
      painted(scatter.getYieldedOffsets()),
      stencils(builder, placement, element, rule.getOrders()) {
  llvm::append_range(painted, scatter.getYieldedWeights());
  if (!rule.hasOneWeight())
    for (size_t i = 0; i < rule.getOrders().size(); ++i)
      weights.emplace_back(builder, element);
  if (selection) {
    chosen.emplace_back(builder, builder.getI64Type());
    flags.emplace_back(builder, builder.getI64Type());
  }
}

void Painter::testPositions(OpBuilder &builder) {
  tests.emplace_back(builder, builder.getF64Type());
}

Value Painter::prepare(OpBuilder &builder, Value size) {
  Value begin = Emit(builder, loc).index(0);
  Value count = selection ? choose(builder, size) : size;
  size_t rank = placement.getMesh().size();
  forLoop(builder, loc, begin, count, [&](OpBuilder &inner, Value i) {
    Emit emit(inner, loc);
    Value particle = selection ? chosen.front().load(emit, i) : i;
    SmallVector<Value> values = body.evaluate(inner, particle, painted);
    ArrayRef<Value> all(values);
    stencils.store(emit,
                   rule.getStencil(emit, placement, body.getExtents(),
                                   getHalo(), body.getCoordinates(), all,
                                   element),
                   i);
    for (auto [array, value] : llvm::zip(weights, all.drop_front(rank)))
      array.store(emit, value, i);
    for (ChunkArray &array : tests)
      array.store(emit, nanUnlessValid(emit, all.take_front(rank)), i);
  });
  return count;
}

/// Finds the particles of a chunk that are painted: in a loop that vectorises,
/// and one that packs them. Returns how many there are.
Value Painter::choose(OpBuilder &builder, Value size) {
  Type i64 = builder.getI64Type();
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, size, [&](OpBuilder &inner, Value i) {
    Value holds = body.evaluate(inner, i, selection).front();
    Emit emit(inner, loc);
    Value flag =
        emit.select(holds, emit.constant(i64, 1), emit.constant(i64, 0));
    flags.front().store(emit, flag, i);
  });
  auto pack = [&](OpBuilder &inner, Value i, ValueRange count) {
    Emit emit(inner, loc);
    chosen.front().store(emit, i, count.front());
    Value flag = flags.front().load(emit, i);
    return SmallVector<Value>{emit.add(count.front(), flag)};
  };
  return forLoop(builder, loc, begin, size, 1, begin, pack).front();
}

void Painter::toMeshes(OpBuilder &builder, Value count) {
  SmallVector<MeshRows> whole, split;
  for (Value mesh : scatter.getOuts())
    whole.emplace_back(kernel.get(mesh));
  if (halos.empty())
    return deposit(builder, whole, count);
  for (Value halo : halos)
    split.emplace_back(body.getExtents().view(halo));
  // What is all here need not pay for looking rows up.
  Value direct = stencils.moveToMesh(builder, loc,
                                     body.getExtents().view(getHalo()), count);
  auto branch = [&](ArrayRef<MeshRows> rows) {
    return [&, rows](OpBuilder &inner, Location) {
      deposit(inner, rows, count);
      scf::YieldOp::create(inner, loc);
    };
  };
  scf::IfOp::create(builder, loc, direct, branch(whole), branch(split));
}

void Painter::deposit(OpBuilder &builder, ArrayRef<MeshRows> meshes,
                      Value count) {
  Value begin = Emit(builder, loc).index(0);
  forLoop(builder, loc, begin, count, [&](OpBuilder &inner, Value i) {
    Emit emit(inner, loc);
    Stencil stencil = stencils.load(emit, i);
    SmallVector<Value> scales;
    for (ChunkArray &array : weights)
      scales.push_back(array.load(emit, i));
    rule.forEachCell(
        emit, stencil, meshes, scales,
        [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
          Value index = row.getIndex(at, cell);
          Value before = at.load(row.base, index);
          at.store(at.add(before, weight), row.base, index);
        });
  });
}
