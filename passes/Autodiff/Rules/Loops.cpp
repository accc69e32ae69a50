//===- Loops.cpp - Adjoints of loops over fields --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Rules/Loops.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Reversal/CheckpointStore.h"
#include "passes/Autodiff/Reversal/Recovery.h"
#include "passes/Autodiff/Reversal/ReversalError.h"

#include "dialect/IR/PMChecks.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static constexpr StringLiteral scheduleName = "pm.schedule";
static constexpr StringLiteral snapshotsName = "pm.snapshots";

void pmc::passes::setSchedule(func::FuncOp function, ScheduleAttr schedule,
                              IntegerAttr snapshots) {
  function.walk([&](scf::ForOp loop) {
    loop->setAttr(scheduleName, schedule);
    if (snapshots)
      loop->setAttr(snapshotsName, snapshots);
  });
}

void pmc::passes::clearSchedule(func::FuncOp function) {
  function.walk([&](scf::ForOp loop) {
    loop->removeAttr(scheduleName);
    loop->removeAttr(snapshotsName);
  });
}

void pmc::passes::eraseEffects(Region &region) {
  region.walk([](Operation *op) {
    if (isa<ProgressOp, PrintOp, AssertOp, OutputOp, PlotOp, ReversalOp>(op))
      op->erase();
  });
}

/// A loop from the last step to the first, which carries `inits`; without a
/// terminator.
static scf::ForOp createReversed(OpBuilder &builder, Location loc,
                                 const Steps &steps, ValueRange inits) {
  auto reversed = scf::ForOp::create(builder, loc, steps.getZero(),
                                     steps.getCount(), steps.getOne(), inits);
  reversed->setAttr(reversedName, builder.getUnitAttr());
  if (!reversed.getBody()->empty())
    reversed.getBody()->getTerminator()->erase();
  return reversed;
}

static void finishReversed(scf::ForOp reversed, ValueRange yields) {
  OpBuilder builder = OpBuilder::atBlockEnd(reversed.getBody());
  scf::YieldOp::create(builder, reversed.getLoc(), yields);
  eraseEffects(reversed.getRegion());
  eraseDead(reversed.getRegion());
}

static Value toNumber(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

//===----------------------------------------------------------------------===//
// Keep
//===----------------------------------------------------------------------===//

/// Every state is kept, and restored from the last to the first.
static LogicalResult keepStates(OpBuilder &builder, scf::ForOp loop,
                                Reverse &cotangents) {
  Location loc = loop.getLoc();
  OpBuilder before(loop);
  Steps steps(before, loop);
  FailureOr<CheckpointStore> store = CheckpointStore::create(
      before, loc, toNumber(before, loc, steps.getCount()),
      loop.getRegionIterArgs());
  if (failed(store))
    return failure();
  Backward backward(loop, cotangents);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  store->save(inside, toNumber(inside, loc, steps.getStep(inside)),
              loop.getRegionIterArgs());

  scf::ForOp reversed =
      createReversed(builder, loc, steps, backward.begin(builder));
  inside.setInsertionPointToEnd(reversed.getBody());
  Value step = steps.getFromEnd(inside, reversed.getInductionVar());
  SmallVector<Value> state =
      store->restore(inside, toNumber(inside, loc, step));
  FailureOr<SmallVector<Value>> first =
      backward.step(inside, Again(loop, steps.getVariable(inside, step)), state,
                    reversed.getRegionIterArgs());
  if (failed(first))
    return failure();
  finishReversed(reversed, *first);
  store->free(builder);
  store->drop();
  backward.end(builder, reversed.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Revolve
//===----------------------------------------------------------------------===//

/// Saves the state if the sweep to `target` does.
static void saveIfKept(OpBuilder &builder, Location loc, CheckpointStore &store,
                       Value count, Value snapshots, Value target, Value step,
                       ValueRange state) {
  Value slot =
      RevolveSlotOp::create(builder, loc, count, snapshots, target, step);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value isKept = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       slot, zero);
  auto branch =
      scf::IfOp::create(builder, loc, isKept, /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  store.save(inside, slot, state);
}

/// Some states are kept, the others are computed anew from these.
static LogicalResult revolveStates(OpBuilder &builder, scf::ForOp loop,
                                   IntegerAttr snapshotsAttr,
                                   Reverse &cotangents) {
  Location loc = loop.getLoc();
  OpBuilder before(loop);
  Steps steps(before, loop);
  Value count = toNumber(before, loc, steps.getCount());
  Value snapshots = arith::ConstantOp::create(before, loc, snapshotsAttr);
  ReadState states(loop);
  SmallVector<Value> carried = states.select(loop.getRegionIterArgs());
  FailureOr<CheckpointStore> store = CheckpointStore::create(
      before, loc, arith::MinSIOp::create(before, loc, snapshots, count),
      carried);
  if (failed(store))
    return failure();
  Backward backward(loop, cotangents);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  saveIfKept(inside, loc, *store, count, snapshots, count,
             toNumber(inside, loc, steps.getStep(inside)), carried);

  scf::ForOp reversed =
      createReversed(builder, loc, steps, backward.begin(builder));
  reversed->setAttr(recomputeName, builder.getUnitAttr());
  inside.setInsertionPointToEnd(reversed.getBody());
  Value step = steps.getFromEnd(inside, reversed.getInductionVar());
  Value target = toNumber(inside, loc, step);
  auto sweep = RevolveOp::create(inside, loc, count, snapshots, target);
  SmallVector<Value> kept = store->restore(inside, sweep.getSlot());
  Value from = arith::IndexCastOp::create(inside, loc, inside.getIndexType(),
                                          sweep.getFrom());
  auto again = scf::ForOp::create(
      inside, loc, from, step, steps.getOne(), kept,
      [&](OpBuilder &inner, Location, Value variable, ValueRange state) {
        saveIfKept(inner, loc, *store, count, snapshots, target,
                   toNumber(inner, loc, variable), state);
        Again copy(loop, steps.getVariable(inner, variable));
        copy.mapping.map(loop.getRegionIterArgs(), states.expand(inner, state));
        for (Operation *op : backward.getOps())
          copy.make(inner, op);
        scf::YieldOp::create(
            inner, loc,
            llvm::map_to_vector(states.select(loop.getYieldedValues()),
                                [&](Value value) {
                                  return copy.mapping.lookupOrDefault(value);
                                }));
      });
  SmallVector<Value> state = states.expand(inside, again.getResults());
  FailureOr<SmallVector<Value>> first =
      backward.step(inside, Again(loop, steps.getVariable(inside, step)), state,
                    reversed.getRegionIterArgs());
  if (failed(first))
    return failure();
  finishReversed(reversed, *first);
  store->free(builder);
  store->drop();
  backward.end(builder, reversed.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

/// Fields are recovered from the last state; numbers, if the loop carries some,
/// are kept.
static LogicalResult recoverStates(OpBuilder &builder, scf::ForOp loop,
                                   Backward &backward, Recovery &recovery,
                                   Reverse &cotangents) {
  Location loc = loop.getLoc();
  OpBuilder before(loop);
  Steps steps(before, loop);
  auto select = [](ValueRange values, ArrayRef<unsigned> positions) {
    return llvm::map_to_vector(positions,
                               [&](unsigned i) { return values[i]; });
  };
  SmallVector<Value> numbers =
      select(loop.getRegionIterArgs(), recovery.getNumbers());
  FailureOr<CheckpointStore> store = CheckpointStore::create(
      before, loc, toNumber(before, loc, steps.getCount()), numbers);
  if (failed(store))
    return failure();
  ReversalError error(before, loop, recovery.getFields());
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  store->save(inside, toNumber(inside, loc, steps.getStep(inside)), numbers);

  size_t fields = recovery.getFields().size();
  // Where a reversed loop began with them, it has recovered them.
  SmallVector<Value> ends =
      llvm::map_to_vector(loop.getResults(), [&](Value result) {
        return cotangents.getAgain(result);
      });
  SmallVector<Value> inits = select(ends, recovery.getFields());
  llvm::append_range(inits, backward.begin(builder));
  error.atEnd(builder, ends);
  scf::ForOp reversed = createReversed(builder, loc, steps, inits);
  reversed->setAttr(recomputeName, builder.getUnitAttr());
  inside.setInsertionPointToEnd(reversed.getBody());
  ValueRange carried = reversed.getRegionIterArgs();
  Value step = steps.getFromEnd(inside, reversed.getInductionVar());
  SmallVector<Value> restored =
      store->restore(inside, toNumber(inside, loc, step));
  Again again(loop, steps.getVariable(inside, step));
  SmallVector<Value> state =
      recovery.recover(inside, again, carried.take_front(fields), restored);
  FailureOr<SmallVector<Value>> first = backward.step(
      inside, std::move(again), state, carried.drop_front(fields));
  if (failed(first))
    return failure();
  SmallVector<Value> yields = select(state, recovery.getFields());
  llvm::append_range(yields, *first);
  finishReversed(reversed, yields);
  store->free(builder);
  store->drop();
  error.report(builder, reversed.getResults().take_front(fields));
  for (auto [i, position] : llvm::enumerate(recovery.getFields()))
    cotangents.setRecovered(loop.getInitArgs()[position],
                            reversed.getResult(i));
  backward.end(builder, reversed.getResults().drop_front(fields));
  return success();
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemark(StringRef name) {
  return remark::RemarkOpts::name(name).category("pm-autodiff");
}

LogicalResult pmc::passes::refuseCheckpointStores(Operation *op) {
  return op->emitError(
      "[PM0810] the gradient of a gradient that goes through a loop "
      "over fields cannot be computed; take that of the "
      "outer one in forward mode, as in jvp(grad(f))");
}

LogicalResult pmc::passes::reverseLoop(OpBuilder &builder, scf::ForOp loop,
                                       Reverse &cotangents) {
  // A loop that a gradient has made.
  WalkResult stores = loop.walk([](Operation *op) {
    return isa<SaveOp, RestoreOp>(op) ? WalkResult::interrupt()
                                      : WalkResult::advance();
  });
  if (stores.wasInterrupted())
    return refuseCheckpointStores(loop);
  auto attribute = loop->getAttrOfType<ScheduleAttr>(scheduleName);
  Schedule schedule = attribute ? attribute.getValue() : Schedule::Keep;
  // Numbers are few.
  if (llvm::none_of(loop.getInitArgs().getTypes(), llvm::IsaPred<FieldType>))
    schedule = Schedule::Keep;
  if (schedule == Schedule::Revolve) {
    auto snapshots = loop->getAttrOfType<IntegerAttr>(snapshotsName);
    remark::passed(loop.getLoc(), getRemark("revolve"))
        << "of the states of this loop " << std::to_string(snapshots.getInt())
        << " are kept at a time, the others are computed again";
    return revolveStates(builder, loop, snapshots, cotangents);
  }
  if (schedule == Schedule::Reverse) {
    Backward backward(loop, cotangents);
    Recovery recovery(loop, backward.getOps());
    const auto &hindrance = recovery.getHindrance();
    if (!hindrance) {
      remark::passed(loop.getLoc(), getRemark("reverse"))
          << "the states of this loop are recovered from the last one";
      return recoverStates(builder, loop, backward, recovery, cotangents);
    }
    // It takes memory where the user asked for little.
    InFlightDiagnostic warning = mlir::emitWarning(
        loop.getLoc(), "the schedule \"reverse\" does not work for this loop: "
                       "all its states are kept, as '");
    warning << getCarriedName(loop, hindrance->position)
            << "' cannot be computed from its value after an iteration";
    warning.attachNote(hindrance->place) << hindrance->reason;
  } else {
    remark::passed(loop.getLoc(), getRemark("keep"))
        << "all states of this loop are kept";
  }
  return keepStates(builder, loop, cotangents);
}
