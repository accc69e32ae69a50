//===- Map.cpp - Maps as kernels for GPUs ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Register.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/CUDA/Threads.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct DeviceMapLowering
    : CUDAKernelOpInterface::ExternalModel<DeviceMapLowering, MapOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto map = cast<MapOp>(op);
    auto domain = cast<DomainOpInterface>(op);
    Location loc = op->getLoc();
    OpBuilder host(op);
    bringTables(domain, context);
    Extents extents(context, host, loc);
    bool reads = !map.getBody().getOps<InterpolateOp>().empty();
    DeviceKernel kernel(context, host, loc, reads ? "readout" : "map");
    Body::capture(domain, kernel, extents);
    kernel.create();
    Threads threads(domain.getDomainDims(), getWidth(domain));
    emitKernel(map, context, kernel, extents, threads);
    kernel.launch(threads.getItems(host, loc, extents),
                  getTraffic(host, extents, domain));
    return success();
  }

private:
  static void emitKernel(MapOp map, LoweringContext &context,
                         DeviceKernel &kernel, Extents &extents,
                         const Threads &threads) {
    Location loc = map.getLoc();
    auto domain = cast<DomainOpInterface>(map.getOperation());
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, kernel, extents, yields, Body::Reading::ByElement);
    ArrayRef<DimAttr> dims = body.getDims();
    threads.forElements(
        kernel, body, {}, [&](OpBuilder &builder, Value i, ValueRange) {
          SmallVector<Value> values = body.evaluate(builder, i, yields);
          Emit emit(builder, loc);
          Value cell =
              body.getExtents().linear(emit, dims, body.getCoordinates());
          for (auto [value, out] : llvm::zip_equal(values, map.getOuts()))
            emit.store(value, kernel.get(out), cell);
          return SmallVector<Value>();
        });
  }
};

} // namespace

void pmc::codegen::registerDeviceMapLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<DeviceMapLowering>(*context);
  });
}
