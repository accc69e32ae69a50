//===- TapeRules.cpp - Rules for tapes ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In forward mode a tape has one of tangents beside it. That makes gradients
// derivable by which loops are reversed; in reverse mode they are not.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Loops.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct TapeModel : DifferentiableOpInterface::ExternalModel<TapeModel, TapeOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto tape = cast<TapeOp>(op);
    SmallVector<Attribute> types;
    for (Attribute type : tape.getTypes())
      if (hasTangent(cast<TypeAttr>(type).getValue()))
        types.push_back(type);
    tangents.set(tape.getTape(),
                 TapeOp::create(builder, op->getLoc(), tape.getType(),
                                tape.getSlots(), builder.getArrayAttr(types)));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseTapes(op);
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
    SaveOp::create(builder, op->getLoc(), tangents.get(save.getTape()),
                   save.getSlot(), values);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseTapes(op);
  }
};

struct FreeModel
    : DifferentiableOpInterface::ExternalModel<FreeModel, TapeFreeOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    TapeFreeOp::create(builder, op->getLoc(),
                       tangents.get(cast<TapeFreeOp>(op).getTape()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseTapes(op);
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
        tangents.get(restore.getTape()), restore.getSlot(), ValueRange());
    for (auto [value, tangent] : llvm::zip_equal(values, made.getValues()))
      tangents.set(value, tangent);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuseTapes(op);
  }
};

} // namespace

void pmc::passes::registerTapeDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    TapeOp::attachInterface<TapeModel>(*context);
    SaveOp::attachInterface<SaveModel>(*context);
    TapeFreeOp::attachInterface<FreeModel>(*context);
    RestoreOp::attachInterface<RestoreModel>(*context);
  });
}
