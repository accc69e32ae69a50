//===- Zeros.cpp - Numbers and fields that are 0 --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Zeros.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pmc::pm;

bool pmc::passes::isZeroEverywhere(Value value) {
  if (auto map = value.getDefiningOp<MapOp>())
    value = map.getDomainBody()->getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  if (auto number = value.getDefiningOp<complex::ConstantOp>())
    return llvm::all_of(
        number.getValue().getAsRange<FloatAttr>(),
        [](FloatAttr part) { return part.getValue().isZero(); });
  if (auto number = value.getDefiningOp<complex::CreateOp>())
    return matchPattern(number.getReal(), m_AnyZeroFloat()) &&
           matchPattern(number.getImaginary(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}
