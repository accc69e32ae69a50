//===- Scatter.cpp - What paints have in common ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Scatter.h"
#include "codegen/Common/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// Offsets beyond are as bad as infinite ones: cells would not be exact.
static constexpr double largestOffset = double(int64_t(1) << 50);

Placement pmc::codegen::getPlacement(ScatterOp op) {
  return {op.getWindow(), op.getFree(),
          cast<GridType>(op.getOuts().front().getType()).getDims(),
          cast<DomainOpInterface>(op.getOperation()).getDomainDims()};
}

Value pmc::codegen::openMesh(ScatterOp op, LoweringContext &context,
                             OpBuilder &host) {
  Location loc = op.getLoc();
  Value mesh = context.array(host, op.getOuts().front());
  context.call(host, loc, "pmrt_zero", {},
               {context.getContext(host), context.null(host),
                context.location(host, loc), mesh});
  // The address that a reach is by now.
  OperandRange reach = op.getODSOperands(2);
  if (reach.empty())
    return {};
  Value halo =
      context.call(host, loc, "pmrt_halo_open", reach.front().getType(),
                   {context.getContext(host), context.null(host),
                    context.location(host, loc), mesh, getBelow(reach.front()),
                    getAbove(host, loc, reach.front())});
  op->getResults().back().replaceAllUsesWith(halo);
  return halo;
}

Value pmc::codegen::isValid(Emit &emit, ArrayRef<Value> offsets) {
  Type f64 = emit.getBuilder().getF64Type();
  Value valid;
  for (Value offset : offsets) {
    Value size = math::AbsFOp::create(emit.getBuilder(), emit.getLoc(),
                                      emit.cast(offset, f64));
    Value fits = emit.less(size, emit.constant(f64, largestOffset));
    valid = valid ? emit.both(valid, fits) : fits;
  }
  return valid;
}

Stencil pmc::codegen::getStencil(Emit &emit, const Placement &placement,
                                 KernelExtents &extents, Value halo,
                                 ArrayRef<Value> coordinates,
                                 ArrayRef<Value> values, Type element) {
  Stencil stencil = placement.getStencil(emit, extents, halo, coordinates,
                                         values.drop_back(), element);
  Value weight = emit.cast(values.back(), element);
  for (Value &factor : stencil.weights.front())
    factor = emit.mul(factor, weight);
  return stencil;
}
