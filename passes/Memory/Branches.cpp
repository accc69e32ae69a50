//===- Branches.cpp - Choices between fields ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Branches.h"

using namespace mlir;
using namespace pmc::pm;

void pmc::passes::branchOnFields(func::FuncOp function) {
  function.walk([](arith::SelectOp select) {
    if (!isa<FieldType, TableType>(select.getType()))
      return;
    OpBuilder builder(select);
    auto yield = [](Value value) {
      return [value](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, value);
      };
    };
    auto branch = scf::IfOp::create(
        builder, select.getLoc(), select.getCondition(),
        yield(select.getTrueValue()), yield(select.getFalseValue()));
    select.replaceAllUsesWith(branch.getResult(0));
    select.erase();
  });
}
