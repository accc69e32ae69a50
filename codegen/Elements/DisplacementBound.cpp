//===- DisplacementBound.cpp - How far particles go -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/DisplacementBound.h"
#include "codegen/Lowering/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

ParticleWindow pmc::codegen::getParticleWindow(DisplacementBoundOp op) {
  return {op.getWindow(), op.getFree(), op.getMesh().getDims(),
          cast<DomainOpInterface>(op.getOperation()).getDomainDims(),
          /*hasIntegerCells=*/false};
}

/// Whether there is a mesh dim of which this rank does not own everything. Then
/// no rank does.
static Value isSplit(LoweringContext &context, OpBuilder &host,
                     DisplacementBoundOp bound) {
  Location loc = bound.getLoc();
  Emit emit(host, loc);
  Extents extents(context, host, loc);
  Value split = emit.constant(host.getI1Type(), 0);
  for (DimAttr dim : bound.getMesh().getDims())
    if (!dim.getAxes().empty())
      split = arith::OrIOp::create(
          host, loc, split,
          emit.less(extents.extent(dim), emit.index(dim.getStoredExtent())));
  return split;
}

/// Whether only finiteness matters: 0 or NaN.
static bool isWhole(DimAttr dim) { return dim.getAxes().empty(); }

/// A view on the host of, for every mesh dim, the lowest first cell, and minus
/// the highest; of dims that are whole, one number.
static Value measure(DisplacementBoundOp bound, LoweringContext &context,
                     OpBuilder &host, const KernelSchedule &schedule) {
  auto domain = cast<DomainOpInterface>(bound.getOperation());
  ParticleWindow particleWindow = getParticleWindow(bound);
  SmallVector<Value> wanted(Body::getYields(domain));
  SmallVector<Type> types;
  for (DimAttr dim : particleWindow.getMesh())
    types.append(isWhole(dim) ? 1 : 2, host.getF64Type());
  std::unique_ptr<NumberReduction> loop =
      schedule.reduceToNumbers(domain, context, host, "displacement_bound",
                               Reduction::Min, int64_t(types.size()));
  Body body(domain, loop->getKernel(), loop->getExtents(), wanted,
            loop->getReading());
  body.forbidContraction();
  return loop->emit(body, types, [&](OpBuilder &builder, Value i) {
    SmallVector<Value> u = body.evaluate(builder, i, wanted), values;
    Emit emit(builder, bound.getLoc());
    Type f64 = builder.getF64Type();
    // Particles that do not count change no minimum.
    auto add = [&](Value value, double otherwise) {
      values.push_back(bound.getSelection()
                           ? emit.select(u.back(), emit.cast(value, f64),
                                         emit.constant(f64, otherwise))
                           : value);
    };
    double infinity = std::numeric_limits<double>::infinity();
    for (auto [d, dim] : llvm::enumerate(particleWindow.getMesh())) {
      if (isWhole(dim)) {
        add(emit.sub(u[d], u[d]), 0);
        continue;
      }
      Value cell = particleWindow.getUnwrappedCell(
          emit, body.getExtents(), body.getCoordinates(), d, u[d]);
      add(cell, infinity);
      add(emit.negate(cell), infinity);
    }
    return values;
  });
}

void pmc::codegen::lowerDisplacementBound(DisplacementBoundOp bound,
                                          LoweringContext &context,
                                          const KernelSchedule &schedule) {
  Location loc = bound.getLoc();
  OpBuilder host(bound);
  Emit emit(host, loc);
  ArrayRef<DimAttr> mesh = bound.getMesh().getDims();
  Value made = createDisplacementBound(context, host);
  Value below = getBelow(made), above = getAbove(host, loc, made);
  for (size_t d = 0; d < mesh.size(); ++d)
    for (Value widths : {below, above})
      emit.store(emit.index(0), emit.span(widths, host.getI64Type()),
                 emit.index(int64_t(d)));
  auto branch = scf::IfOp::create(host, loc, isSplit(context, host, bound),
                                  /*withElseRegion=*/false);
  OpBuilder inner = OpBuilder::atBlockBegin(branch.thenBlock());
  Value bounds = measure(bound, context, inner, schedule);
  Emit at(inner, loc);
  Type f64 = inner.getF64Type();
  SmallVector<Value> lowest, highest;
  int64_t slot = 0;
  ParticleWindow particleWindow = getParticleWindow(bound);
  unsigned support = particleWindow.getMostSupport();
  for (auto [d, dim] : llvm::enumerate(mesh)) {
    lowest.push_back(at.load(bounds, at.index(slot)));
    slot += !isWhole(dim);
    Value last = at.negate(at.load(bounds, at.index(slot++)));
    // The runtime takes all dims' supports for the largest.
    if (unsigned own = particleWindow.getSupport(unsigned(d)); own < support)
      last = at.sub(last, at.constant(f64, double(support - own)));
    highest.push_back(last);
  }
  context.call(
      inner, loc, PMRT_FUNCTION(pmrt_displacement_bound),
      {context.getContext(inner), context.null(inner),
       context.location(inner, loc), context.shape(inner, loc, mesh, f64),
       context.pack(inner, lowest, f64), context.pack(inner, highest, f64),
       context.constant(inner, int64_t(support), 32), below, above});
  replaceResult(bound.getBound(), made);
}
