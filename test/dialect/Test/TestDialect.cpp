//===- TestDialect.cpp - An op with every interface -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/dialect/Test/TestDialect.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::test;

#include "test/dialect/Test/TestDialect.cpp.inc"

#define GET_OP_CLASSES
#include "test/dialect/Test/TestOps.cpp.inc"

void PMTestDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/dialect/Test/TestOps.cpp.inc"
      >();
}

/// The op with other operands and result, and a copy of its body.
static LinearOp cloneWith(OpBuilder &builder, LinearOp op, ValueRange inputs,
                          ValueRange outs, Type result) {
  auto made = LinearOp::create(builder, op.getLoc(), result, op.getDomainAttr(),
                               inputs, outs);
  IRMapping mapping;
  op.getBody().cloneInto(&made.getBody(), mapping);
  return made;
}

//===----------------------------------------------------------------------===//
// DomainOpInterface
//===----------------------------------------------------------------------===//

ArrayRef<DimAttr> LinearOp::getDomainDims() { return getDomain().getDims(); }
void LinearOp::setDomainDims(ArrayRef<DimAttr> dims) {
  setDomainAttr(DimsAttr::get(getContext(), dims));
}
OperandRange LinearOp::getDomainInputs() { return getInputs(); }
MutableOperandRange LinearOp::getDomainInputsMutable() {
  return getInputsMutable();
}
Block *LinearOp::getDomainBody() { return &getBody().front(); }

//===----------------------------------------------------------------------===//
// DifferentiableOpInterface
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::buildTangent(OpBuilder &builder, Tangents &tangents) {
  if (getInputs().empty())
    return success();
  if (Value tangent = tangents.get(getInputs().front()))
    tangents.set(getResult(),
                 cloneWith(builder, *this, tangent, {}, getResult().getType())
                     .getResult());
  return success();
}

LogicalResult LinearOp::buildAdjoint(OpBuilder &builder,
                                     Cotangents &cotangents) {
  if (getInputs().empty() || !cotangents.needs(getInputs().front()))
    return success();
  Value input = getInputs().front();
  if (Value cotangent = cotangents.get(getResult()))
    cotangents.add(
        builder, input,
        cloneWith(builder, *this, cotangent, {}, input.getType()).getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// PlaceableOpInterface
//===----------------------------------------------------------------------===//

bool LinearOp::canShareBuffer(OpOperand &, OpResult) { return true; }

Operation *LinearOp::buildBufferForm(OpBuilder &builder, ValueRange operands,
                                     ValueRange outs) {
  return cloneWith(builder, *this, operands, outs, Type());
}

//===----------------------------------------------------------------------===//
// CostOpInterface
//===----------------------------------------------------------------------===//

pmc::cost::OpCost LinearOp::getCost(const pmc::cost::Ranks &) {
  pmc::cost::OpCost cost(getContext());
  for (Value input : getInputs())
    cost.read =
        cost.read + pmc::cost::getBytes(cast<GridType>(input.getType()));
  for (Value out : getOuts())
    cost.written =
        cost.written + pmc::cost::getBytes(cast<GridType>(out.getType()));
  if (getResult())
    cost.written = cost.written +
                   pmc::cost::getBytes(cast<GridType>(getResult().getType()));
  auto body = getDomainBody()->without_terminator();
  cost.operations = std::distance(body.begin(), body.end()) *
                    pmc::cost::getCells(getContext(), getDomainDims());
  return cost;
}
