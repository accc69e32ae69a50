//===- Activity.cpp - Dependence on the variables -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Activity.h"
#include "dialect/IR/PMRowOps.h"
#include "passes/Autodiff/Derive.h"
#include "passes/Optimize/Zeros.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

llvm::SetVector<Value> pmc::passes::listCaptured(Operation *op) {
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          captured.insert(operand);
    });
  return captured;
}

llvm::SetVector<Value> pmc::passes::listRead(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  llvm::SetVector<Value> captured = listCaptured(op);
  read.insert(captured.begin(), captured.end());
  return read;
}

bool Activity::reads(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(),
                            [&](Value value) { return isActive(value); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Activity::hand(ValueRange from, ValueRange to) {
  bool changed = false;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (isActive(source) && hasTangent(target.getType()))
      changed |= active.insert(target).second;
  return changed;
}

bool Activity::isStopped(func::CallOp call) const {
  func::FuncOp adjoint = getCustomAdjoint(call);
  if (!adjoint)
    return false;
  ValueRange cotangents = adjoint.front().getTerminator()->getOperands();
  for (Value operand : call.getOperands()) {
    if (!hasTangent(operand.getType()))
      continue;
    if (isActive(operand) && !isZeroEverywhere(cotangents.front()))
      return false;
    cotangents = cotangents.drop_front();
  }
  return true;
}

void Activity::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Activity::visitFor(scf::ForOp loop) {
  hand(loop.getInitArgs(), loop.getRegionIterArgs());
  do
    visit(*loop.getBody());
  while (hand(loop.getYieldedValues(), loop.getRegionIterArgs()));
  hand(loop.getRegionIterArgs(), loop.getResults());
}

void Activity::visitWhile(scf::WhileOp loop) {
  hand(loop.getInits(), loop.getBeforeArguments());
  do {
    visit(*loop.getBeforeBody());
    hand(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    visit(*loop.getAfterBody());
  } while (hand(loop.getYieldOp()->getOperands(), loop.getBeforeArguments()));
  hand(loop.getConditionOp().getArgs(), loop.getResults());
}

void Activity::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      if (region->empty())
        continue;
      visit(region->front());
      hand(region->front().getTerminator()->getOperands(), branch.getResults());
    }
    return;
  }
  // Steps of other functions; the x of rows, which are held fixed.
  if (isa<math::FloorOp, math::RoundOp, RowXOp>(op) || !reads(op))
    return;
  if (auto call = dyn_cast<func::CallOp>(op); call && isStopped(call))
    return;
  if (isa<SaveOp, AddToRowOp, AddToRowsOp>(op))
    active.insert(op->getOperand(0));
  for (Value result : op->getResults())
    if (hasTangent(result.getType()))
      active.insert(result);
}
