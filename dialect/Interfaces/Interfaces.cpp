//===- Interfaces.cpp - What passes ask of an op --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

using namespace mlir;

Operation *pmc::pm::appendOuts(OpBuilder &builder, Operation *op,
                               ValueRange operands, ValueRange outs) {
  assert(op->getNumRegions() == 0 && "its outs may lie elsewhere");
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addOperands(outs);
  state.addAttributes(op->getAttrs());
  if (auto sizes =
          op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes")) {
    SmallVector<int32_t> changed(sizes.asArrayRef());
    changed.back() += int32_t(outs.size());
    state.attributes.set("operandSegmentSizes",
                         builder.getDenseI32ArrayAttr(changed));
  }
  for (Type type : op->getResultTypes())
    if (!getField(type))
      state.addTypes(type);
  return builder.create(state);
}

pmc::pm::Tangents::~Tangents() = default;
pmc::pm::Cotangents::~Cotangents() = default;

#include "dialect/Interfaces/Interfaces.cpp.inc"
