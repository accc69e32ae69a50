//===- Halos.cpp - How far a domain's positions reach ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Halos.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;

/// The ops of the body that compute the values, in their order.
static FailureOr<SmallVector<Operation *>> getSlice(ArrayRef<Value> values,
                                                    Block *body) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (!def)
      continue;
    Operation *top = body->findAncestorOpInBlock(*def);
    if (!top || !slice.insert(top))
      continue;
    top->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Value value : values)
    if (body->getParent()->isProperAncestor(value.getParentRegion()))
      return failure();
  return ordered;
}

FailureOr<Value> pmc::passes::buildReach(OpBuilder &builder,
                                         DomainOpInterface op,
                                         const Positions &positions) {
  Block *body = op.getDomainBody();
  FailureOr<SmallVector<Operation *>> slice = getSlice(positions.offsets, body);
  if (failed(slice))
    return op->emitOpError("has positions that are computed in a branch of its "
                           "body, expected at its top");
  llvm::SmallDenseSet<Value> used(positions.offsets.begin(),
                                  positions.offsets.end());
  for (Operation *top : *slice)
    top->walk([&](Operation *inner) {
      used.insert(inner->operand_begin(), inner->operand_end());
    });
  SmallVector<Value> inputs;
  SmallVector<BlockArgument> arguments;
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), body->getArguments()))
    if (used.contains(argument)) {
      inputs.push_back(input);
      arguments.push_back(argument);
    }

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  MLIRContext *context = op->getContext();
  auto reach = ReachOp::create(builder, op->getLoc(), positions.window,
                               DimsAttr::get(context, op.getDomainDims()),
                               DimsAttr::get(context, positions.mesh),
                               positions.isFree, inputs);
  builder.createBlock(&reach.getBody());
  IRMapping mapping;
  for (BlockArgument argument : arguments)
    mapping.map(argument, reach.getBody().addArgument(argument.getType(),
                                                      argument.getLoc()));
  for (Operation *inner : *slice)
    builder.clone(*inner, mapping);
  SmallVector<Value> offsets;
  for (Value offset : positions.offsets)
    offsets.push_back(mapping.lookupOrDefault(offset));
  YieldOp::create(builder, op->getLoc(), offsets);
  return reach.getReach();
}
