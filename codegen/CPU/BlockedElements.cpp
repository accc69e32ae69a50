//===- BlockedElements.cpp - Elements in blocks of a lattice --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/BlockedElements.h"
#include "codegen/CPU/LatticeBlock.h"

#include "codegen/Lowering/Handles.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

InterpolateOp pmc::codegen::getBlockedReading(DomainOpInterface op,
                                              const ScheduleSizes &sizes) {
  auto map = dyn_cast<MapOp>(op.getOperation());
  if (!map || map.getWithin())
    return {};
  SmallVector<InterpolateOp> readings;
  map.getBody().walk(
      [&](InterpolateOp reading) { readings.push_back(reading); });
  if (readings.size() != 1 || readings.front()->getParentOp() != map ||
      !hasLatticeBlocks(getParticleWindow(readings.front(), op.getDomainDims()),
                        op.getDomainDims(), readings.front().getFree(),
                        sizes.lattice) ||
      !BlockReading::canRead(readings.front(), op.getDomainDims()))
    return {};
  return readings.front();
}

BlockedElements::BlockedElements(DomainOpInterface op, InterpolateOp reading,
                                 LoweringContext &context, OpBuilder &host,
                                 StringRef title)
    : Elements(op, context, host, title), reading(reading),
      block(context, host, loc, (title + ".block").str()),
      box(context, host, loc, (title + ".box").str()) {
  for (Kernel *other : {&block, &box})
    Body::capture(op, *other, extents);
  Type integers = pmk::SpanType::get(host.getI64Type());
  block.create({integers, integers, integers,
                pmk::SpanType::get(getWeightType(reading))});
  box.create({integers, pmk::SpanType::get(host.getF64Type())});
  for (Kernel *other : {&block, &box})
    other->setSchedule(
        pmk::RowsAttr::get(host.getContext(), context.getTarget().sizes.chunk));
}

void BlockedElements::forElements(Body &body, Element element) {
  if (&body.getKernel() == &kernel)
    return Elements::forElements(body, element);
  emitBlock(body, element);
}

void BlockedElements::emitBlock(Body &body, Element element) {
  reader = std::make_unique<BlockReading>(block, reading, op.getDomainDims(),
                                          block.extra(1), block.extra(2),
                                          block.extra(3));
  body.setReader(*reader);
  forSites(block.body(), body, block.extra(0), {},
           [&](OpBuilder &inner, Value first, Value size, ValueRange) {
             body.prefetch(inner, first, size);
             body.enterChunk(inner, first, size);
             body.forEach(inner, Emit(inner, loc).index(0), size, element);
             return SmallVector<Value>();
           });
}

void BlockedElements::emitBox() {
  SmallVector<Value> offsets(reading.getOffsets());
  Body body(op, box, extents, offsets);
  // The block must find the same cells.
  body.forbidContraction();
  pmc::codegen::emitBox(
      box, body, getParticleWindow(reading, op.getDomainDims()), offsets);
}

void BlockedElements::launch() {
  emitBox();
  ArrayRef<DimAttr> dims = op.getDomainDims();
  ParticleWindow particleWindow = getParticleWindow(reading, dims);
  SmallVector<int64_t> support;
  for (unsigned d = 0; d < particleWindow.getMesh().size(); ++d)
    support.push_back(particleWindow.getSupport(d));
  SmallVector<Value> sizes, arrays, halos;
  for (DimAttr dim : dims)
    sizes.push_back(extents.extent(dim));
  for (Value mesh : BlockReading::getMeshes(reading)) {
    size_t at = size_t(llvm::find(reading.getMeshes(), mesh) -
                       reading.getMeshes().begin());
    arrays.push_back(context.array(host, mesh));
    if (!reading.getHalos().empty())
      halos.push_back(getAddress(reading.getHalos()[at]));
  }
  Parts parts = getParts();
  Emit emit(host, loc);
  Value each = emit.div(parts.bytes,
                        emit.max(extents.extent(dims.back()), emit.index(1)));
  pmk::ParallelBlocksOp::create(host, loc, box.getSymbol(), block.getSymbol(),
                                kernel.getSymbol(), kernel.getCaptures(), sizes,
                                getBlockSites(particleWindow, dims.size(),
                                              context.getTarget().sizes.cells),
                                arrays, halos, support, each, title,
                                context.getTables().location(loc));
}
