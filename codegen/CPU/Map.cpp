//===- Map.cpp - Elementwise maps become parallel loops -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Launch.h"
#include "codegen/CPU/Register.h"
#include "codegen/Common/Body.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// Elements of a loop that is not worth vector code.
constexpr int64_t shortLoop = 16384;

struct MapLowering : CPUKernelOpInterface::ExternalModel<MapLowering, MapOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto map = cast<MapOp>(op);
    auto domain = cast<DomainOpInterface>(op);
    Location loc = op->getLoc();
    OpBuilder host(op);
    Extents extents(context, host, loc);
    bool reads = !map.getBody().getOps<InterpolateOp>().empty();
    Kernel kernel(context, host, loc, reads ? "readout" : "map");
    Body::capture(domain, kernel, extents);
    // Tables over an axis: programs have many of them, and run them in no time.
    ArrayRef<DimAttr> dims = domain.getDomainDims();
    if (dims.size() == 1 && dims.front().getExtent() <= shortLoop)
      kernel.preferSize();
    Type i64 = host.getI64Type();
    kernel.create({i64, i64});
    emitKernel(map, context, kernel, extents);
    Launch(context, host, loc, reads ? "readout" : "map")
        .loop(kernel, getParts(host, extents, domain));
    return success();
  }

private:
  static void emitKernel(MapOp map, LoweringContext &context, Kernel &kernel,
                         Extents &extents) {
    Location loc = map.getLoc();
    auto domain = cast<DomainOpInterface>(map.getOperation());
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, kernel, extents, yields);
    ArrayRef<DimAttr> dims = body.getDims();

    auto row = [&](OpBuilder &builder, ArrayRef<Value> outer, Value from,
                   Value to, ValueRange) {
      body.enterRow(builder, outer);
      Emit at(builder, loc);
      SmallVector<Value> start(outer);
      start.push_back(at.index(0));
      Value origin = body.getExtents().linear(at, dims, start);
      SmallVector<Value> rows;
      for (Value out : map.getOuts())
        rows.push_back(at.at(kernel.get(out), origin));
      auto element = [&](OpBuilder &inner, Value i) {
        SmallVector<Value> values = body.evaluate(inner, i, yields);
        Emit emit(inner, loc);
        for (auto [value, out] : llvm::zip_equal(values, rows))
          emit.store(value, out, body.getCoordinates().back());
      };
      if (!body.needsChunks()) {
        forLoop(builder, loc, from, to, element);
        return SmallVector<Value>();
      }
      return forChunks(
          builder, loc, from, to, {},
          [&](OpBuilder &inner, Value first, Value size, ValueRange) {
            body.enterChunk(inner, first, size);
            forLoop(inner, loc, Emit(inner, loc).index(0), size, element);
            return SmallVector<Value>();
          });
    };
    forParts(kernel.body(), loc, dims, body.getExtents(), kernel.extra(0),
             kernel.extra(1), {}, row);
  }
};

} // namespace

void pmc::codegen::registerMapLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<MapLowering>(*context);
  });
}
