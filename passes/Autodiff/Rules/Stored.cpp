//===- Stored.cpp - Derivatives of rounding to a shorter format -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They go straight through: the derivative of a rounding is 0 almost
// everywhere, and what is meant is that of the numbers before it (Bengio et al.
// 2013). What is computed with stays f32, so tangents and cotangents are not
// rounded.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct StoredDerivative
    : DifferentiableOpInterface::ExternalModel<StoredDerivative, StoredOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &,
                             Tangents &tangents) const {
    auto stored = cast<StoredOp>(op);
    if (Value tangent = tangents.get(stored.getInput()))
      tangents.set(stored.getResult(), tangent);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto stored = cast<StoredOp>(op);
    Value cotangent = cotangents.get(stored.getResult());
    if (cotangent && cotangents.needs(stored.getInput()))
      cotangents.add(builder, stored.getInput(), cotangent);
    return success();
  }
};

} // namespace

void pmc::passes::registerStoredDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    StoredOp::attachInterface<StoredDerivative>(*context);
  });
}
