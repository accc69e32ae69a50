//===- Overlap.cpp - Messages while others work ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_OVERLAP
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

static bool worksOnFields(Operation &op) {
  auto isField = [](Type type) { return bool(getField(type)); };
  return llvm::any_of(op.getOperandTypes(), isField) ||
         llvm::any_of(op.getResultTypes(), isField);
}

/// Whether there is work between the two ops of a block.
static bool hasWorkBetween(Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op && op != to;
       op = op->getNextNode())
    if (worksOnFields(*op))
      return true;
  return false;
}

/// The first op of the block that uses the value.
static Operation *getFirstUser(Value value, Block *block) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *top = block->findAncestorOpInBlock(*user);
    if (!first || top->isBeforeInBlock(first))
      first = top;
  }
  return first;
}

/// The op of the block after which both values are there, or null if they come
/// from outside.
static Operation *getLastDefinition(ValueRange values, Block *block) {
  Operation *last = nullptr;
  for (Value value : values) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == block &&
        (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  return last;
}

/// Cells of each mesh leave as soon as the mesh is there.
static void overlap(HaloExchangeOp exchange) {
  Block *block = exchange->getBlock();
  OpBuilder builder(exchange);
  SmallVector<Value> together;
  SmallVector<Value> halos;
  for (auto [mesh, halo] :
       llvm::zip(exchange.getMeshes(), exchange.getHalos())) {
    Operation *ready = getLastDefinition({mesh, exchange.getReach()}, block);
    Operation *user = getFirstUser(halo, block);
    if (!ready || !user ||
        (!hasWorkBetween(ready, exchange) && !hasWorkBetween(exchange, user))) {
      together.push_back(mesh);
      halos.push_back(halo);
      continue;
    }
    builder.setInsertionPointAfter(ready);
    auto started = HaloExchangeOp::create(
        builder, exchange.getLoc(),
        TypeRange(InFlightType::get(builder.getContext(), halo.getType())),
        mesh, exchange.getReach(), true);
    builder.setInsertionPoint(user);
    auto wait = HaloWaitOp::create(builder, exchange.getLoc(), halo.getType(),
                                   started.getHalos().front());
    halo.replaceAllUsesWith(wait.getResult());
  }
  if (together.size() == exchange.getMeshes().size())
    return;
  if (!together.empty()) {
    builder.setInsertionPoint(exchange);
    auto rest = HaloExchangeOp::create(builder, exchange.getLoc(),
                                       ValueRange(halos).getTypes(), together,
                                       exchange.getReach(), false);
    for (auto [halo, made] : llvm::zip(halos, rest.getHalos()))
      halo.replaceAllUsesWith(made);
  }
  exchange.erase();
}

static void overlap(ReshardOp reshard) {
  Block *block = reshard->getBlock();
  Operation *user = getFirstUser(reshard.getResult(), block);
  if (!user || !hasWorkBetween(reshard, user))
    return;
  OpBuilder builder(reshard);
  Type type = reshard.getResult().getType();
  auto start = ReshardStartOp::create(
      builder, reshard.getLoc(), InFlightType::get(builder.getContext(), type),
      PendingType::get(builder.getContext()), reshard.getInput(), ValueRange());
  builder.setInsertionPoint(user);
  auto wait = ReshardWaitOp::create(builder, reshard.getLoc(), type,
                                    reshard.getInput(), start.getResult(),
                                    start.getPending(), ValueRange());
  reshard.replaceAllUsesWith(wait->getResults());
  reshard.erase();
}

namespace {

class OverlapPass : public pmc::passes::impl::OverlapBase<OverlapPass> {
public:
  void runOnOperation() override {
    SmallVector<HaloExchangeOp> exchanges;
    SmallVector<ReshardOp> reshards;
    getOperation()->walk([&](Operation *op) {
      if (auto exchange = dyn_cast<HaloExchangeOp>(op))
        exchanges.push_back(exchange);
      else if (auto reshard = dyn_cast<ReshardOp>(op))
        reshards.push_back(reshard);
    });
    for (HaloExchangeOp exchange : exchanges)
      overlap(exchange);
    for (ReshardOp reshard : reshards)
      overlap(reshard);
  }
};

} // namespace
