//===- Launch.cpp - Parallel loops on the host ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Launch.h"

#include "codegen/Common/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Parts pmc::codegen::getParts(OpBuilder &host, Extents &extents,
                             DomainOpInterface op) {
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
  Value each = emit.index(std::max<int64_t>(bytes, 1));
  if (dims.size() == 1)
    return {extents.extent(dims.front()), each};
  return {extents.count(dims.drop_back()),
          emit.mul(each, extents.extent(dims.back()))};
}

void Launch::loop(Kernel &kernel, const Parts &parts) {
  context.call(host, loc, PMRT_FUNCTION(pmrt_parallel_for),
               {context.getContext(host), context.null(host),
                context.location(host, loc), context.string(host, title),
                kernel.address(), kernel.arguments(), parts.count,
                parts.bytes});
}

void Launch::reduce(Kernel &kernel, const Parts &parts, int64_t width,
                    Reduction kind, Value out) {
  context.call(host, loc, PMRT_FUNCTION(pmrt_parallel_reduce),
               {context.getContext(host), context.null(host),
                context.location(host, loc), context.string(host, title),
                kernel.address(), kernel.arguments(), parts.count, parts.bytes,
                context.constant(host, width, 64),
                reductionCode(context, host, kind), out});
}
