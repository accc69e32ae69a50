//===- Forward.cpp - Tangents of what a block computes --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Forward.h"
#include "dialect/IR/PMRowOps.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

Value Forward::get(Value primal) const {
  auto found = tangents.find(primal);
  if (found != tangents.end())
    return found->second;
  return outer ? outer->get(primal) : Value();
}

void Forward::replace(Operation *op, ValueRange results) {
  if (!replaces)
    return;
  for (auto [old, now] : llvm::zip(op->getResults(), results)) {
    set(now, get(old));
    // The old op goes, and another one may take its address.
    tangents.erase(old);
    old.replaceAllUsesWith(now);
  }
}

bool Forward::reads(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(),
                            [&](Value value) { return bool(get(value)); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool pmc::passes::savesTangents(Operation *op) {
  auto saves = [](Operation *inner) {
    return isa<SaveOp, CheckpointStoreFreeOp, AddToRowOp, AddToRowsOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op->walk(saves).wasInterrupted();
}

/// Whether the op has a result with a tangent, or saves or frees values that
/// have tangents.
static bool carriesTangents(Operation *op) {
  return llvm::any_of(op->getResultTypes(), hasTangent) || savesTangents(op);
}

LogicalResult Forward::differentiate(Block &block,
                                     const DenseSet<Operation *> &idle) {
  OpBuilder builder(block.getParentOp()->getContext());
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    // What is saved on a checkpoint store has a checkpoint store of tangents
    // beside it; so for sums.
    if (!isa<CheckpointStoreOp, RowSumsOp>(op) &&
        (idle.contains(&op) || !carriesTangents(&op) || !reads(&op)))
      continue;
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op.emitError("[PM0809] '")
             << op.getName() << "' has no derivative";
    builder.setInsertionPointAfter(&op);
    if (failed(differentiable.buildTangent(builder, *this)))
      return failure();
    if (replaces && isa<RegionBranchOpInterface, func::CallOp>(op) &&
        op.use_empty())
      op.erase();
  }
  return success();
}
