//===- Shift.cpp - Derivatives of reading neighbors ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shift is linear, and its adjoint is a shift the other way, of a finer or
// coarser field to one of the input's dims. In half spectra the elements of one
// mode change places among themselves, as no Fourier dim is shifted, so that
// what an element counts is the same on both sides.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct ShiftDerivative
    : DifferentiableOpInterface::ExternalModel<ShiftDerivative, ShiftOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto shift = cast<ShiftOp>(op);
    if (Value tangent = tangents.get(shift.getInput()))
      tangents.set(shift.getResult(),
                   build(builder, shift, tangent, shift.getResult().getType(),
                         shift.getTransposed()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto shift = cast<ShiftOp>(op);
    Value cotangent = cotangents.get(shift.getResult());
    if (cotangent && cotangents.needs(shift.getInput()))
      cotangents.add(builder, shift.getInput(),
                     build(builder, shift, cotangent,
                           shift.getInput().getType(), !shift.getTransposed()));
    return success();
  }

private:
  static Value build(OpBuilder &builder, ShiftOp shift, Value field, Type type,
                     bool isTransposed) {
    return ShiftOp::create(builder, shift.getLoc(), type, field,
                           shift.getOffsetsAttr(), shift.getEdgesAttr(),
                           isTransposed ? builder.getUnitAttr() : UnitAttr());
  }
};

} // namespace

void pmc::passes::registerShiftDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ShiftOp::attachInterface<ShiftDerivative>(*context);
  });
}
