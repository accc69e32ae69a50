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

BodyDependence::BodyDependence(DomainOpInterface op) {
  Block *body = op.getDomainBody();
  for (BlockArgument argument : body->getArguments())
    values[argument].elements = true;
  for (Operation &top : *body) {
    Dependence dependence;
    // An op with regions depends on what its regions use.
    top.walk([&](Operation *inner) {
      if (auto coordinate = dyn_cast<CoordinateOp>(inner))
        dependence.coordinates |=
            1U << findDim(op.getDomainDims(), coordinate.getDim());
      else if (readsFields(inner))
        dependence.elements = true;
      for (Value operand : inner->getOperands())
        dependence |= get(operand);
    });
    for (Value result : top.getResults())
      values[result] = dependence;
  }
}
