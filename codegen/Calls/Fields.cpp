//===- Fields.cpp - White noise, contractions, sorts, groups, copies ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/LoweringContext.h"
#include "dialect/IR/Forms/PMConvolve.h"
#include "dialect/IR/Markers/PMDeterministic.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct WhiteNoiseLowering
    : LowerableOpInterface::ExternalModel<WhiteNoiseLowering, WhiteNoiseOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto noise = cast<WhiteNoiseOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_white_noise),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc), noise.getSeed(),
                  context.array(builder, noise.getOuts()[0])});
    return success();
  }
};

struct ContractLowering
    : LowerableOpInterface::ExternalModel<ContractLowering, ContractOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto contract = cast<ContractOp>(op);
    if (!pmc::pm::isDeterministic(op))
      context.getTables().addContraction(
          cast<GridType>(contract.getLhs().getType()),
          cast<GridType>(contract.getRhs().getType()),
          cast<GridType>(contract.getOuts()[0].getType()));
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_contract),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc),
                  context.array(builder, contract.getLhs()),
                  context.array(builder, contract.getRhs()),
                  context.array(builder, contract.getOuts()[0])});
    return success();
  }
};

struct ConvolveLowering
    : LowerableOpInterface::ExternalModel<ConvolveLowering, ConvolveOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto convolve = cast<ConvolveOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> plan;
    SmallVector<int64_t> numbers;
    auto note = [&](int64_t number) {
      plan.push_back(context.constant(builder, number, 64));
      numbers.push_back(number);
    };
    // As pmrt_convolve says.
    for (const ConvolvedIndex &index : getConvolvedIndexes(convolve)) {
      note(index.offset);
      note(index.divisor);
      note(int64_t(index.edge));
      for (size_t t = 0; t < 2; ++t) {
        bool isThere = t < index.terms.size();
        note(isThere ? int64_t(index.terms[t].dim) : -1);
        note(isThere ? index.terms[t].number : 0);
      }
    }
    if (!pmc::pm::isDeterministic(op))
      context.getTables().addConvolution(
          cast<GridType>(convolve.getField().getType()),
          cast<GridType>(convolve.getWeights().getType()),
          cast<GridType>(convolve.getOuts()[0].getType()), numbers);
    Value halo = convolve.getHalo();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_convolve),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc),
                  context.array(builder, convolve.getField()),
                  halo ? halo : context.null(builder),
                  context.array(builder, convolve.getWeights()),
                  context.array(builder, convolve.getOuts()[0]),
                  context.pack(builder, plan, builder.getI64Type())});
    return success();
  }
};

struct SortLowering
    : LowerableOpInterface::ExternalModel<SortLowering, SortOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto sort = cast<SortOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value within = sort.getWithin();
    context.call(
        builder, loc, PMRT_FUNCTION(pmrt_sort),
        {context.getContext(builder), context.null(builder),
         context.location(builder, loc),
         context.array(builder, sort.getInput()),
         within ? context.array(builder, within) : context.null(builder),
         context.array(builder, sort.getOuts()[0]),
         context.constant(builder, sort.getDimNumber(), 32),
         context.constant(builder, int64_t(sort.getKind()), 32),
         context.constant(builder, sort.getDescending(), 32)});
    return success();
  }
};

struct FriendsLowering
    : LowerableOpInterface::ExternalModel<FriendsLowering, FriendsOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto friends = cast<FriendsOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Value> positions;
    for (Value position : friends.getPositions())
      positions.push_back(context.array(builder, position));
    SmallVector<Value> numbers{friends.getLength()};
    llvm::append_range(numbers, friends.getBox());
    auto axes = int64_t(positions.size());
    context.call(builder, loc, PMRT_FUNCTION(pmrt_friends),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc),
                  context.constant(builder, axes, 32),
                  context.pack(builder, positions,
                               LLVM::LLVMPointerType::get(op->getContext())),
                  context.pack(builder, numbers, builder.getF64Type()),
                  context.array(builder, friends.getOuts()[0])});
    return success();
  }
};

struct CopyLowering
    : LowerableOpInterface::ExternalModel<CopyLowering, CopyOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto copy = cast<CopyOp>(op);
    OpBuilder builder(op);
    context.copy(builder, op->getLoc(), copy.getInput(), copy.getOuts()[0]);
    return success();
  }
};

} // namespace

void pmc::codegen::registerFieldLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    WhiteNoiseOp::attachInterface<WhiteNoiseLowering>(*context);
    ContractOp::attachInterface<ContractLowering>(*context);
    ConvolveOp::attachInterface<ConvolveLowering>(*context);
    SortOp::attachInterface<SortLowering>(*context);
    FriendsOp::attachInterface<FriendsLowering>(*context);
    CopyOp::attachInterface<CopyLowering>(*context);
  });
}
