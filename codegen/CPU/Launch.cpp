//===- Launch.cpp - Parallel loops on the host ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Launch.h"

#include "codegen/Elements/Neighbor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

Parts pmc::codegen::getParts(OpBuilder &host, Extents &extents,
                             DomainOpInterface op) {
  return getParts(host, extents, op, DomainPart(op, extents, host));
}

static bool hasLoops(DomainOpInterface op) {
  return op
      ->walk([](Operation *inner) {
        return isa<scf::ForOp, scf::WhileOp>(inner) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

Parts pmc::codegen::getParts(OpBuilder &host, Extents &extents,
                             DomainOpInterface op, const DomainPart &part) {
  Emit emit(host, op.getLoc());
  ArrayRef<DimAttr> dims = op.getDomainDims();
  int64_t bytes = 0;
  auto count = [&](Value field) {
    auto type = cast<GridType>(field.getType());
    bytes += getElementBytes(type.getElementType());
  };
  // What is broadcast along the last dim is read once a row: nothing.
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<BufferType>(operand.getType()))
      if (type.getDims().back() == dims.back())
        count(operand);
  op->walk(
      [&](InterpolateOp inner) { llvm::for_each(inner.getMeshes(), count); });
  llvm::for_each(getNeighborFields(op), count);
  // The runtime gives reductions of little traffic to one thread. A loop in the
  // body may take much longer than the traffic of its element.
  if (!isa<MapOp>(op) && hasLoops(op))
    bytes = 0;
  Value each = emit.index(isa<MapOp>(op) ? std::max<int64_t>(bytes, 1) : bytes);
  if (dims.size() == 1)
    return {part.isAlong(dims.front()) ? part.count(dims)
                                       : extents.extent(dims.front()),
            each};
  return {part.count(dims.drop_back()),
          emit.mul(each, extents.extent(dims.back()))};
}

void Launch::loop(Kernel &kernel, const Parts &parts) {
  pmk::ParallelForOp::create(host, loc, kernel.getSymbol(),
                             kernel.getCaptures(), parts.count, parts.bytes,
                             title, context.getTables().location(loc));
}

void Launch::reduce(Kernel &kernel, const Parts &parts, int64_t width,
                    Reduction kind, Value out) {
  context.getTables().addSums(width);
  pmk::ParallelReduceOp::create(
      host, loc, kind, kernel.getSymbol(), kernel.getCaptures(), out, width,
      parts.count, parts.bytes, title, context.getTables().location(loc));
}
