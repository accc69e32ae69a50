//===- Reach.cpp - How far particles reach --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Reach.h"
#include "codegen/Common/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Placement pmc::codegen::getPlacement(ReachOp op) {
  return {op.getWindow(), op.getFree(), op.getMesh().getDims(),
          cast<DomainOpInterface>(op.getOperation()).getDomainDims()};
}

/// Whether there is a mesh dim of which this rank does not own everything. Then
/// no rank does.
static Value isSplit(LoweringContext &context, OpBuilder &host, ReachOp reach) {
  Location loc = reach.getLoc();
  Emit emit(host, loc);
  Extents extents(context, host, loc);
  Value split = emit.constant(host.getI1Type(), 0);
  for (DimAttr dim : reach.getMesh().getDims())
    if (!dim.getAxes().empty())
      split = arith::OrIOp::create(
          host, loc, split,
          emit.less(extents.extent(dim), emit.index(dim.getStoredExtent())));
  return split;
}

void pmc::codegen::lowerReach(ReachOp reach, LoweringContext &context,
                              MeasureReach measure) {
  Location loc = reach.getLoc();
  OpBuilder host(reach);
  Emit emit(host, loc);
  ArrayRef<DimAttr> mesh = reach.getMesh().getDims();
  Value made = createReach(context, host);
  Value below = getBelow(made), above = getAbove(host, loc, made);
  for (size_t d = 0; d < mesh.size(); ++d)
    for (Value widths : {below, above})
      emit.store(emit.index(0), emit.view(widths, host.getI64Type()),
                 emit.index(int64_t(d)));
  auto branch = scf::IfOp::create(host, loc, isSplit(context, host, reach),
                                  /*withElseRegion=*/false);
  OpBuilder inner = OpBuilder::atBlockBegin(branch.thenBlock());
  Value bounds = measure(inner);
  Emit at(inner, loc);
  Type f64 = inner.getF64Type();
  SmallVector<Value> lowest, highest;
  for (int64_t d = 0; d < int64_t(mesh.size()); ++d) {
    lowest.push_back(at.load(bounds, at.index(2 * d)));
    highest.push_back(at.negate(at.load(bounds, at.index(2 * d + 1))));
  }
  context.call(
      inner, loc, PMRT_FUNCTION(pmrt_reach),
      {context.getContext(inner), context.null(inner),
       context.location(inner, loc), context.shape(inner, loc, mesh, f64),
       context.pack(inner, lowest, f64), context.pack(inner, highest, f64),
       context.constant(inner, int64_t(getPlacement(reach).getSupport()), 32),
       below, above});
  reach->getResult(0).replaceAllUsesWith(made);
}
