//===- Handles.cpp - What handles are at run time -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Handles.h"

#include "pmrt/pmrt.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// What it is at run time; null if that is the type itself.
static Type getRunTimeType(Type type) {
  Type value = getUnderlying(type);
  if (isa<TableType, RowSumsType, HaloType, DisplacementBoundType, PendingType,
          CheckpointStoreType>(value))
    return LLVM::LLVMPointerType::get(type.getContext());
  return value == type ? Type() : value;
}

static Value castTo(OpBuilder &builder, Type type, ValueRange values,
                    Location loc) {
  return UnrealizedConversionCastOp::create(builder, loc, type, values)
      .getResult(0);
}

namespace {

struct HandleConverter : TypeConverter {
  HandleConverter() {
    addConversion([](Type type) -> Type {
      Type atRunTime = getRunTimeType(type);
      return atRunTime ? atRunTime : type;
    });
    addSourceMaterialization(castTo);
    addTargetMaterialization(castTo);
  }

  /// Ops of other dialects have no handles.
  bool hasNoHandles(Operation *op) const {
    if (isa_and_nonnull<PMDialect>(op->getDialect()) ||
        isa<UnrealizedConversionCastOp>(op))
      return true;
    if (auto function = dyn_cast<func::FuncOp>(op))
      if (!isSignatureLegal(function.getFunctionType()))
        return false;
    return isLegal(op) && llvm::all_of(op->getRegions(), [&](Region &region) {
             return isLegal(&region);
           });
  }
};

/// Calls, returns, selections and what else hands values on.
struct HandOn : ConversionPattern {
  HandOn(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/0, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (op->getNumRegions())
      return failure();
    FailureOr<Operation *> made =
        convertOpResultTypes(op, operands, *getTypeConverter(), rewriter);
    if (failed(made))
      return failure();
    rewriter.replaceOp(op, *made);
    return success();
  }
};

} // namespace

LogicalResult pmc::codegen::convertHandles(ModuleOp module) {
  MLIRContext *context = module.getContext();
  HandleConverter types;
  RewritePatternSet patterns(context);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 types);
  scf::populateSCFStructuralTypeConversions(types, patterns);
  patterns.add<HandOn>(types, context);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return types.hasNoHandles(op); });
  return applyPartialConversion(module, target, std::move(patterns));
}

void pmc::codegen::eraseHandleCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
}

Value pmc::codegen::getAddress(Value handle) {
  Type atRunTime = getRunTimeType(handle.getType());
  if (!atRunTime)
    return handle;
  if (auto cast = handle.getDefiningOp<UnrealizedConversionCastOp>())
    return cast.getInputs().front();
  OpBuilder builder(handle.getContext());
  builder.setInsertionPointAfterValue(handle);
  return castTo(builder, atRunTime, handle, handle.getLoc());
}

void pmc::codegen::replaceResult(Value result, Value value) {
  if (getRunTimeType(result.getType()) && result.getType() != value.getType()) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    value = castTo(builder, result.getType(), value, value.getLoc());
  }
  result.replaceAllUsesWith(value);
}

Value pmc::codegen::createDisplacementBound(LoweringContext &context,
                                            OpBuilder &builder) {
  return context.frame(builder, builder.getI64Type(), 2 * PMRT_MAX_RANK);
}

Value pmc::codegen::getBelow(Value bound) { return getAddress(bound); }

Value pmc::codegen::getAbove(OpBuilder &builder, Location loc, Value bound) {
  Value address = getAddress(bound);
  return LLVM::GEPOp::create(builder, loc, address.getType(),
                             builder.getI64Type(), address,
                             ArrayRef<LLVM::GEPArg>{PMRT_MAX_RANK});
}

Value pmc::codegen::reductionCode(LoweringContext &context, OpBuilder &builder,
                                  Reduction kind) {
  int64_t code = kind == Reduction::Sum   ? PMRT_SUM
                 : kind == Reduction::Min ? PMRT_MIN
                                          : PMRT_MAX;
  return context.constant(builder, code, 32);
}
