//===- MessagePlacement.cpp - How messages use buffers --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Placement.h"

#include "dialect/IR/PM.h"

using namespace mlir;
using namespace pmc::pm;

/// In the other layout the same memory holds other cells.
static bool haveOneType(OpOperand &operand, OpResult result) {
  return getUnderlying(operand.get().getType()) ==
         getUnderlying(result.getType());
}

namespace {

struct ReshardStartModel
    : PlaceableOpInterface::ExternalModel<ReshardStartModel, ReshardStartOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    return ReshardStartOp::create(
        builder, op->getLoc(), Type(),
        cast<ReshardStartOp>(op).getPending().getType(), operands[0], outs);
  }
};

struct ReshardWaitModel
    : PlaceableOpInterface::ExternalModel<ReshardWaitModel, ReshardWaitOp> {
  /// The field stays where it arrived.
  bool canShareBuffer(Operation *op, OpOperand &operand, OpResult) const {
    return &operand == &cast<ReshardWaitOp>(op).getArrivingMutable();
  }
};

/// Started or not, what keeps its layout is combined where it is.
template <class Op>
struct ReduceFieldsModel
    : PlaceableOpInterface::ExternalModel<ReduceFieldsModel<Op>, Op> {
  bool canShareBuffer(Operation *, OpOperand &operand, OpResult result) const {
    return operand.getOperandNumber() == result.getResultNumber() &&
           haveOneType(operand, result);
  }
};

struct ReduceFieldsWaitModel
    : PlaceableOpInterface::ExternalModel<ReduceFieldsWaitModel,
                                          ReduceFieldsWaitOp> {
  /// Nothing is written but where it arrived.
  bool canShareBuffer(Operation *op, OpOperand &operand, OpResult) const {
    auto wait = cast<ReduceFieldsWaitOp>(op);
    return operand.getOperandNumber() < wait.getArriving().size();
  }
};

struct HaloReduceModel
    : PlaceableOpInterface::ExternalModel<HaloReduceModel, HaloReduceOp> {
  bool canShareBuffer(Operation *, OpOperand &operand, OpResult result) const {
    return haveOneType(operand, result);
  }
  bool destroysOperand(Operation *, OpOperand &) const { return true; }
};

} // namespace

void pmc::passes::registerMessagePlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReshardStartOp::attachInterface<ReshardStartModel>(*context);
    ReshardWaitOp::attachInterface<ReshardWaitModel>(*context);
    ReduceFieldsOp::attachInterface<ReduceFieldsModel<ReduceFieldsOp>>(
        *context);
    ReduceFieldsStartOp::attachInterface<
        ReduceFieldsModel<ReduceFieldsStartOp>>(*context);
    ReduceFieldsWaitOp::attachInterface<ReduceFieldsWaitModel>(*context);
    HaloReduceOp::attachInterface<HaloReduceModel>(*context);
  });
}
