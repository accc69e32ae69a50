//===- CheckpointStoreRules.cpp - Rules for checkpoint stores -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In forward mode a checkpoint store has one of tangents beside it. That makes
// gradients derivable by which loops are reversed; in reverse mode they are
// not.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Rules/Loops.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct CheckpointStoreModel
    : DifferentiableOpInterface::ExternalModel<CheckpointStoreModel,
                                               CheckpointStoreOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto store = cast<CheckpointStoreOp>(op);
    SmallVector<Attribute> types;
    for (Attribute type : store.getTypes())
      if (hasTangent(cast<TypeAttr>(type).getValue()))
        types.push_back(type);
    tangents.set(store.getStore(),
                 CheckpointStoreOp::create(builder, op->getLoc(),
                                           store.getType(), store.getSlots(),
                                           builder.getArrayAttr(types)));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseCheckpointStores(op);
  }
};

struct SaveModel : DifferentiableOpInterface::ExternalModel<SaveModel, SaveOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto save = cast<SaveOp>(op);
    SmallVector<Value> values;
    for (Value value : save.getValues())
      if (hasTangent(value.getType()))
        values.push_back(
            orZero(builder, op->getLoc(), tangents.get(value), value));
    SaveOp::create(builder, op->getLoc(), tangents.get(save.getStore()),
                   save.getSlot(), values);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseCheckpointStores(op);
  }
};

struct FreeModel
    : DifferentiableOpInterface::ExternalModel<FreeModel,
                                               CheckpointStoreFreeOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    CheckpointStoreFreeOp::create(
        builder, op->getLoc(),
        tangents.get(cast<CheckpointStoreFreeOp>(op).getStore()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseCheckpointStores(op);
  }
};

struct RestoreModel
    : DifferentiableOpInterface::ExternalModel<RestoreModel, RestoreOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto restore = cast<RestoreOp>(op);
    SmallVector<Value> values = llvm::filter_to_vector(
        ValueRange(restore.getValues()),
        [](Value value) { return hasTangent(value.getType()); });
    auto made = RestoreOp::create(
        builder, op->getLoc(), TypeRange(ValueRange(values)),
        tangents.get(restore.getStore()), restore.getSlot(), ValueRange());
    for (auto [value, tangent] : llvm::zip_equal(values, made.getValues()))
      tangents.set(value, tangent);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseCheckpointStores(op);
  }
};

} // namespace

void pmc::passes::registerCheckpointStoreDerivatives(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    CheckpointStoreOp::attachInterface<CheckpointStoreModel>(*context);
    SaveOp::attachInterface<SaveModel>(*context);
    CheckpointStoreFreeOp::attachInterface<FreeModel>(*context);
    RestoreOp::attachInterface<RestoreModel>(*context);
  });
}
