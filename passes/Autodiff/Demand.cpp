//===- Demand.cpp - Tangents that reach the results -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Demand.h"
#include "passes/Autodiff/Activity.h"
#include "passes/Autodiff/Derive.h"
#include "passes/Autodiff/Forward.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

SmallVector<bool> Demand::getArguments(func::FuncOp function) {
  auto found = known.find(function);
  if (found != known.end())
    return found->second;
  SmallVector<bool> read;
  if (func::FuncOp tangent = getCustomTangent(function)) {
    unsigned next = function.getNumArguments();
    for (Type type : function.getArgumentTypes())
      read.push_back(hasTangent(type) &&
                     !tangent.getArgument(next++).use_empty());
  } else {
    const Values values = listRead(function);
    for (Value argument : function.getArguments())
      read.push_back(values.contains(argument));
  }
  return known[function] = read;
}

void Demand::addOperands(Operation *op, Values &read) {
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                           call, call.getCalleeAttr())
                     : func::FuncOp();
  if (!callee || callee.isExternal()) {
    for (Value value : pmc::passes::listRead(op))
      read.insert(value);
    return;
  }
  for (auto [operand, isRead] :
       llvm::zip_equal(call.getOperands(), getArguments(callee)))
    if (isRead)
      read.insert(operand);
}

Demand::Values Demand::listRead(func::FuncOp function,
                                DenseSet<Operation *> *idle) {
  Block &body = function.front();
  Values read(body.getTerminator()->operand_begin(),
              body.getTerminator()->operand_end());
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    // The inputs of sorts and groups count as read, because `warnOfOrders`
    // checks whether they have tangents.
    if (savesTangents(&op) || isa<SortOp, FriendsOp>(op) ||
        llvm::any_of(op.getResults(),
                     [&](Value result) { return read.contains(result); }))
      addOperands(&op, read);
    else if (idle)
      idle->insert(&op);
  }
  return read;
}

DenseSet<Operation *> Demand::listIdle(func::FuncOp function) {
  DenseSet<Operation *> idle;
  listRead(function, &idle);
  return idle;
}
