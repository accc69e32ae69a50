//===- Partials.cpp - Accumulators of a reduction's results ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Partials.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

int64_t Partials::count(ArrayRef<DimAttr> dims) {
  int64_t product = 1;
  for (DimAttr dim : dims)
    product *= dim.getStoredExtent();
  return product;
}

bool Partials::fit(ArrayRef<DimAttr> dims, size_t fields) {
  constexpr double most = 32768;
  double wanted = double(fields);
  for (DimAttr dim : dims) {
    if (!dim.getAxes().empty())
      return false;
    wanted *= double(dim.getStoredExtent());
  }
  return wanted <= most;
}

void Partials::add(Emit &emit, const Lanes &lanes, Value cell,
                   ArrayRef<Value> values) const {
  Type f64 = emit.getBuilder().getF64Type();
  for (auto [j, value] : llvm::enumerate(values)) {
    Value at = emit.add(cell, emit.index(int64_t(j) * cells));
    Value before = emit.load(memory, at);
    emit.store(lanes.combine(emit, before, emit.cast(value, f64)), memory, at);
  }
}

void Partials::reduce(LoweringContext &context, OpBuilder &host, Location loc,
                      StringRef title, Kernel &kernel, const Parts &parts,
                      Reduction kind, ArrayRef<Value> outs) const {
  Type f64 = host.getF64Type();
  Launch launch(context, host, loc, title);
  int64_t width = cells * int64_t(outs.size());
  auto element = [](Value out) {
    return cast<GridType>(out.getType()).getElementType();
  };
  if (outs.size() == 1 && element(outs.front()).isF64())
    return launch.reduce(kernel, parts, width, kind,
                         context.data(host, outs.front()));
  Value memory = context.scratch(host, width);
  launch.reduce(kernel, parts, width, kind, memory);
  Emit emit(host, loc);
  Value sums = emit.span(memory, f64);
  for (auto [j, out] : llvm::enumerate(outs)) {
    Value data = emit.span(context.data(host, out), element(out));
    int64_t origin = int64_t(j) * cells;
    forLoop(host, loc, emit.index(0), emit.index(cells),
            [&](OpBuilder &inner, Value i) {
              Emit at(inner, loc);
              Value sum = at.load(sums, at.add(i, at.index(origin)));
              at.store(at.cast(sum, element(out)), data, i);
            });
  }
}
