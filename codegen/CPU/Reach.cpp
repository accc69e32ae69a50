//===- Reach.cpp - How far particles reach out of a rank's part -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A parallel reduction of the lowest and the highest first cell along every
// mesh dim; the runtime makes widths of them. Readouts and paint trust these
// to the last cell, so bodies are evaluated here as they are there.
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Reach.h"
#include "codegen/CPU/Launch.h"
#include "codegen/CPU/Register.h"
#include "codegen/Common/Body.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct ReachLowering
    : CPUKernelOpInterface::ExternalModel<ReachLowering, ReachOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto reach = cast<ReachOp>(op);
    lowerReach(reach, context,
               [&](OpBuilder &host) { return measure(context, host, reach); });
    return success();
  }

private:
  static Value measure(LoweringContext &context, OpBuilder &host,
                       ReachOp reach) {
    Location loc = reach.getLoc();
    auto domain = cast<DomainOpInterface>(reach.getOperation());
    Placement placement = getPlacement(reach);
    Extents extents(context, host, loc);
    Kernel kernel(context, host, loc, "reach");
    Body::capture(domain, kernel, extents);
    Type i64 = host.getI64Type(), f64 = host.getF64Type();
    kernel.create({i64, i64, pmk::ViewType::get(f64)});
    emitKernel(reach, placement, context, kernel, extents);

    auto width = int64_t(2 * placement.getMesh().size());
    Value bounds = context.frame(host, f64, width);
    Launch(context, host, loc, "reach")
        .reduce(kernel, getParts(host, extents, domain), width, Reduction::Min,
                bounds);
    return Emit(host, loc).view(bounds, f64);
  }

  static void emitKernel(ReachOp reach, const Placement &placement,
                         LoweringContext &context, Kernel &kernel,
                         Extents &extents) {
    Location loc = reach.getLoc();
    auto domain = cast<DomainOpInterface>(reach.getOperation());
    SmallVector<Value> offsets(Body::getYields(domain));
    OpBuilder &builder = kernel.body();
    Body body(domain, kernel, extents, offsets);
    body.forbidContraction();
    auto isWhole = [&](size_t d) {
      return placement.getMesh()[d].getAxes().empty();
    };
    Lanes minimum(Reduction::Min), maximum(Reduction::Max);
    SmallVector<ChunkArray> cells;
    SmallVector<Value> lanes;
    Emit emit(builder, loc);
    for (size_t d = 0; d < offsets.size(); ++d) {
      cells.emplace_back(builder, builder.getF64Type());
      lanes.push_back(minimum.initial(emit));
      lanes.push_back(maximum.initial(emit));
    }
    auto element = [&](OpBuilder &inner, Value i) {
      SmallVector<Value> u = body.evaluate(inner, i, offsets);
      Emit at(inner, loc);
      for (auto [d, array] : llvm::enumerate(cells)) {
        // Of dims that are whole, only whether all is finite: 0 or NaN.
        Value cell =
            isWhole(d)
                ? at.sub(u[d], u[d])
                : placement.getUnwrappedCell(at, body.getExtents(),
                                             body.getCoordinates(), d, u[d]);
        array.store(at, cell, i);
      }
    };
    auto chunk = [&](OpBuilder &inner, Value first, Value size,
                     ValueRange before) {
      Emit at(inner, loc);
      body.enterChunk(inner, first, size);
      forLoop(inner, loc, at.index(0), size, element);
      SmallVector<Value> after;
      for (auto [d, array] : llvm::enumerate(cells)) {
        // A value of the chunk once more changes no extreme.
        array.fillTail(at, size, array.load(at, at.index(0)));
        after.push_back(minimum.add(at, before[2 * d], array));
        after.push_back(isWhole(d) ? before[2 * d + 1]
                                   : maximum.add(at, before[2 * d + 1], array));
      }
      return after;
    };
    lanes = forParts(builder, loc, body.getDims(), body.getExtents(),
                     kernel.extra(0), kernel.extra(1), lanes,
                     [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                         Value to, ValueRange before) {
                       body.enterRow(inner, outer);
                       return forChunks(inner, loc, from, to, before, chunk);
                     });
    for (size_t slot = 0; slot < lanes.size(); ++slot) {
      Value value = slot % 2 == 0 ? minimum.finish(emit, lanes[slot])
                    : isWhole(slot / 2)
                        ? minimum.finish(emit, lanes[slot - 1])
                        : emit.negate(maximum.finish(emit, lanes[slot]));
      Value at = emit.index(int64_t(slot));
      Value before = emit.load(kernel.extra(2), at);
      emit.store(minimum.combine(emit, before, value), kernel.extra(2), at);
    }
  }
};

} // namespace

void pmc::codegen::registerReachLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReachOp::attachInterface<ReachLowering>(*context);
  });
}
