//===- Dependence.cpp - What a value of a body depends on -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Dependence.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

bool isDouble(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return (complex ? complex.getElementType() : type).isF64();
}

} // namespace

BodyDependence::BodyDependence(DomainOpInterface op) {
  Block *body = op.getDomainBody();
  for (BlockArgument argument : body->getArguments()) {
    values[argument].elements = true;
    values[argument].wide = isDouble(argument.getType());
  }
  for (Operation &top : *body) {
    Dependence dependence;
    // An op with regions depends on what its regions use.
    top.walk([&](Operation *inner) {
      if (auto coordinate = dyn_cast<CoordinateOp>(inner))
        dependence.coordinates |=
            1U << findDim(op.getDomainDims(), coordinate.getDim());
      else if (readsFields(inner)) {
        dependence.elements = true;
        dependence.wide |= llvm::any_of(inner->getResultTypes(), isDouble);
      }
      for (Value operand : inner->getOperands())
        dependence |= get(operand);
    });
    for (Value result : top.getResults()) {
      values[result] = dependence;
      values[result].wide &= isDouble(result.getType());
    }
  }
}
