//===- PMDeterministic.cpp - Numbers whose sums do not round --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/PMDeterministic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

void pmc::pm::cutNumber(OpBuilder &builder, Location loc, Value number,
                        ArrayRef<Value> steps,
                        llvm::function_ref<void(size_t, Value)> visit) {
  for (auto [word, step] : llvm::enumerate(steps)) {
    Value moved = arith::AddFOp::create(builder, loc, number, step);
    Value part = arith::SubFOp::create(builder, loc, moved, step);
    visit(word, part);
    if (word + 1 == steps.size())
      return;
    // An infinite number is its first word; inf - inf would be none.
    Value isWhole = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, number, part);
    Value rest = arith::SubFOp::create(builder, loc, number, part);
    Value nothing =
        arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
    number = arith::SelectOp::create(builder, loc, isWhole, nothing, rest);
  }
}
