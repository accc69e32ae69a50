//===- Margins.cpp - Cells that are read beyond a rank's part -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Halos/Margins.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

void Margin::add(size_t dim, Widths apart, Widths meeting, int64_t count) {
  below[dim] = std::max(below[dim], apart.first);
  above[dim] = std::max(above[dim], apart.second);
  meetingBelow[dim] = std::max(meetingBelow[dim], meeting.first);
  meetingAbove[dim] = std::max(meetingAbove[dim], meeting.second);
  blocks[dim] = std::max(blocks[dim], count);
}

Value Margin::build(OpBuilder &builder, Location loc, DimsAttr dims) const {
  auto array = [&](ArrayRef<int64_t> numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  };
  if (below == meetingBelow && above == meetingAbove)
    return MarginOp::create(builder, loc, dims, array(below), array(above),
                            nullptr, nullptr, nullptr);
  return MarginOp::create(builder, loc, dims, array(below), array(above),
                          array(blocks), array(meetingBelow),
                          array(meetingAbove));
}

Operation *pmc::passes::getExchangePlace(Operation *reader, Value field) {
  Operation *place = reader;
  for (Operation *outer = reader->getParentOp();
       isa<LoopLikeOpInterface>(outer) &&
       !outer->isAncestor(field.getParentBlock()->getParentOp());
       outer = outer->getParentOp())
    place = outer;
  return place;
}
