//===- Fourier.cpp - Fourier transforms -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Fourier.h"
#include "codegen/Calls/Register.h"
#include "codegen/Lowering/LoweringContext.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

template <typename Transform>
struct FourierLowering
    : LowerableOpInterface::ExternalModel<FourierLowering<Transform>,
                                          Transform> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto transform = cast<Transform>(op);
    constexpr bool forward = std::is_same_v<Transform, FFTOp>;
    // The runtime's transform has no factor, and so has an inverse one.
    if (forward && !transform.getRaw())
      return op->emitOpError("must be raw by now: its factor belongs to a map");
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value in = op->getOperand(0), out = transform.getOuts()[0];
    uint32_t mask =
        getTransformedDims(cast<BufferType>(in.getType()), transform.getOver());
    context.planTransform(loc, forward, mask, in, out);
    context.call(builder, loc, PMRT_FUNCTION(pmrt_fft),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc),
                  context.constant(builder, int64_t(forward), 32),
                  context.constant(builder, int64_t(mask), 32),
                  context.array(builder, in), context.array(builder, out)});
    return success();
  }
};

} // namespace

void pmc::codegen::registerFourierLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    FFTOp::attachInterface<FourierLowering<FFTOp>>(*context);
    IFFTOp::attachInterface<FourierLowering<IFFTOp>>(*context);
  });
}
