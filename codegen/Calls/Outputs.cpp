//===- Outputs.cpp - Outputs and plots ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/LoweringContext.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// Address of the addresses of the buffers' descriptions.
Value arrays(LoweringContext &context, OpBuilder &builder, ValueRange buffers) {
  SmallVector<Value> addresses;
  for (Value buffer : buffers)
    addresses.push_back(context.array(builder, buffer));
  return context.pack(builder, addresses,
                      LLVM::LLVMPointerType::get(builder.getContext()));
}

struct OutputLowering
    : LowerableOpInterface::ExternalModel<OutputLowering, OutputOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto output = cast<OutputOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    bool fields = isa<BufferType>(output.getValues()[0].getType());
    int32_t index = context.getTables().output(output.getName());
    context.call(
        builder, loc,
        fields ? PMRT_FUNCTION(pmrt_output_field)
               : PMRT_FUNCTION(pmrt_output_scalars),
        {context.getContext(builder), context.location(builder, loc),
         context.constant(builder, int64_t(index), 32),
         context.constant(builder, int64_t(output.getValues().size()), 32),
         fields ? arrays(context, builder, output.getValues())
                : context.pack(builder, output.getValues(),
                               builder.getF64Type())});
    return success();
  }
};

struct PlotLowering
    : LowerableOpInterface::ExternalModel<PlotLowering, PlotOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto plot = cast<PlotOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    int32_t index = context.getTables().plot(plot.getName());
    context.call(
        builder, loc, PMRT_FUNCTION(pmrt_plot),
        {context.getContext(builder), context.location(builder, loc),
         context.constant(builder, int64_t(index), 32),
         context.constant(builder, int64_t(plot.getValues().size()), 32),
         arrays(context, builder, plot.getValues())});
    return success();
  }
};

} // namespace

void pmc::codegen::registerOutputLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    OutputOp::attachInterface<OutputLowering>(*context);
    PlotOp::attachInterface<PlotLowering>(*context);
  });
}
