//===- BlockedElements.cpp - Elements in blocks of a lattice --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/BlockedElements.h"
#include "codegen/CPU/Blocks/LatticeBlock.h"

#include "codegen/Lowering/Handles.h"
#include "dialect/IR/Forms/PMReadings.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

InterpolateOp pmc::codegen::getBlockedReading(DomainOpInterface op,
                                              const ScheduleSizes &sizes) {
  auto map = dyn_cast<MapOp>(op.getOperation());
  if (!map || map.getWithin())
    return {};
  InterpolateOp reading = getOnlyReading(map);
  if (!reading || reading->getParentOp() != map)
    return {};
  // Computed cells are not in memory, where rows could read them.
  int64_t fewest = reading.isComputed() ? 1 : sizes.lattice;
  if (!hasLatticeBlocks(getParticleWindow(reading, op.getDomainDims()),
                        op.getDomainDims(), reading.getFree(), fewest) ||
      !BlockReading::canRead(reading))
    return {};
  return reading;
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
  if (!reading.isComputed())
    return;
  kernel.erase(); // computes rows
  fill.emplace(context, host, loc, (title + ".fill").str());
  Body::capture(op, *fill, extents);
  Type elements = pmk::SpanType::get(getWeightType(reading));
  fill->create({host.getI64Type(), integers, elements, elements});
  fill->setSchedule(pmk::RowsAttr::get(host.getContext(), 1));
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

/// The cells of a row, each a function of the meshes' cells near it.
void BlockedElements::emitFill() {
  OpBuilder &builder = fill->body();
  Emit emit(builder, loc);
  IRMapping outside;
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(reading.getCell(), above);
  for (Value value : above)
    outside.map(value, fill->get(value));
  auto getStride = [&](size_t d) {
    return emit.load(fill->extra(1), emit.index(int64_t(d)));
  };
  // Taps of one row of a mesh share an address.
  llvm::MapVector<std::pair<size_t, ArrayRef<int64_t>>, Value> rows;
  SmallVector<Tap> taps = reading.getCellTaps();
  for (const Tap &tap : taps) {
    Value &row = rows[{tap.field, tap.offsets.drop_back()}];
    if (row)
      continue;
    Value place =
        emit.mul(getStride(tap.offsets.size()), emit.index(int64_t(tap.field)));
    for (auto [d, offset] : llvm::enumerate(tap.offsets.drop_back()))
      place = emit.add(place, emit.mul(getStride(d), emit.index(offset)));
    row = emit.at(fill->extra(2), place);
  }
  SmallVector<Value> fields = BlockReading::getFields(reading);
  auto lanes = int64_t(llvm::PowerOf2Ceil(fields.size()));
  Block &cell = reading.getCell().front();
  forLoop(builder, loc, emit.index(0), fill->extra(0),
          [&](OpBuilder &inner, Value i) {
            Emit at(inner, loc);
            IRMapping values = outside;
            for (auto [tap, argument] :
                 llvm::zip_equal(taps, cell.getArguments()))
              values.map(argument,
                         at.load(rows[{tap.field, tap.offsets.drop_back()}],
                                 at.add(i, at.index(tap.offsets.back()))));
            for (Operation &op : cell.without_terminator())
              allowContraction(inner.clone(op, values));
            // All lanes: stores without gaps become vectors.
            Value first = at.mul(i, at.index(lanes));
            for (int64_t lane = 0; lane < lanes; ++lane)
              at.store(size_t(lane) < fields.size()
                           ? values.lookupOrDefault(fields[size_t(lane)])
                           : at.constant(getWeightType(reading), 0),
                       fill->extra(3), at.add(first, at.index(lane)));
          });
}

/// 1 if the schedule must find the boxes at the new positions because the loop
/// has a further step, and otherwise 0. Null if this is never the case.
Value BlockedElements::getRenewal() {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !op->hasAttr(renewedBoxes))
    return {};
  Emit emit(host, loc);
  Value next = emit.add(loop.getInductionVar(), loop.getStep());
  return arith::ExtUIOp::create(host, loc, host.getI64Type(),
                                emit.less(next, loop.getUpperBound()));
}

void BlockedElements::launch() {
  emitBox();
  if (fill)
    emitFill();
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
  auto launch = pmk::ParallelBlocksOp::create(
      host, loc, box.getSymbol(), block.getSymbol(), /*rows=*/{}, /*fill=*/{},
      /*fields=*/{}, /*below=*/{}, /*above=*/{}, block.getCaptures(), sizes,
      getBlockSites(particleWindow, dims.size(),
                    context.getTarget().sizes.cells),
      arrays, halos, support, each, getRenewal(), title,
      context.getTables().location(loc));
  if (Attribute boxes = op->getAttr(sharedBoxes))
    launch->setAttr(sharedBoxes, boxes);
  if (!fill) {
    launch.setRows(kernel.getSymbol());
    return;
  }
  SmallVector<int64_t> below(support.size()), above(support.size());
  for (size_t d = 0; d < support.size(); ++d)
    std::tie(below[d], above[d]) = getDistance(reading.getCellTaps(), d);
  launch.setFill(fill->getSymbol());
  launch.setFields(int32_t(BlockReading::getFields(reading).size()));
  launch.setBelow(below);
  launch.setAbove(above);
}
