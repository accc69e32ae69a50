//===- Parameters.cpp - Parameters and inputs -----------------------------===//
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

/// The runtime's index of a declaration, as a constant.
static FailureOr<Value> declared(LoweringContext &context, OpBuilder &builder,
                                 Operation *op, StringRef what, StringRef name,
                                 int32_t index) {
  if (index < 0)
    return op->emitOpError("names ")
           << what << " '" << name << "', which the module does not declare";
  return context.constant(builder, index, 32);
}

static FailureOr<Value> declaredInput(LoweringContext &context,
                                      OpBuilder &builder, Operation *op,
                                      StringRef name) {
  return declared(context, builder, op, "input", name,
                  context.getTables().input(name));
}

namespace {

struct ParamValueLowering
    : LowerableOpInterface::ExternalModel<ParamValueLowering, ParamValueOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto value = cast<ParamValueOp>(op);
    OpBuilder builder(op);
    FailureOr<Value> index =
        declared(context, builder, op, "parameter", value.getName(),
                 context.getTables().param(value.getName()));
    if (failed(index))
      return failure();
    Type type = value.getType();
    bool real = type.isF64();
    Value result = context.call(builder, op->getLoc(),
                                real ? PMRT_FUNCTION(pmrt_param_f64)
                                     : PMRT_FUNCTION(pmrt_param_i64),
                                {context.getContext(builder), *index});
    if (type.isInteger(1))
      result = arith::TruncIOp::create(builder, op->getLoc(), type, result);
    value.getResult().replaceAllUsesWith(result);
    return success();
  }
};

struct GivenLowering
    : LowerableOpInterface::ExternalModel<GivenLowering, GivenOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto given = cast<GivenOp>(op);
    OpBuilder builder(op);
    int32_t param = context.getTables().param(given.getName());
    bool isParam = param >= 0;
    FailureOr<Value> index =
        declared(context, builder, op, "parameter or input", given.getName(),
                 isParam ? param : context.getTables().input(given.getName()));
    if (failed(index))
      return failure();
    Value result = context.call(builder, op->getLoc(),
                                isParam ? PMRT_FUNCTION(pmrt_param_given)
                                        : PMRT_FUNCTION(pmrt_input_given),
                                {context.getContext(builder), *index});
    result = arith::TruncIOp::create(builder, op->getLoc(), builder.getI1Type(),
                                     result);
    given.getResult().replaceAllUsesWith(result);
    return success();
  }
};

struct InputValueLowering
    : LowerableOpInterface::ExternalModel<InputValueLowering, InputValueOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto input = cast<InputValueOp>(op);
    OpBuilder builder(op);
    FailureOr<Value> index =
        declaredInput(context, builder, op, input.getName());
    if (failed(index))
      return failure();
    Location loc = op->getLoc();
    SmallVector<Value> operands{context.getContext(builder),
                                context.location(builder, loc), *index};
    if (!input.getOuts().empty()) {
      operands.push_back(context.array(builder, input.getOuts()[0]));
      context.call(builder, loc, PMRT_FUNCTION(pmrt_input_field), operands);
      return success();
    }
    op->getResult(0).replaceAllUsesWith(
        context.call(builder, loc, PMRT_FUNCTION(pmrt_input_table), operands));
    return success();
  }
};

struct SampleCountLowering
    : LowerableOpInterface::ExternalModel<SampleCountLowering, SampleCountOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto count = cast<SampleCountOp>(op);
    OpBuilder builder(op);
    FailureOr<Value> index =
        declaredInput(context, builder, op, count.getName());
    if (failed(index))
      return failure();
    count.getCount().replaceAllUsesWith(
        context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_sample_count),
                     {context.getContext(builder),
                      context.location(builder, op->getLoc()), *index}));
    return success();
  }
};

/// The stream, and the number of a sample or the address of several.
template <class Op>
FailureOr<SmallVector<Value>> whichSamples(LoweringContext &context,
                                           OpBuilder &builder, Op op) {
  FailureOr<Value> stream = declaredInput(context, builder, op, op.getName());
  if (failed(stream))
    return failure();
  bool isOne = op.getIndex().getType().isInteger(64);
  return SmallVector<Value>{
      context.getContext(builder), context.location(builder, op.getLoc()),
      *stream, isOne ? op.getIndex() : context.constant(builder, 0, 64),
      isOne ? context.null(builder) : context.array(builder, op.getIndex())};
}

struct SamplesLowering
    : LowerableOpInterface::ExternalModel<SamplesLowering, SamplesOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto samples = cast<SamplesOp>(op);
    OpBuilder builder(op);
    auto operands = whichSamples(context, builder, samples);
    if (failed(operands))
      return failure();
    operands->push_back(context.array(builder, samples.getOuts()[0]));
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_samples), *operands);
    return success();
  }
};

struct PrefetchSamplesLowering
    : LowerableOpInterface::ExternalModel<PrefetchSamplesLowering,
                                          PrefetchSamplesOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    auto operands = whichSamples(context, builder, cast<PrefetchSamplesOp>(op));
    if (failed(operands))
      return failure();
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_prefetch_samples),
                 *operands);
    return success();
  }
};

} // namespace

void pmc::codegen::registerParameterLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ParamValueOp::attachInterface<ParamValueLowering>(*context);
    GivenOp::attachInterface<GivenLowering>(*context);
    InputValueOp::attachInterface<InputValueLowering>(*context);
    SampleCountOp::attachInterface<SampleCountLowering>(*context);
    SamplesOp::attachInterface<SamplesLowering>(*context);
    PrefetchSamplesOp::attachInterface<PrefetchSamplesLowering>(*context);
  });
}
