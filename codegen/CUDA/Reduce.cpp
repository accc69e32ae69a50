//===- Reduce.cpp - Reductions as kernels for GPUs ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/BlockReduction.h"
#include "codegen/CUDA/FieldReduce.h"
#include "codegen/CUDA/Register.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct DeviceReduceLowering
    : CUDAKernelOpInterface::ExternalModel<DeviceReduceLowering, ReduceOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto reduce = cast<ReduceOp>(op);
    auto domain = cast<DomainOpInterface>(op);
    bringTables(domain, context);
    if (reduce.getScalars().empty())
      return lowerDeviceFieldReduce(reduce, context);
    Location loc = op->getLoc();
    OpBuilder host(op);
    Reduction kind = reduce.getKind();
    ScalarReduction reduction(domain, context, host, stringifyReduction(kind),
                              kind, int64_t(reduce.getScalars().size()));
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, reduction.getKernel(), reduction.getExtents(), yields,
              Body::Reading::ByElement);
    Value out = reduction.emit(body, [&](OpBuilder &builder, Value i) {
      return body.evaluate(builder, i, yields);
    });
    Emit emit(host, loc);
    for (auto [j, scalar] : llvm::enumerate(reduce.getScalars()))
      scalar.replaceAllUsesWith(emit.load(out, emit.index(int64_t(j))));
    return success();
  }
};

} // namespace

void pmc::codegen::registerDeviceReduceLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReduceOp::attachInterface<DeviceReduceLowering>(*context);
  });
}
