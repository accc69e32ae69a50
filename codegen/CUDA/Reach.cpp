//===- Reach.cpp - How far particles reach, on GPUs -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Reach.h"
#include "codegen/CUDA/BlockReduction.h"
#include "codegen/CUDA/Register.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct DeviceReachLowering
    : CUDAKernelOpInterface::ExternalModel<DeviceReachLowering, ReachOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto reach = cast<ReachOp>(op);
    bringTables(cast<DomainOpInterface>(op), context);
    lowerReach(reach, context,
               [&](OpBuilder &host) { return measure(context, host, reach); });
    return success();
  }

private:
  static Value measure(LoweringContext &context, OpBuilder &host,
                       ReachOp reach) {
    auto domain = cast<DomainOpInterface>(reach.getOperation());
    Placement placement = getPlacement(reach);
    SmallVector<Value> offsets(Body::getYields(domain));
    ScalarReduction reduction(domain, context, host, "reach", Reduction::Min,
                              int64_t(2 * offsets.size()));
    Body body(domain, reduction.getKernel(), reduction.getExtents(), offsets,
              Body::Reading::ByElement);
    body.forbidContraction();
    return reduction.emit(body, [&](OpBuilder &builder, Value i) {
      SmallVector<Value> u = body.evaluate(builder, i, offsets), values;
      Emit emit(builder, reach.getLoc());
      for (unsigned d = 0; d < u.size(); ++d) {
        Value cell = placement.getUnwrappedCell(emit, body.getExtents(),
                                                body.getCoordinates(), d, u[d]);
        values.append({cell, emit.negate(cell)});
      }
      return values;
    });
  }
};

} // namespace

void pmc::codegen::registerDeviceReachLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReachOp::attachInterface<DeviceReachLowering>(*context);
  });
}
