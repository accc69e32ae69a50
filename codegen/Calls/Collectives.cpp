//===- Collectives.cpp - Sums over ranks and changes of layout ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// The runtime's mask of mesh axes, as a constant.
FailureOr<Value> axesMask(LoweringContext &context, OpBuilder &builder,
                          Operation *op, ArrayAttr axes) {
  uint32_t mask = 0;
  for (StringRef axis : axes.getAsValueRange<StringAttr>()) {
    int32_t index = context.getTables().axis(axis);
    if (index < 0)
      return op->emitOpError("names the mesh axis '")
             << axis << "', expected one that the module's pm.mesh declares";
    mask |= 1u << index;
  }
  return context.constant(builder, int64_t(mask), 32);
}

/// Context, queue and location: what most calls begin with.
SmallVector<Value> beginCall(LoweringContext &context, OpBuilder &builder,
                             Location loc) {
  return {context.getContext(builder), context.null(builder),
          context.location(builder, loc)};
}

struct AllReduceLowering
    : LowerableOpInterface::ExternalModel<AllReduceLowering, AllReduceOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto reduce = cast<AllReduceOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type f64 = builder.getF64Type();
    FailureOr<Value> axes = axesMask(context, builder, op, reduce.getAxes());
    if (failed(axes))
      return failure();
    Value numbers = context.pack(
        builder, llvm::map_to_vector(reduce.getValues(), getAddress), f64);
    SmallVector<Value> operands = beginCall(context, builder, loc);
    operands.append(
        {*axes, reductionCode(context, builder, reduce.getKind()),
         context.constant(builder, int64_t(reduce.getValues().size()), 64),
         numbers});
    context.call(builder, loc, PMRT_FUNCTION(pmrt_all_reduce), operands);
    for (auto [i, result] : llvm::enumerate(reduce.getResults())) {
      Value address =
          LLVM::GEPOp::create(builder, loc, numbers.getType(), f64, numbers,
                              ArrayRef<LLVM::GEPArg>{int32_t(i)});
      result.replaceAllUsesWith(
          LLVM::LoadOp::create(builder, loc, f64, address));
    }
    return success();
  }
};

struct ReshardLowering
    : LowerableOpInterface::ExternalModel<ReshardLowering, ReshardOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto reshard = cast<ReshardOp>(op);
    OpBuilder builder(op);
    SmallVector<Value> operands = beginCall(context, builder, op->getLoc());
    operands.append({context.array(builder, reshard.getInput()),
                     context.array(builder, reshard.getOuts()[0])});
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_reshard), operands);
    return success();
  }
};

struct ReshardStartLowering
    : LowerableOpInterface::ExternalModel<ReshardStartLowering,
                                          ReshardStartOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto start = cast<ReshardStartOp>(op);
    OpBuilder builder(op);
    SmallVector<Value> operands = beginCall(context, builder, op->getLoc());
    operands.append({context.array(builder, start.getInput()),
                     context.array(builder, start.getOuts()[0])});
    replaceResult(start->getResults().back(),
                  context.call(builder, op->getLoc(),
                               PMRT_FUNCTION(pmrt_reshard_start), operands));
    return success();
  }
};

struct ReshardWaitLowering
    : LowerableOpInterface::ExternalModel<ReshardWaitLowering, ReshardWaitOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto wait = cast<ReshardWaitOp>(op);
    OpBuilder builder(op);
    SmallVector<Value> operands = beginCall(context, builder, op->getLoc());
    operands.push_back(wait->getOperand(2));
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_wait), operands);
    context.copy(builder, op->getLoc(), wait.getArriving(), wait.getOuts()[0]);
    return success();
  }
};

/// What pmrt_reduce_fields and its start take.
template <class Op>
FailureOr<SmallVector<Value>> reductionOperands(LoweringContext &context,
                                                OpBuilder &builder, Op reduce) {
  FailureOr<Value> axes = axesMask(context, builder, reduce, reduce.getAxes());
  if (failed(axes))
    return failure();
  auto arrays = [&](OperandRange buffers) {
    SmallVector<Value> addresses;
    for (Value buffer : buffers)
      addresses.push_back(context.array(builder, buffer));
    return context.pack(builder, addresses,
                        LLVM::LLVMPointerType::get(builder.getContext()));
  };
  Value in = arrays(reduce.getInputs()), out = arrays(reduce.getOuts());
  SmallVector<Value> operands = beginCall(context, builder, reduce.getLoc());
  operands.append(
      {*axes, reductionCode(context, builder, reduce.getKind()),
       context.constant(builder, int64_t(reduce.getInputs().size()), 32), in,
       out});
  return operands;
}

struct ReduceFieldsLowering
    : LowerableOpInterface::ExternalModel<ReduceFieldsLowering,
                                          ReduceFieldsOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> operands =
        reductionOperands(context, builder, cast<ReduceFieldsOp>(op));
    if (failed(operands))
      return failure();
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_reduce_fields),
                 *operands);
    return success();
  }
};

struct ReduceFieldsStartLowering
    : LowerableOpInterface::ExternalModel<ReduceFieldsStartLowering,
                                          ReduceFieldsStartOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> operands =
        reductionOperands(context, builder, cast<ReduceFieldsStartOp>(op));
    if (failed(operands))
      return failure();
    replaceResult(op->getResults().back(),
                  context.call(builder, op->getLoc(),
                               PMRT_FUNCTION(pmrt_reduce_fields_start),
                               *operands));
    return success();
  }
};

struct ReduceFieldsWaitLowering
    : LowerableOpInterface::ExternalModel<ReduceFieldsWaitLowering,
                                          ReduceFieldsWaitOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto wait = cast<ReduceFieldsWaitOp>(op);
    OpBuilder builder(op);
    SmallVector<Value> operands = beginCall(context, builder, op->getLoc());
    operands.push_back(wait.getPendingMutable().get());
    context.call(builder, op->getLoc(), PMRT_FUNCTION(pmrt_wait), operands);
    // A field may have to go where another one has arrived: that one first.
    auto isSame = [](Value a, Value b) {
      return a.getDefiningOp<AllocOp>().getId() ==
             b.getDefiningOp<AllocOp>().getId();
    };
    SmallVector<std::pair<Value, Value>> left;
    for (auto [from, to] : llvm::zip(wait.getArriving(), wait.getOuts()))
      if (!isSame(from, to))
        left.push_back({from, to});
    while (!left.empty()) {
      auto *free = llvm::find_if(left, [&](const auto &copy) {
        return llvm::none_of(left, [&](const auto &other) {
          return isSame(other.first, copy.second);
        });
      });
      if (free == left.end())
        return op->emitOpError("has outs that are each other's buffers, "
                               "expected an order in which to copy them");
      context.copy(builder, op->getLoc(), free->first, free->second);
      left.erase(free);
    }
    return success();
  }
};

} // namespace

void pmc::codegen::registerCollectiveLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    AllReduceOp::attachInterface<AllReduceLowering>(*context);
    ReshardOp::attachInterface<ReshardLowering>(*context);
    ReshardStartOp::attachInterface<ReshardStartLowering>(*context);
    ReshardWaitOp::attachInterface<ReshardWaitLowering>(*context);
    ReduceFieldsOp::attachInterface<ReduceFieldsLowering>(*context);
    ReduceFieldsStartOp::attachInterface<ReduceFieldsStartLowering>(*context);
    ReduceFieldsWaitOp::attachInterface<ReduceFieldsWaitLowering>(*context);
  });
}
