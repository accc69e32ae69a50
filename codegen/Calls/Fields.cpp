//===- Fields.cpp - White noise, contractions, copies ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Common/LoweringContext.h"

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
    CopyOp::attachInterface<CopyLowering>(*context);
  });
}
