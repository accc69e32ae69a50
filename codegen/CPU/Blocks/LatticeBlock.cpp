//===- LatticeBlock.cpp - Kernels over blocks of lattice sites ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/LatticeBlock.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

bool pmc::codegen::hasLatticeBlocks(const ParticleWindow &particleWindow,
                                    ArrayRef<DimAttr> domain, bool isFree,
                                    int64_t fewest) {
  int64_t elements = 1;
  for (DimAttr dim : domain)
    elements *= dim.getStoredExtent();
  constexpr int64_t mostCells = int64_t(1) << 22;
  auto isLong = [](DimAttr dim) { return dim.getStoredExtent() > mostCells; };
  return !isFree && !particleWindow.isWide() && domain.size() > 1 &&
         particleWindow.getMesh().size() > 1 && elements >= fewest &&
         llvm::none_of(particleWindow.getMesh(), isLong);
}

SmallVector<int64_t>
pmc::codegen::getBlockSites(const ParticleWindow &particleWindow, size_t rank,
                            int64_t cells) {
  // Long rows along the last dim, where cells are consecutive.
  constexpr int64_t rowCells = 64;
  SmallVector<int64_t> ratios(rank, 0);
  for (unsigned d = 0; d < particleWindow.getMesh().size(); ++d)
    ratios[particleWindow.latticeDim(d)] = particleWindow.getRatio(d);
  auto refined = unsigned(llvm::count_if(ratios, [](int64_t r) { return r; }));
  SmallVector<int64_t> sites(rank, 1);
  for (size_t i = rank; i-- > 0;) {
    if (ratios[i] == 0)
      continue;
    --refined;
    double along = i + 1 == rank ? double(rowCells)
                                 : std::pow(double(cells), 1.0 / (refined + 1));
    sites[i] = std::max<int64_t>(int64_t(along) / ratios[i], 1);
    cells = std::max<int64_t>(cells / int64_t(along), 1);
  }
  return sites;
}

SmallVector<Value> pmc::codegen::forSites(OpBuilder &builder, Body &body,
                                          Value range, ValueRange carried,
                                          SiteChunk chunk) {
  Location loc = body.getKernel().getLoc();
  size_t outerDims = body.getDims().size() - 1;
  SmallVector<std::pair<Value, Value>> limits;
  Emit emit(builder, loc);
  for (size_t d = 0; d <= outerDims; ++d)
    limits.emplace_back(emit.load(range, emit.index(int64_t(2 * d))),
                        emit.load(range, emit.index(int64_t(2 * d + 1))));
  SmallVector<Value> outer;
  auto nest = [&](auto &self, OpBuilder &at,
                  ValueRange before) -> SmallVector<Value> {
    auto [from, to] = limits[outer.size()];
    if (outer.size() == outerDims) {
      body.enterRow(at, outer);
      return forChunks(at, loc, from, to, body.getChunk(), before, chunk);
    }
    return forLoop(at, loc, from, to, 1, before,
                   [&](OpBuilder &inner, Value i, ValueRange values) {
                     outer.push_back(i);
                     SmallVector<Value> after = self(self, inner, values);
                     outer.pop_back();
                     return after;
                   });
  };
  return nest(nest, builder, carried);
}

void pmc::codegen::emitBox(Kernel &kernel, Body &body,
                           const ParticleWindow &particleWindow,
                           ArrayRef<Value> offsets) {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Emit emit(builder, loc);
  const Lanes least(Reduction::Min, /*hasNaN=*/false);
  const Lanes largest(Reduction::Max, /*hasNaN=*/false);
  // 0 for each particle, or NaN if its position is not finite.
  const Lanes sum(Reduction::Sum);
  Type type = offsets.front().getType();
  SmallVector<ChunkArray> cells;
  SmallVector<Value> lanes;
  for (size_t d = 0; d < offsets.size(); ++d) {
    cells.emplace_back(builder, type);
    lanes.push_back(least.initial(emit, type));
    lanes.push_back(largest.initial(emit, type));
  }
  ChunkArray tests(builder, type);
  lanes.push_back(sum.initial(emit, type));
  auto element = [&](OpBuilder &inner, Value i) {
    SmallVector<Value> u = body.evaluate(inner, i, offsets);
    Emit at(inner, loc);
    Value all;
    for (auto [d, array] : llvm::enumerate(cells)) {
      Value cell = particleWindow.getMiddleCell(
          at, body.getExtents(), body.getCoordinates(), unsigned(d), u[d]);
      array.store(at, cell, i);
      all = all ? at.add(all, cell) : cell;
    }
    tests.store(at, at.sub(all, all), i);
  };
  auto chunk = [&](OpBuilder &inner, Value first, Value size,
                   ValueRange before) {
    Emit at(inner, loc);
    body.prefetch(inner, first, size);
    body.enterChunk(inner, first, size);
    forLoop(inner, loc, at.index(0), size, element);
    SmallVector<Value> after;
    for (auto [d, array] : llvm::enumerate(cells)) {
      // A value of the chunk once more changes no extreme.
      array.fillTail(at, size, array.load(at, at.index(0)));
      after.push_back(least.add(at, before[2 * d], array));
      after.push_back(largest.add(at, before[2 * d + 1], array));
    }
    after.push_back(sum.add(at, before.back(), tests, size));
    return after;
  };
  lanes = forSites(builder, body, kernel.extra(0), lanes, chunk);
  Type f64 = builder.getF64Type();
  Value test = emit.cast(sum.finish(emit, lanes.back()), f64);
  auto store = [&](Value cell, size_t d, size_t slot) {
    Value first = emit.sub(
        emit.cast(cell, f64),
        emit.constant(f64, double(particleWindow.getBefore(unsigned(d)))));
    emit.store(emit.add(first, test), kernel.extra(1),
               emit.index(int64_t(slot)));
  };
  for (size_t d = 0; d < offsets.size(); ++d) {
    store(least.finish(emit, lanes[2 * d]), d, 2 * d);
    store(largest.finish(emit, lanes[2 * d + 1]), d, 2 * d + 1);
  }
}
