//===- CloseHalos.cpp - The end of halos ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_CLOSEHALOS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// The last op of the block that uses the value, or its definition.
static Operation *getLastUser(Value value) {
  Operation *last = value.getDefiningOp();
  Block *block = last->getBlock();
  for (Operation *user : value.getUsers()) {
    Operation *top = block->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(top))
      last = top;
  }
  return last;
}

namespace {

class CloseHalosPass
    : public pmc::passes::impl::CloseHalosBase<CloseHalosPass> {
public:
  void runOnOperation() override {
    llvm::MapVector<Operation *, SmallVector<Value>> ends;
    getOperation()->walk([&](Operation *op) {
      auto exchange = dyn_cast<HaloExchangeOp>(op);
      if ((exchange && !exchange.getStart()) || isa<HaloWaitOp>(op))
        for (Value halo : op->getResults())
          ends[getLastUser(halo)].push_back(halo);
    });
    for (auto &[op, halos] : ends) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      HaloCloseOp::create(builder, op->getLoc(), halos);
    }
  }
};

} // namespace
