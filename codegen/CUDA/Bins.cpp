//===- Bins.cpp - Sums into bins on GPUs ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Register.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/CUDA/ThreadPartials.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct DeviceBinsLowering
    : CUDAKernelOpInterface::ExternalModel<DeviceBinsLowering, BinsOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto bins = cast<BinsOp>(op);
    auto domain = cast<DomainOpInterface>(op);
    SmallVector<Value> outs(bins.getOuts());
    if (failed(checkCommonDims(bins, outs)))
      return failure();
    bringTables(domain, context);
    // Too many accumulators for one pass: every result in a pass of its own.
    bool atOnce = ThreadPartials::fit(getDims(outs.front()), outs.size());
    for (size_t j = 0; j < outs.size(); j += atOnce ? outs.size() : 1)
      sum(bins, context, j, atOnce ? outs.size() : 1);
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
    DeviceKernel kernel(context, host, loc, "bins");
    Body::capture(domain, kernel, extents);
    OperandRange yields = Body::getYields(domain);
    SmallVector<Value> wanted{yields.front()};
    llvm::append_range(wanted, yields.drop_front().slice(begin, count));
    SmallVector<Value> outs(bins.getOuts().slice(begin, count));
    Threads threads(domain.getDomainDims());
    ThreadPartials partials(context, host, kernel, threads, Reduction::Sum,
                            outs);
    kernel.create();
    Body body(domain, kernel, extents, wanted, Body::Reading::ByElement);
    int64_t cells = getDims(outs.front()).front().getStoredExtent();
    threads.forElements(
        kernel, body, {}, [&](OpBuilder &builder, Value i, ValueRange) {
          SmallVector<Value> values = body.evaluate(builder, i, wanted);
          Value isInside = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ult, values.front(),
              Emit(builder, loc).index(cells));
          scf::IfOp::create(
              builder, loc, isInside, [&](OpBuilder &inner, Location) {
                Emit at(inner, loc);
                partials.add(at, values.front(), ArrayRef(values).drop_front());
                scf::YieldOp::create(inner, loc);
              });
          return SmallVector<Value>();
        });
    partials.reduce("bins", getTraffic(host, extents, domain));
  }
};

} // namespace

void pmc::codegen::registerDeviceBinsLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    BinsOp::attachInterface<DeviceBinsLowering>(*context);
  });
}
