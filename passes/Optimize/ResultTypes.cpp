//===- ResultTypes.cpp - Ops with results of other types ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/ResultTypes.h"

using namespace mlir;

Operation *pmc::passes::withResultTypes(Operation *op, TypeRange types) {
  if (op->getResultTypes() == types)
    return op;
  Operation *made = Operation::create(
      op->getLoc(), op->getName(), types, op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getSuccessors(), op->getNumRegions());
  for (auto [to, from] : llvm::zip(made->getRegions(), op->getRegions()))
    to.takeBody(from);
  return OpBuilder(op).insert(made);
}
