//===- Bins.cpp - Sums into bins ------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Partials.h"
#include "codegen/CPU/Register.h"
#include "codegen/Common/Body.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct BinsLowering
    : CPUKernelOpInterface::ExternalModel<BinsLowering, BinsOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto bins = cast<BinsOp>(op);
    SmallVector<Value> outs(bins.getOuts());
    if (failed(checkCommonDims(bins, outs)))
      return failure();
    // Too many accumulators for a frame: every result in a pass of its own,
    // right into its buffer.
    if (Partials::fit(getDims(outs.front()), outs.size())) {
      sum(bins, context, 0, outs.size());
      return success();
    }
    for (size_t j = 0; j < outs.size(); ++j)
      sum(bins, context, j, 1);
    return success();
  }

private:
  /// Sums `count` of the values.
  static void sum(BinsOp bins, LoweringContext &context, size_t begin,
                  size_t count) {
    auto domain = cast<DomainOpInterface>(bins.getOperation());
    Location loc = bins.getLoc();
    OpBuilder host(bins);
    Extents extents(context, host, loc);
    Kernel kernel(context, host, loc, "bins");
    Body::capture(domain, kernel, extents);
    Type i64 = host.getI64Type();
    kernel.create({i64, i64, pmk::ViewType::get(host.getF64Type())});

    OperandRange yields = Body::getYields(domain);
    SmallVector<Value> wanted{yields.front()};
    llvm::append_range(wanted, yields.drop_front().slice(begin, count));
    SmallVector<Value> outs(bins.getOuts().slice(begin, count));
    ArrayRef<DimAttr> cells = getDims(outs.front());
    Body body(domain, kernel, extents, wanted);
    Partials partials(cells, kernel.extra(2));
    emitKernel(bins, context, kernel, body, wanted, partials,
               cells.front().getStoredExtent());
    partials.reduce(context, host, loc, "bins", kernel,
                    getParts(host, extents, domain), Reduction::Sum, outs);
  }

  static void emitKernel(BinsOp bins, LoweringContext &context, Kernel &kernel,
                         Body &body, ArrayRef<Value> wanted,
                         const Partials &partials, int64_t cells) {
    Location loc = bins.getLoc();
    SmallVector<ChunkArray> arrays;
    for (Value value : wanted)
      arrays.emplace_back(kernel.body(), value.getType());
    auto chunk = [&](OpBuilder &builder, Value first, Value size, ValueRange) {
      Emit emit(builder, loc);
      body.enterChunk(builder, first, size);
      forLoop(builder, loc, emit.index(0), size,
              [&](OpBuilder &inner, Value i) {
                SmallVector<Value> values = body.evaluate(inner, i, wanted);
                Emit at(inner, loc);
                for (auto [array, value] : llvm::zip_equal(arrays, values))
                  array.store(at, value, i);
              });
      forLoop(builder, loc, emit.index(0), size,
              [&](OpBuilder &inner, Value i) {
                addToBin(inner, loc, arrays, partials, cells, i);
              });
      return SmallVector<Value>();
    };
    forParts(kernel.body(), loc, body.getDims(), body.getExtents(),
             kernel.extra(0), kernel.extra(1), {},
             [&](OpBuilder &builder, ArrayRef<Value> outer, Value from,
                 Value to, ValueRange) {
               body.enterRow(builder, outer);
               return forChunks(builder, loc, from, to, {}, chunk);
             });
  }

  static void addToBin(OpBuilder &builder, Location loc,
                       MutableArrayRef<ChunkArray> arrays,
                       const Partials &partials, int64_t cells, Value i) {
    Emit emit(builder, loc);
    Value bin = arrays.front().load(emit, i);
    Value isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, bin, emit.index(cells));
    scf::IfOp::create(builder, loc, isInside, [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      SmallVector<Value> values;
      for (ChunkArray &array : arrays.drop_front())
        values.push_back(array.load(at, i));
      partials.add(at, Lanes(Reduction::Sum), bin, values);
      scf::YieldOp::create(inner, loc);
    });
  }
};

} // namespace

void pmc::codegen::registerBinsLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    BinsOp::attachInterface<BinsLowering>(*context);
  });
}
