//===- CheckpointStores.cpp - Checkpoint stores and binomial checkpoints --===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/Handles.h"
#include "codegen/Program/LoopBytes.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

SmallVector<Value> beginCall(LoweringContext &context, OpBuilder &builder,
                             Location loc) {
  return {context.getContext(builder), context.null(builder),
          context.location(builder, loc)};
}

/// Numbers are kept as 8 bytes each.
Value toBits(OpBuilder &builder, Location loc, Value number) {
  if (number.getType().isInteger(64))
    return number;
  if (number.getType().isF32())
    number = arith::ExtFOp::create(builder, loc, builder.getF64Type(), number);
  return arith::BitcastOp::create(builder, loc, builder.getI64Type(), number);
}

Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  if (type.isInteger(64))
    return bits;
  Value number =
      arith::BitcastOp::create(builder, loc, builder.getF64Type(), bits);
  if (type.isF32())
    number = arith::TruncFOp::create(builder, loc, type, number);
  return number;
}

/// Address of a list of descriptions of the buffers.
Value packArrays(LoweringContext &context, OpBuilder &builder,
                 ValueRange buffers) {
  SmallVector<Value> arrays;
  for (Value buffer : buffers)
    arrays.push_back(context.array(builder, buffer));
  return context.pack(builder, arrays,
                      LLVM::LLVMPointerType::get(builder.getContext()));
}

struct CheckpointStoreLowering
    : LowerableOpInterface::ExternalModel<CheckpointStoreLowering,
                                          CheckpointStoreOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto store = cast<CheckpointStoreOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type pointer = LLVM::LLVMPointerType::get(op->getContext());
    // One that is kept in a file takes no memory.
    auto file = op->getAttrOfType<StringAttr>("checkpoint");
    if (!file)
      context.getTables().addCheckpointStore(
          loc, llvm::to_vector(store.getTypes().getAsValueRange<TypeAttr>()),
          describeCount(store.getSlots(), context.getTables()));
    SmallVector<Value> shapes;
    int64_t numbers = 0;
    for (Type type : store.getTypes().getAsValueRange<TypeAttr>())
      if (auto grid = dyn_cast<GridType>(type))
        shapes.push_back(
            context.shape(builder, loc, grid.getDims(), grid.getElementType()));
      else
        ++numbers;
    SmallVector<Value> operands = beginCall(context, builder, loc);
    if (file) {
      auto every = op->getAttrOfType<IntegerAttr>("every");
      operands.append(
          {context.string(builder, file.getValue()),
           context.constant(builder, op->hasAttr("newest"), 32),
           context.constant(builder, every ? every.getInt() : 0, 64),
           store.getSlots()});
    } else {
      operands.push_back(store.getSlots());
    }
    operands.append({context.constant(builder, numbers, 32),
                     context.constant(builder, int64_t(shapes.size()), 32),
                     context.pack(builder, shapes, pointer)});
    replaceResult(
        op->getResult(0),
        context.call(builder, loc,
                     file ? PMRT_FUNCTION(pmrt_checkpoint_open)
                          : PMRT_FUNCTION(pmrt_checkpoint_store_create),
                     operands));
    return success();
  }
};

struct CheckpointStoreFreeLowering
    : LowerableOpInterface::ExternalModel<CheckpointStoreFreeLowering,
                                          CheckpointStoreFreeOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_checkpoint_store_free),
                 {context.getContext(builder), context.location(builder, loc),
                  op->getOperand(0)});
    return success();
  }
};

struct SaveLowering
    : LowerableOpInterface::ExternalModel<SaveLowering, SaveOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> numbers, fields;
    for (Value value : cast<SaveOp>(op).getValues())
      if (isa<BufferType>(value.getType()))
        fields.push_back(value);
      else
        numbers.push_back(toBits(builder, loc, value));
    SmallVector<Value> operands = beginCall(context, builder, loc);
    operands.append({op->getOperand(0), op->getOperand(1),
                     context.pack(builder, numbers, builder.getI64Type()),
                     packArrays(context, builder, fields)});
    context.call(builder, loc, PMRT_FUNCTION(pmrt_checkpoint_store_save),
                 operands);
    return success();
  }
};

struct RestoreLowering
    : LowerableOpInterface::ExternalModel<RestoreLowering, RestoreOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type i64 = builder.getI64Type();
    Value numbers = op->getNumResults() == 0
                        ? context.null(builder)
                        : context.frame(builder, i64, op->getNumResults());
    SmallVector<Value> operands = beginCall(context, builder, loc);
    operands.append(
        {op->getOperand(0), op->getOperand(1), numbers,
         packArrays(context, builder, cast<RestoreOp>(op).getOuts())});
    context.call(builder, loc, PMRT_FUNCTION(pmrt_checkpoint_store_restore),
                 operands);
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      Value address =
          LLVM::GEPOp::create(builder, loc, numbers.getType(), i64, numbers,
                              ArrayRef<LLVM::GEPArg>{int32_t(i)});
      Value bits = LLVM::LoadOp::create(builder, loc, i64, address);
      result.replaceAllUsesWith(fromBits(builder, loc, bits, result.getType()));
    }
    return success();
  }
};

struct RevolveLowering
    : LowerableOpInterface::ExternalModel<RevolveLowering, RevolveOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    RuntimeFunction functions[] = {PMRT_FUNCTION(pmrt_revolve_from),
                                   PMRT_FUNCTION(pmrt_revolve_from_slot)};
    for (auto [function, result] : llvm::zip_equal(functions, op->getResults()))
      if (!result.use_empty())
        result.replaceAllUsesWith(
            context.call(builder, op->getLoc(), function, op->getOperands()));
    return success();
  }
};

struct RevolveSlotLowering
    : LowerableOpInterface::ExternalModel<RevolveSlotLowering, RevolveSlotOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(
        context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_revolve_slot),
                     op->getOperands()));
    return success();
  }
};

} // namespace

void pmc::codegen::registerCheckpointStoreLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    CheckpointStoreOp::attachInterface<CheckpointStoreLowering>(*context);
    CheckpointStoreFreeOp::attachInterface<CheckpointStoreFreeLowering>(
        *context);
    SaveOp::attachInterface<SaveLowering>(*context);
    RestoreOp::attachInterface<RestoreLowering>(*context);
    RevolveOp::attachInterface<RevolveLowering>(*context);
    RevolveSlotOp::attachInterface<RevolveSlotLowering>(*context);
  });
}
