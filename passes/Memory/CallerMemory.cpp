//===- CallerMemory.cpp - Buffers in memory of the caller -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/CallerMemory.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

bool pmc::passes::isEmbedded(ModuleOp module) {
  return module->hasAttr("pm.embedded");
}

static bool isDestroyed(Value field) {
  return llvm::any_of(field.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<PlaceableOpInterface>(use.getOwner());
    return op && op.destroysOperand(use);
  });
}

llvm::DenseSet<Value> pmc::passes::findReadInputs(func::FuncOp main,
                                                  const Coalescing &classes) {
  llvm::DenseSet<Value> inputs;
  main.walk([&](InputValueOp op) {
    if (Value field = op.getField();
        field && classes.isAlone(field) && !isDestroyed(field))
      inputs.insert(field);
  });
  return inputs;
}

/// The op of main's body that contains the definition of a field.
static Operation *outermost(Value field, Block &body) {
  Operation *op = field.getDefiningOp();
  if (!op)
    op = field.getParentBlock()->getParentOp();
  return body.findAncestorOpInBlock(*op);
}

llvm::DenseMap<Value, std::string>
pmc::passes::findCallerMemory(func::FuncOp main, const Liveness &liveness,
                              const Coalescing &classes,
                              const llvm::DenseSet<Value> &inputs) {
  llvm::DenseMap<Value, std::string> found;
  for (Value field : inputs)
    found[classes.leader(field)] =
        "input " + field.getDefiningOp<InputValueOp>().getName().str();
  Block &body = main.getBody().front();
  for (auto op : body.getOps<OutputOp>()) {
    if (op.getValues().size() != 1 || !getField(op.getValues()[0].getType()))
      continue;
    Value leader = classes.leader(op.getValues()[0]);
    const bool isFinal = llvm::all_of(liveness.fields(), [&](Value field) {
      if (classes.leader(field) != leader)
        return true;
      Operation *writer = outermost(field, body);
      return writer && writer->isBeforeInBlock(op);
    });
    // If two outputs have the same field, it is in memory of the first one.
    if (isFinal)
      found.try_emplace(leader, "output " + op.getName().str());
  }
  return found;
}
