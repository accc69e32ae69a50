//===- Contract.cpp - Derivatives of contractions -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction is linear in each of its fields, and its adjoint in one of them
// is the contraction of the cotangent with the other: what the field does not
// have is in both of these, and is summed over.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static Value build(OpBuilder &builder, ContractOp op, Type type, Value lhs,
                   Value rhs) {
  return ContractOp::create(builder, op.getLoc(), type, lhs, rhs, ValueRange())
      .getResult();
}

namespace {

struct ContractDerivative
    : DifferentiableOpInterface::ExternalModel<ContractDerivative, ContractOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto contract = cast<ContractOp>(op);
    Value lhs = contract.getLhs(), rhs = contract.getRhs(), sum;
    Type type = contract.getResult().getType();
    if (Value tangent = tangents.get(lhs))
      sum = build(builder, contract, type, tangent, rhs);
    if (Value tangent = tangents.get(rhs))
      sum = buildSum(builder, op->getLoc(), sum,
                     build(builder, contract, type, lhs, tangent));
    if (sum)
      tangents.set(contract.getResult(), sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto contract = cast<ContractOp>(op);
    Value cotangent = cotangents.get(contract.getResult());
    if (!cotangent)
      return success();
    Value lhs = contract.getLhs(), rhs = contract.getRhs();
    for (auto [field, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)})
      if (cotangents.needs(field))
        cotangents.add(
            builder, field,
            build(builder, contract, field.getType(), cotangent, other));
    return success();
  }
};

} // namespace

void pmc::passes::registerContractDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ContractOp::attachInterface<ContractDerivative>(*context);
  });
}
