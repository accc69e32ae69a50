//===- Overlap.cpp - Messages while others work ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Transforms/RegionUtils.h"

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

/// The first op of the block that uses one of the values.
static Operation *getFirstUser(ValueRange values, Block *block) {
  Operation *first = nullptr;
  for (Value value : values)
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
    Operation *ready = getLastDefinition({mesh, exchange.getBound()}, block);
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
        mesh, exchange.getBound(), true);
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
                                       exchange.getBound(), false);
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

/// Whether all fields that the map reads are results of the op: computed later,
/// it keeps no other memory.
static bool readsNothingElse(MapOp map, Operation *op) {
  SetVector<Value> read;
  read.insert_range(map->getOperands());
  getUsedValuesDefinedAbove(map->getRegions(), read);
  return llvm::all_of(read, [&](Value value) {
    return value.getDefiningOp() == op || value.getType().isIntOrIndexOrFloat();
  });
}

/// Maps of what arrives, as the transposed gradient of a weight is, are
/// computed where they are read.
static void sinkMaps(ReduceFieldsOp reduce) {
  Block *block = reduce->getBlock();
  SmallVector<MapOp> maps;
  for (Operation *user : reduce->getUsers())
    if (auto map = dyn_cast_or_null<MapOp>(block->findAncestorOpInBlock(*user));
        map && !llvm::is_contained(maps, map) && readsNothingElse(map, reduce))
      maps.push_back(map);
  for (MapOp map : maps)
    if (Operation *user = getFirstUser(map->getResults(), block))
      map->moveBefore(user);
}

/// All leave at the place where they are reduced: behind the last of the
/// partial results.
static void overlap(ReduceFieldsOp reduce) {
  sinkMaps(reduce);
  Operation *user = getFirstUser(reduce.getResults(), reduce->getBlock());
  if (!user || !hasWorkBetween(reduce, user))
    return;
  OpBuilder builder(reduce);
  SmallVector<Type> types;
  SmallVector<Value> sent;
  for (auto [input, result] :
       llvm::zip(reduce.getInputs(), reduce.getResults())) {
    types.push_back(InFlightType::get(builder.getContext(), result.getType()));
    if (getUnderlying(input.getType()) != result.getType())
      sent.push_back(input);
  }
  types.push_back(PendingType::get(builder.getContext()));
  auto start = ReduceFieldsStartOp::create(builder, reduce.getLoc(), types,
                                           reduce.getKind(), reduce.getAxes(),
                                           reduce.getInputs(), ValueRange());
  builder.setInsertionPoint(user);
  auto wait = ReduceFieldsWaitOp::create(
      builder, reduce.getLoc(), reduce->getResultTypes(), start.getArriving(),
      sent, start.getPending(), ValueRange());
  reduce->replaceAllUsesWith(wait->getResults());
  reduce.erase();
}

namespace {

class OverlapPass : public pmc::passes::impl::OverlapBase<OverlapPass> {
public:
  void runOnOperation() override {
    SmallVector<HaloExchangeOp> exchanges;
    SmallVector<ReshardOp> reshards;
    SmallVector<ReduceFieldsOp> reductions;
    getOperation()->walk([&](Operation *op) {
      if (auto exchange = dyn_cast<HaloExchangeOp>(op))
        exchanges.push_back(exchange);
      else if (auto reshard = dyn_cast<ReshardOp>(op))
        reshards.push_back(reshard);
      else if (auto reduction = dyn_cast<ReduceFieldsOp>(op))
        reductions.push_back(reduction);
    });
    for (HaloExchangeOp exchange : exchanges)
      overlap(exchange);
    for (ReshardOp reshard : reshards)
      overlap(reshard);
    for (ReduceFieldsOp reduction : reductions)
      overlap(reduction);
  }
};

} // namespace
