//===- BufferForm.cpp - Ops on fields to ops on buffers -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/BufferForm.h"

using namespace mlir;
using namespace pmc::pm;

/// Partial, in flight or there.
static bool isField(Type type) { return bool(getField(type)); }

/// The buffer form in the op's place.
static LogicalResult rewrite(Operation *op,
                             const DenseMap<Value, Value> &buffers) {
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  if (!placeable)
    return op->emitOpError(
               "makes a field but does not implement PlaceableOpInterface")
           << (op->hasTrait<IsExpanded>() ? "; run pm-expand-all first" : "");
  SmallVector<Value> outs, scalars;
  for (Value result : op->getResults())
    if (isField(result.getType()))
      outs.push_back(buffers.lookup(result));
    else
      scalars.push_back(result);
  OpBuilder builder(op);
  Operation *made = placeable.buildBufferForm(builder, op->getOperands(), outs);
  if (made->getNumResults() != scalars.size())
    return op->emitOpError("has a buffer form with ")
           << made->getNumResults() << " results, expected " << scalars.size();
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [old, now] : llvm::zip(scalars, made->getResults()))
    old.replaceAllUsesWith(now);
  op->erase();
  return success();
}

/// Rebuilds a structured op without the fields it carries, which by now are
/// buffers wherever they are used.
static void dropFields(Operation *op) {
  SmallVector<Value> kept;
  for (Value result : op->getResults())
    if (!isField(result.getType()))
      kept.push_back(result);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      block.eraseArguments(
          [](BlockArgument argument) { return isField(argument.getType()); });
      Operation *terminator = block.getTerminator();
      llvm::BitVector dropped(terminator->getNumOperands());
      for (OpOperand &operand : terminator->getOpOperands())
        if (isa<BufferType>(operand.get().getType()))
          dropped.set(operand.getOperandNumber());
      terminator->eraseOperands(dropped);
    }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (!isa<BufferType>(operand.getType()))
      operands.push_back(operand);
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName(), operands,
                       ValueRange(kept).getTypes(), op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
    to.takeBody(from);
  for (auto [old, now] : llvm::zip(kept, made->getResults()))
    old.replaceAllUsesWith(now);
  op->erase();
}

LogicalResult pmc::passes::toBufferForm(func::FuncOp function,
                                        const DenseMap<Value, Value> &buffers) {
  SmallVector<Operation *> makers, structured;
  function.walk([&](Operation *op) {
    bool carriesFields = llvm::any_of(op->getOperandTypes(), isField) ||
                         llvm::any_of(op->getResultTypes(), isField);
    if (isa<RegionBranchOpInterface>(op)) {
      if (carriesFields)
        structured.push_back(op);
    } else if (llvm::any_of(op->getResultTypes(), isField)) {
      makers.push_back(op);
    }
  });
  for (auto [field, buffer] : buffers) {
    Value old = field;
    old.replaceAllUsesWith(buffer);
  }
  for (Operation *op : makers)
    if (failed(rewrite(op, buffers)))
      return failure();
  for (Operation *op : structured)
    dropFields(op);
  return success();
}
