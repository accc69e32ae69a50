//===- Placement.cpp - How the dialect's ops use buffers ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Placement.h"

#include "dialect/IR/Forms/PMUpdates.h"
#include "dialect/IR/PMSpectralOps.h"

using namespace mlir;
using namespace pmc::pm;

// External models shadow the interface's defaults by design.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method,
// bugprone-crtp-constructor-accessibility)
namespace {

struct MapModel : PlaceableOpInterface::ExternalModel<MapModel, MapOp> {
  /// A broadcast input is read again by other elements. An update of a part is
  /// made in the field that it updates, or it costs the whole field.
  bool canShareBuffer(Operation *op, OpOperand &operand,
                      OpResult result) const {
    auto map = cast<MapOp>(op);
    if (map.getWithin()) {
      auto update = getUpdate(map, result.getResultNumber());
      return update && operand.getOperandNumber() == update->input;
    }
    return cast<GridType>(operand.get().getType()).getDims() ==
           map.getDomainDims();
  }
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto map = cast<MapOp>(op);
    ValueRange inputs = operands.take_front(map.getInputs().size());
    auto made = MapOp::create(builder, op->getLoc(), TypeRange(),
                              map.getDomainAttr(), inputs, outs);
    // Elsewhere it has to copy what it updates.
    auto isInPlace = [&](auto out) {
      auto update = getUpdate(map, unsigned(out.index()));
      return update && inputs[update->input] == out.value();
    };
    if (map.getWithin() && llvm::all_of(llvm::enumerate(outs), isInPlace)) {
      made.setWithinAttr(map.getWithinAttr());
      made.getBoundsMutable().assign(operands.drop_front(inputs.size()));
    }
    made.getBody().takeBody(map.getBody());
    return made;
  }
};

struct SpectralFilterModel
    : PlaceableOpInterface::ExternalModel<SpectralFilterModel,
                                          SpectralFilterOp> {
  /// The inverse transform begins after the forward one has read its input; of
  /// one dim, it replaces the lines that have been read.
  bool canShareBuffer(Operation *op, OpOperand &operand,
                      OpResult result) const {
    return operand.getOperandNumber() == 0 && result.getResultNumber() == 0;
  }
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto filter = cast<SpectralFilterOp>(op);
    auto made = SpectralFilterOp::create(builder, op->getLoc(), TypeRange(),
                                         operands.front(), filter.getOverAttr(),
                                         filter.getDomainAttr(),
                                         operands.drop_front(), outs);
    made.getBody().takeBody(filter.getBody());
    return made;
  }
};

struct ReduceModel
    : PlaceableOpInterface::ExternalModel<ReduceModel, ReduceOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto reduce = cast<ReduceOp>(op);
    size_t bounds = reduce.getBounds().size();
    auto made = ReduceOp::create(
        builder, op->getLoc(), reduce.getScalars().getTypes(), TypeRange(),
        reduce.getKind(), reduce.getDomainAttr(), operands.drop_back(bounds),
        outs, reduce.getWithinAttr(), operands.take_back(bounds));
    made.getBody().takeBody(reduce.getBody());
    return made;
  }
};

struct BinsModel : PlaceableOpInterface::ExternalModel<BinsModel, BinsOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto bins = cast<BinsOp>(op);
    auto made = BinsOp::create(builder, op->getLoc(), TypeRange(),
                               bins.getDomainAttr(), operands, outs);
    made.getBody().takeBody(bins.getBody());
    return made;
  }
};

struct ScatterModel
    : PlaceableOpInterface::ExternalModel<ScatterModel, ScatterOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto scatter = cast<ScatterOp>(op);
    size_t inputs = scatter.getInputs().size();
    auto made = ScatterOp::create(
        builder, op->getLoc(), TypeRange(), scatter.getHalos().getTypes(),
        scatter.getWindow(), scatter.getDomainAttr(), scatter.getFree(),
        scatter.getOrdersAttr(), operands.take_front(inputs), outs,
        scatter.getBound(), scatter.getWordsAttr(), scatter.getSteps(),
        scatter.getTapsAttr());
    made.getBody().takeBody(scatter.getBody());
    made.getCell().takeBody(scatter.getCell());
    return made;
  }
};

struct IFFTModel : PlaceableOpInterface::ExternalModel<IFFTModel, IFFTOp> {
  /// The half-complex to real transform of several dims works in its input.
  bool destroysOperand(Operation *, OpOperand &) const { return true; }
};

struct InputValueModel
    : PlaceableOpInterface::ExternalModel<InputValueModel, InputValueOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder, ValueRange,
                             ValueRange outs) const {
    return InputValueOp::create(builder, op->getLoc(), Type(), Type(),
                                cast<InputValueOp>(op).getNameAttr(), outs);
  }
};

} // namespace
// NOLINTEND(bugprone-derived-method-shadowing-base-method,
// bugprone-crtp-constructor-accessibility)

void pmc::passes::registerPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<MapModel>(*context);
    SpectralFilterOp::attachInterface<SpectralFilterModel>(*context);
    ReduceOp::attachInterface<ReduceModel>(*context);
    BinsOp::attachInterface<BinsModel>(*context);
    ScatterOp::attachInterface<ScatterModel>(*context);
    IFFTOp::attachInterface<IFFTModel>(*context);
    InputValueOp::attachInterface<InputValueModel>(*context);
  });
}
