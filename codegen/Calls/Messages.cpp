//===- Messages.cpp - print, assert, progress, reversal -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/LoweringContext.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// Format (or names), count and values of a message.
void appendMessage(LoweringContext &context, OpBuilder &builder,
                   StringRef format, ValueRange values,
                   SmallVectorImpl<Value> &operands) {
  operands.push_back(context.string(builder, format));
  operands.push_back(context.constant(builder, int64_t(values.size()), 32));
  operands.push_back(context.pack(builder, values, builder.getF64Type()));
}

struct PrintLowering
    : LowerableOpInterface::ExternalModel<PrintLowering, PrintOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto print = cast<PrintOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (op->hasAttr("iterations")) { // not printed, but in a file's name
      context.call(
          builder, loc, PMRT_FUNCTION(pmrt_iterations),
          {context.getContext(builder),
           context.constant(builder, int64_t(print.getValues().size()), 32),
           context.pack(builder, print.getValues(), builder.getF64Type())});
      return success();
    }
    SmallVector<Value> operands{context.getContext(builder),
                                context.location(builder, loc)};
    auto fit = op->getAttrOfType<StringAttr>("loss");
    if (fit)
      operands.push_back(context.string(builder, fit.getValue()));
    appendMessage(context, builder, print.getFormat(), print.getValues(),
                  operands);
    context.call(builder, loc,
                 fit ? PMRT_FUNCTION(pmrt_tell) : PMRT_FUNCTION(pmrt_print),
                 operands);
    return success();
  }
};

/// Whether the value follows from what the user gave alone, so that a failed
/// assertion is wrong usage and not a failure of the run (unless it says that
/// it is one).
bool followsFromParameters(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return false;
  if (isa<LLVM::CallOp>(op)) {
    static const RuntimeFunction given[] = {
        PMRT_FUNCTION(pmrt_param_f64), PMRT_FUNCTION(pmrt_param_i64),
        PMRT_FUNCTION(pmrt_param_given), PMRT_FUNCTION(pmrt_input_given)};
    return llvm::any_of(given, [&](RuntimeFunction function) {
      return function.isCalledBy(op);
    });
  }
  return isPure(op) && llvm::all_of(op->getOperands(), followsFromParameters);
}

struct AssertLowering
    : LowerableOpInterface::ExternalModel<AssertLowering, AssertOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto check = cast<AssertOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    bool usage = !check.getFailure() && isa<func::FuncOp>(op->getParentOp()) &&
                 followsFromParameters(check.getCondition());
    Value holds = arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                         check.getCondition());
    SmallVector<Value> operands{context.getContext(builder),
                                context.location(builder, loc)};
    StringAttr input = check.getCheckedInputAttr();
    if (input)
      operands.push_back(context.constant(
          builder, context.getTables().input(input.getValue()), 32));
    operands.push_back(holds);
    appendMessage(context, builder, check.getFormat(), check.getValues(),
                  operands);
    if (input || check.getWarning()) {
      context.call(builder, loc,
                   input            ? PMRT_FUNCTION(pmrt_assert_input)
                   : check.getOwn() ? PMRT_FUNCTION(pmrt_warn_own)
                                    : PMRT_FUNCTION(pmrt_warn),
                   operands);
      return success();
    }
    context.call(builder, loc,
                 usage            ? PMRT_FUNCTION(pmrt_require)
                 : check.getOwn() ? PMRT_FUNCTION(pmrt_assert_own)
                                  : PMRT_FUNCTION(pmrt_assert),
                 operands);
    return success();
  }
};

struct ProgressLowering
    : LowerableOpInterface::ExternalModel<ProgressLowering, ProgressOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto progress = cast<ProgressOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> operands{context.getContext(builder),
                                context.location(builder, loc)};
    if (progress.getEvent() == LoopEvent::Begin ||
        progress.getEvent() == LoopEvent::Step)
      operands.push_back(progress.getValue());
    context.call(builder, loc, getFunction(progress.getEvent()), operands);
    return success();
  }

private:
  static RuntimeFunction getFunction(LoopEvent event) {
    switch (event) {
    case LoopEvent::Begin:
      return PMRT_FUNCTION(pmrt_loop_begin);
    case LoopEvent::Step:
      return PMRT_FUNCTION(pmrt_loop_step);
    case LoopEvent::End:
      return PMRT_FUNCTION(pmrt_loop_end);
    case LoopEvent::Skip:
      return PMRT_FUNCTION(pmrt_loop_skip);
    }
    llvm_unreachable("a loop event");
  }
};

struct ReversalLowering
    : LowerableOpInterface::ExternalModel<ReversalLowering, ReversalOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto reversal = cast<ReversalOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> operands{context.getContext(builder),
                                context.location(builder, loc)};
    auto names = reversal.getNames().getAsValueRange<StringAttr>();
    appendMessage(context, builder, llvm::join(names, ","),
                  reversal.getErrors(), operands);
    context.call(builder, loc, PMRT_FUNCTION(pmrt_reversal), operands);
    return success();
  }
};

} // namespace

void pmc::codegen::registerMessageLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    PrintOp::attachInterface<PrintLowering>(*context);
    AssertOp::attachInterface<AssertLowering>(*context);
    ProgressOp::attachInterface<ProgressLowering>(*context);
    ReversalOp::attachInterface<ReversalLowering>(*context);
  });
}
