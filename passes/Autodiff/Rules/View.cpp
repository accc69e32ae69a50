//===- View.cpp - Derivatives of reading at indices -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view is linear, and its adjoint is the transposed view.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct ViewDerivative
    : DifferentiableOpInterface::ExternalModel<ViewDerivative, ViewOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto view = cast<ViewOp>(op);
    if (Value tangent = tangents.get(view.getInput()))
      tangents.set(view.getResult(),
                   build(builder, view, tangent, view.getResult().getType(),
                         view.getTransposed()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto view = cast<ViewOp>(op);
    Value cotangent = cotangents.get(view.getResult());
    if (cotangent && cotangents.needs(view.getInput()))
      cotangents.add(builder, view.getInput(),
                     build(builder, view, cotangent, view.getInput().getType(),
                           !view.getTransposed()));
    return success();
  }

private:
  static Value build(OpBuilder &builder, ViewOp view, Value field, Type type,
                     bool isTransposed) {
    return ViewOp::create(builder, view.getLoc(), type, field, view.getStarts(),
                          view.getOffsetsAttr(), view.getEdgesAttr(),
                          view.getTermsAttr(),
                          isTransposed ? builder.getUnitAttr() : UnitAttr());
  }
};

} // namespace

void pmc::passes::registerViewDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ViewOp::attachInterface<ViewDerivative>(*context);
  });
}
