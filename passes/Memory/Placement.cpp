//===- Placement.cpp - How the dialect's ops use buffers ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Placement.h"

#include "dialect/IR/PMUpdates.h"

using namespace mlir;
using namespace pmc::pm;

// External models shadow the interface's defaults by design.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method,
// bugprone-crtp-constructor-accessibility)
namespace {

/// What most ops do: results in memory of their own, operands left alone.
template <class Model, class Op>
struct OutOfPlace : PlaceableOpInterface::ExternalModel<Model, Op> {
  bool canShareBuffer(Operation *, OpOperand &, OpResult) const {
    return false;
  }
};

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

struct ReduceModel : OutOfPlace<ReduceModel, ReduceOp> {
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

struct BinsModel : OutOfPlace<BinsModel, BinsOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto bins = cast<BinsOp>(op);
    auto made = BinsOp::create(builder, op->getLoc(), TypeRange(),
                               bins.getDomainAttr(), operands, outs);
    made.getBody().takeBody(bins.getBody());
    return made;
  }
};

struct ScatterModel : OutOfPlace<ScatterModel, ScatterOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto scatter = cast<ScatterOp>(op);
    size_t inputs = scatter.getInputs().size();
    auto made = ScatterOp::create(
        builder, op->getLoc(), TypeRange(), scatter.getHalos().getTypes(),
        scatter.getWindow(), scatter.getDomainAttr(), scatter.getFree(),
        scatter.getOrdersAttr(), operands.take_front(inputs), outs,
        scatter.getReach(), scatter.getWordsAttr(), scatter.getSteps());
    made.getBody().takeBody(scatter.getBody());
    return made;
  }
};

struct FFTModel : OutOfPlace<FFTModel, FFTOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto fft = cast<FFTOp>(op);
    return FFTOp::create(builder, op->getLoc(), Type(), operands[0],
                         fft.getOverAttr(), fft.getRawAttr(), outs);
  }
};

struct IFFTModel : OutOfPlace<IFFTModel, IFFTOp> {
  /// The half-complex to real transform of several dims works in its input.
  bool destroysOperand(Operation *, OpOperand &) const { return true; }
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto fft = cast<IFFTOp>(op);
    return IFFTOp::create(builder, op->getLoc(), Type(), operands[0],
                          fft.getOverAttr(), fft.getRawAttr(), outs);
  }
};

struct WhiteNoiseModel : OutOfPlace<WhiteNoiseModel, WhiteNoiseOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    return WhiteNoiseOp::create(builder, op->getLoc(), Type(), operands[0],
                                outs);
  }
};

struct ContractModel : OutOfPlace<ContractModel, ContractOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    return ContractOp::create(builder, op->getLoc(), Type(), operands[0],
                              operands[1], outs);
  }
};

struct ConvolveModel : OutOfPlace<ConvolveModel, ConvolveOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    auto convolve = cast<ConvolveOp>(op);
    return ConvolveOp::create(
        builder, op->getLoc(), Type(), operands[0], operands[1],
        convolve.getHalo() ? operands[2] : Value(), convolve.getOffsetsAttr(),
        convolve.getEdgesAttr(), convolve.getDivisorsAttr(),
        convolve.getTermsAttr(), outs);
  }
};

struct CopyModel : OutOfPlace<CopyModel, CopyOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    return CopyOp::create(builder, op->getLoc(), Type(), operands[0], outs);
  }
};

struct InputValueModel : OutOfPlace<InputValueModel, InputValueOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder, ValueRange,
                             ValueRange outs) const {
    return InputValueOp::create(builder, op->getLoc(), Type(), Type(),
                                cast<InputValueOp>(op).getNameAttr(), outs);
  }
};

struct SamplesModel : OutOfPlace<SamplesModel, SamplesOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    return SamplesOp::create(builder, op->getLoc(), Type(),
                             cast<SamplesOp>(op).getNameAttr(), operands[0],
                             outs);
  }
};

struct RestoreModel : OutOfPlace<RestoreModel, RestoreOp> {
  Operation *buildBufferForm(Operation *op, OpBuilder &builder,
                             ValueRange operands, ValueRange outs) const {
    SmallVector<Type> numbers;
    for (Type type : op->getResultTypes())
      if (!getField(type))
        numbers.push_back(type);
    return RestoreOp::create(builder, op->getLoc(), numbers, operands[0],
                             operands[1], outs);
  }
};

} // namespace
// NOLINTEND(bugprone-derived-method-shadowing-base-method,
// bugprone-crtp-constructor-accessibility)

void pmc::passes::registerPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<MapModel>(*context);
    ReduceOp::attachInterface<ReduceModel>(*context);
    BinsOp::attachInterface<BinsModel>(*context);
    ScatterOp::attachInterface<ScatterModel>(*context);
    FFTOp::attachInterface<FFTModel>(*context);
    IFFTOp::attachInterface<IFFTModel>(*context);
    WhiteNoiseOp::attachInterface<WhiteNoiseModel>(*context);
    ContractOp::attachInterface<ContractModel>(*context);
    ConvolveOp::attachInterface<ConvolveModel>(*context);
    CopyOp::attachInterface<CopyModel>(*context);
    InputValueOp::attachInterface<InputValueModel>(*context);
    SamplesOp::attachInterface<SamplesModel>(*context);
    RestoreOp::attachInterface<RestoreModel>(*context);
  });
}
