//===- Checkpoints.cpp - checkpoint every k -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is a store of states that is kept in a file: slot n has what a
// loop carries after n iterations. The loop begins with the newest slot there
// is.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Control.h"

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// The clause of a loop whose pattern has these names; the distance is `least`
/// or more. False after an error.
bool Generator::checkpointing(const std::vector<ast::Name> &names,
                              const ast::Expr *distance, int64_t least,
                              Checkpointing &states) {
  if (!distance)
    return true;
  Argument every = evaluateArgument(*distance);
  auto known = readInt(rules(), every, "the distance of checkpoints", least,
                       int64_t(1) << 30);
  if (!known)
    return false;
  states.every = *known;
  if (!states.every)
    return true;
  if (!checkCheckpoints(rules(), every, loopDepth > 0))
    return false;
  // A file is called so: of many names only the first are in it.
  constexpr size_t longest = 100;
  std::string base;
  for (auto [i, name] : llvm::enumerate(names)) {
    if (i > 0 && base.size() + name.text.size() > longest) {
      base += ",+" + std::to_string(names.size() - i);
      break;
    }
    base += (i > 0 ? "," : "") + name.text.substr(0, longest);
  }
  // Loops of equal names, as those of two calls of one function, are counted.
  states.name = base;
  for (unsigned i = 2; !checkpointNames.insert(states.name).second; ++i)
    states.name = base + "." + std::to_string(i);
  effectsSeen = statesSeen = true;
  return true;
}

bool Generator::checkStatesAt(const Instance &callee, llvm::StringRef name,
                              llvm::SMLoc loc) {
  if (!callee.keepsStates)
    return true;
  statesSeen = true;
  return requireNoLoopAround(rules(), name, loopDepth > 0, loc);
}

/// Files hold bools as ints.
static mlir::Type keptType(mlir::Type type, mlir::Type i64) {
  return type.isInteger(1) ? i64 : type;
}

/// From what a loop carries to what a file holds, or back.
static llvm::SmallVector<mlir::Value> convertKept(mlir::OpBuilder &builder,
                                                  mlir::Location at,
                                                  mlir::ValueRange values,
                                                  mlir::TypeRange types) {
  llvm::SmallVector<mlir::Value> made;
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (value.getType() == type)
      made.push_back(value);
    else if (type.isInteger(1))
      made.push_back(arith::TruncIOp::create(builder, at, type, value));
    else
      made.push_back(arith::ExtUIOp::create(builder, at, type, value));
  }
  return made;
}

/// A loop may go on where an earlier run has stopped: `leaves`, what it begins
/// with, become what the newest state holds. Returns how many iterations that
/// has behind it; 0: there is none. `total`: of all there will be; 0: nobody
/// knows.
mlir::Value Generator::resumeFrom(Checkpointing &states, mlir::Value total,
                                  llvm::SmallVectorImpl<mlir::Value> &leaves,
                                  mlir::Location at) {
  llvm::SmallVector<mlir::Type> types, kept;
  for (mlir::Value leaf : leaves) {
    types.push_back(leaf.getType());
    kept.push_back(keptType(leaf.getType(), i64Type));
  }
  auto open = [&](mlir::TypeRange held, bool newest) -> mlir::Value {
    llvm::SmallVector<mlir::Attribute> attributes;
    for (mlir::Type type : held)
      attributes.push_back(mlir::TypeAttr::get(type));
    auto store = pm::CheckpointStoreOp::create(
        builder, at, newest ? intConstant(1, at) : total,
        builder.getArrayAttr(attributes));
    store->setAttr("checkpoint", builder.getStringAttr(states.name));
    if (newest)
      store->setAttr("newest", builder.getUnitAttr());
    else
      store->setAttr("every", builder.getI64IntegerAttr(states.every));
    return store;
  };
  mlir::Value newest = open({i64Type}, true);
  mlir::Value done =
      pm::RestoreOp::create(builder, at, mlir::TypeRange{i64Type}, newest,
                            intConstant(0, at), mlir::ValueRange())
          .getResult(0);
  states.file = open(kept, false);
  mlir::Value any = arith::CmpIOp::create(
      builder, at, arith::CmpIPredicate::sgt, done, intConstant(0, at));
  auto choice = scf::IfOp::create(builder, at, types, any,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    choice.thenBlock()->clear();
    builder.setInsertionPointToEnd(choice.thenBlock());
    auto restored = pm::RestoreOp::create(builder, at, kept, states.file, done,
                                          mlir::ValueRange());
    scf::YieldOp::create(
        builder, at, convertKept(builder, at, restored.getResults(), types));
    choice.elseBlock()->clear();
    builder.setInsertionPointToEnd(choice.elseBlock());
    scf::YieldOp::create(builder, at, leaves);
  }
  leaves.assign(choice.getResults().begin(), choice.getResults().end());
  return done;
}

/// After an iteration, the `done`th: it is the runtime that knows whether it is
/// time to write what the loop carries.
void Generator::saveCheckpoint(const Checkpointing &states, mlir::Value done,
                               mlir::ValueRange leaves, mlir::Location at) {
  llvm::SmallVector<mlir::Type> kept;
  for (mlir::Value leaf : leaves)
    kept.push_back(keptType(leaf.getType(), i64Type));
  pm::SaveOp::create(builder, at, states.file, done,
                     convertKept(builder, at, leaves, kept));
}
