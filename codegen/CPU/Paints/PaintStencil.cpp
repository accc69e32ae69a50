//===- PaintStencil.cpp - Meshes computed from painted fields -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Paints/PaintStencil.h"

#include "codegen/Lowering/Emit.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

PaintStencil::PaintStencil(Paint &paint) : paint(paint) {
  ScatterOp op = paint.getOp();
  taps = op.getCellTaps();
  for (const Tap &tap : taps) {
    Row row(tap.field, tap.offsets.drop_back());
    auto *known = llvm::find(rows, row);
    rowOf.push_back(size_t(known - rows.begin()));
    if (known == rows.end())
      rows.push_back(row);
  }
  for (size_t d = 0; d < op.getMeshType().getDims().size(); ++d) {
    auto [low, high] = getDistance(taps, d);
    below.push_back(low);
    above.push_back(high);
  }
}

SmallVector<int64_t> PaintStencil::getRows() const {
  SmallVector<int64_t> numbers;
  for (const auto &[field, offsets] : rows) {
    numbers.push_back(int64_t(field));
    llvm::append_range(numbers, offsets);
  }
  return numbers;
}

void PaintStencil::emit(Kernel &kernel) {
  OpBuilder &builder = kernel.body();
  Location loc = paint.getLoc();
  Emit emit(builder, loc);
  ScatterOp op = paint.getOp();
  IRMapping outside;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getCell(), captured);
  for (Value value : captured)
    outside.map(value, kernel.get(value));
  SmallVector<Value> from, to;
  for (size_t r = 0; r < rows.size(); ++r)
    from.push_back(emit.at(kernel.extra(3),
                           emit.load(kernel.extra(2), emit.index(int64_t(r)))));
  for (size_t m = 0; m < op.getOuts().size(); ++m)
    to.push_back(emit.at(kernel.extra(4),
                         emit.mul(kernel.extra(1), emit.index(int64_t(m)))));
  // Cells are whole cache lines. The product says so, so that no loop remains
  // for the rest of a vector.
  int64_t line = 64 / (paint.getCell().getIntOrFloatBitWidth() / 8);
  Value size =
      emit.mul(emit.div(kernel.extra(0), emit.index(line)), emit.index(line));
  Block &cell = op.getCell().front();
  forLoop(builder, loc, emit.index(0), size, [&](OpBuilder &inner, Value i) {
    Emit at(inner, loc);
    IRMapping values = outside;
    for (auto [tap, row, argument] :
         llvm::zip_equal(taps, rowOf, cell.getArguments()))
      values.map(argument,
                 at.load(from[row], at.add(i, at.index(tap.offsets.back()))));
    for (Operation &inCell : cell.without_terminator())
      allowContraction(inner.clone(inCell, values));
    for (auto [row, value] : llvm::zip_equal(to, op.getCellYields()))
      at.store(values.lookupOrDefault(value), row, i);
  });
}
