//===- StencilCells.cpp - Maps of neighbors as cells ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Stencils/StencilCells.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// Cells beyond a block in each direction: the copy of the sources has them all
/// around.
constexpr int64_t mostReach = 4;
/// A block and the cells around it have about twice the cells of the block.
constexpr size_t mostOperations = 64;
/// Windows whose cells are written out.
constexpr unsigned mostSupport = 4;
constexpr int64_t mostWindowCells = 256;
/// f32 must tell cells apart.
constexpr int64_t mostCells = int64_t(1) << 22;

bool isFloat(Type type) { return type.isF32() || type.isF64(); }

/// Whether the op only computes numbers from numbers.
bool isArithmetic(Operation &op) {
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
         op.getNumRegions() == 0 && isMemoryEffectFree(&op);
}

/// Whether the neighbor is read periodically, at most `mostReach` cells away,
/// of a field over exactly the domain's dims.
bool isNear(const NeighborRead &read, MapOp map) {
  auto type = cast<GridType>(read.field.getType());
  return type.getDims() == map.getDomainDims() && read.isPeriodic &&
         llvm::all_of(read.offsets, [](int64_t offset) {
           return std::abs(offset) <= mostReach;
         });
}

} // namespace

bool pmc::passes::isStencil(MapOp map) {
  if (map.getWithin() || map.getResults().empty())
    return false;
  Type element =
      cast<GridType>(map.getResults().front().getType()).getElementType();
  auto fits = [&](Value field) {
    auto type = cast<GridType>(field.getType());
    return type.getElementType() == element &&
           type.getDims() == map.getDomainDims();
  };
  if (!isFloat(element) || !llvm::all_of(map.getResults(), fits) ||
      !llvm::all_of(map.getInputs(), fits))
    return false;
  size_t operations = 0, taps = map.getInputs().size();
  bool readsNeighbors = false;
  for (Operation &op : map.getDomainBody()->without_terminator()) {
    if (auto read = getNeighborRead(&op)) {
      if (!isNear(*read, map) || !fits(read->field))
        return false;
      readsNeighbors = true;
      ++taps;
      continue;
    }
    if (!isArithmetic(op))
      return false;
    operations += !op.hasTrait<OpTrait::ConstantLike>();
  }
  return readsNeighbors && taps <= mostTaps && operations <= mostOperations;
}

size_t pmc::passes::countTaps(MapOp map) {
  return map.getInputs().size() +
         size_t(llvm::count_if(*map.getDomainBody(), [](Operation &op) {
           return getNeighborRead(&op).has_value();
         }));
}

int64_t pmc::passes::countWindowCells(WindowAttr window, size_t rank) {
  int64_t cells = 1;
  for (size_t d = 0; d < rank; ++d)
    cells *= window.getSupport(d);
  return cells;
}

bool pmc::passes::fitsBlocks(WindowAttr window, ArrayRef<DimAttr> domain,
                             GridType mesh, int64_t leastElements,
                             CellSchedule schedule) {
  int64_t elements = 1;
  for (DimAttr dim : domain)
    elements *= dim.getStoredExtent();
  for (auto [d, dim] : llvm::enumerate(mesh.getDims()))
    if (window.getSupport(d) > mostSupport || dim.getStoredExtent() > mostCells)
      return false;
  size_t rank = mesh.getDims().size();
  // For tiles, the lattice of particles must have as many dims as the mesh.
  bool fits = schedule == CellSchedule::Tiles ? domain.size() == rank
                                              : domain.size() > 1 && rank > 1;
  return fits && rank <= 3 && elements >= leastElements &&
         isFloat(mesh.getElementType()) &&
         countWindowCells(window, rank) <= mostWindowCells;
}

void StencilCell::add(MapOp map) {
  IRMapping mapping;
  Block *body = map.getDomainBody();
  SmallVector<int64_t> here(map.getDomainDims().size(), 0);
  for (auto [input, argument] :
       llvm::zip_equal(map.getInputs(), body->getArguments()))
    mapping.map(argument, getTap({input, here}, map.getLoc()));
  for (Operation &op : body->without_terminator()) {
    if (auto read = getNeighborRead(&op)) {
      Tap tap(read->field, read->offsets);
      mapping.map(op.getResult(0), getTap(tap, op.getLoc()));
    } else {
      builder.clone(op, mapping);
    }
  }
  for (auto [result, yielded] :
       llvm::zip_equal(map.getResults(), body->getTerminator()->getOperands()))
    values.map(result, mapping.lookupOrDefault(yielded));
}

Value StencilCell::getTap(const Tap &tap, Location loc) {
  for (auto &[known, argument] : taps)
    if (known == tap)
      return argument;
  sources.insert(tap.first);
  Type element = cast<GridType>(tap.first.getType()).getElementType();
  taps.emplace_back(tap, block->addArgument(element, loc));
  return taps.back().second;
}

SmallVector<int64_t>
StencilCell::getNumbers(llvm::function_ref<size_t(Value)> numberOf) const {
  SmallVector<int64_t> numbers;
  for (const auto &[tap, argument] : taps) {
    numbers.push_back(int64_t(numberOf(tap.first)));
    llvm::append_range(numbers, tap.second);
  }
  return numbers;
}
