//===- PMTaps.cpp - Elements that a cell is computed from -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMTaps.h"
#include "dialect/IR/PM.h"

using namespace mlir;
using namespace pmc::pm;

SmallVector<Tap> pmc::pm::getTaps(ArrayRef<int64_t> numbers, size_t rank) {
  SmallVector<Tap> taps;
  for (; !numbers.empty(); numbers = numbers.drop_front(rank + 1))
    taps.push_back({size_t(numbers.front()), numbers.slice(1, rank)});
  return taps;
}

std::pair<int64_t, int64_t> pmc::pm::getDistance(ArrayRef<Tap> taps,
                                                 size_t dim) {
  int64_t below = 0, above = 0;
  for (const Tap &tap : taps) {
    below = std::max(below, -tap.offsets[dim]);
    above = std::max(above, tap.offsets[dim]);
  }
  return {below, above};
}

LogicalResult pmc::pm::verifyCell(Operation *op, Region &cell,
                                  std::optional<ArrayRef<int64_t>> numbers,
                                  size_t rank, size_t fields, size_t values,
                                  Type element) {
  if (cell.empty() == numbers.has_value())
    return op->emitOpError(
        "expects taps and what computes a cell from them, or neither");
  if (cell.empty())
    return success();
  Block &block = cell.front();
  if (numbers->size() != block.getNumArguments() * (rank + 1))
    return op->emitOpError("has ")
           << numbers->size() << " numbers of taps, expected " << rank + 1
           << " for each of the " << block.getNumArguments() << " arguments";
  for (auto [tap, argument] :
       llvm::zip_equal(getTaps(*numbers, rank), block.getArguments())) {
    if (tap.field >= fields)
      return op->emitOpError("has a tap of mesh ")
             << int64_t(tap.field) << ", and " << fields << " meshes";
    if (argument.getType() != element)
      return op->emitOpError("has a cell with an argument of type ")
             << argument.getType() << ", expected " << element;
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || yield->getNumOperands() != values)
    return op->emitOpError("has a cell that does not yield ")
           << values << " numbers, one a value";
  for (Value value : yield->getOperands())
    if (value.getType() != element)
      return op->emitOpError("has a cell that yields a ")
             << value.getType() << ", expected " << element;
  return success();
}
