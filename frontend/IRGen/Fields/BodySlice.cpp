//===- BodySlice.cpp - What values of a map are made of -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Fields/BodySlice.h"

#include "llvm/ADT/SetVector.h"

using namespace pmc;

BodySlice::BodySlice(mlir::ValueRange values, const ElementState &state,
                     mlir::OpBuilder &builder)
    : block(std::make_unique<mlir::Block>()) {
  mlir::Block *body = state.prologue.block;
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::BlockArgument> arguments;
  llvm::SmallVector<mlir::Value> open(values.begin(), values.end());
  while (!open.empty()) {
    mlir::Value value = open.pop_back_val();
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner() == body)
        arguments.insert(argument);
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    while (op && op->getBlock() != body)
      op = op->getParentOp();
    if (!op || !ops.insert(op))
      continue;
    op->walk([&](mlir::Operation *inner) {
      open.append(inner->operand_begin(), inner->operand_end());
    });
  }
  for (mlir::BlockArgument argument : arguments) {
    mapping.map(argument,
                block->addArgument(argument.getType(), argument.getLoc()));
    inputs.push_back(state.inputs[argument.getArgNumber()]);
  }
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block.get());
  for (mlir::Operation &op : *body)
    if (ops.contains(&op))
      builder.clone(op, mapping);
}
