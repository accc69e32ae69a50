//===- RowSumRules.cpp - Rules for sums of rows ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In forward mode the sums for the rows of a table have sums of tangents beside
// them. In reverse mode gradients by tables are not derivable.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;

static LogicalResult refuse(Operation *op) {
  return op->emitError(
      "[PM0810] a gradient by a table has no adjoint; take its "
      "derivative in forward mode");
}

namespace {

struct RowSumsModel
    : DifferentiableOpInterface::ExternalModel<RowSumsModel, RowSumsOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    tangents.set(op->getResult(0), builder.clone(*op)->getResult(0));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuse(op);
  }
};

/// Adds the tangent of the value, its last operand, to the sums of tangents.
template <class Op>
struct AddModel : DifferentiableOpInterface::ExternalModel<AddModel<Op>, Op> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Value tangent = tangents.get(op->getOperand(2));
    if (!tangent)
      return success();
    Operation *made = builder.clone(*op);
    made->setOperand(0, tangents.get(op->getOperand(0)));
    made->setOperand(2, tangent);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuse(op);
  }
};

struct SumRowsModel
    : DifferentiableOpInterface::ExternalModel<SumRowsModel, SumRowsOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto sums = cast<SumRowsOp>(op);
    tangents.set(
        sums.getTable(),
        SumRowsOp::create(builder, op->getLoc(), tangents.get(sums.getSums())));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Cotangents &) const {
    return refuse(op);
  }
};

} // namespace

void pmc::passes::registerRowSumDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    RowSumsOp::attachInterface<RowSumsModel>(*context);
    AddToRowOp::attachInterface<AddModel<AddToRowOp>>(*context);
    AddToRowsOp::attachInterface<AddModel<AddToRowsOp>>(*context);
    SumRowsOp::attachInterface<SumRowsModel>(*context);
  });
}
