//===- Copies.cpp - Where a field must be copied --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/Copies.h"
#include "passes/Memory/Coalesce.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static void insertCopy(OpOperand &operand, const Twine &reason) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  auto copy =
      CopyOp::create(builder, op->getLoc(), TypeRange(operand.get().getType()),
                     operand.get(), ValueRange());
  copy->setAttr("reason", builder.getStringAttr(reason));
  operand.set(copy.getResult());
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("copy").category("pm-plan-memory"))
      << ("a field is copied: " + reason).str();
}

static unsigned copyDestroyed(func::FuncOp function) {
  SmallVector<Tie> ties = getTies(function);
  Liveness liveness(function, ties);
  unsigned copies = 0;
  function.walk([&](PlaceableOpInterface op) {
    for (OpOperand &operand : op->getOpOperands())
      if (getField(operand.get().getType()) && op.destroysOperand(operand) &&
          liveness.isLiveAfter(operand.get(), op)) {
        insertCopy(operand, op->getName().getStringRef() +
                                " destroys its operand, which is read later");
        ++copies;
      }
  });
  return copies;
}

static bool isConstant(MapOp map) {
  return map.getInputs().empty() && map.getNumResults() == 1 &&
         matchPattern(map.getDomainBody()->getTerminator()->getOperand(0),
                      m_Constant());
}

void pmc::passes::separateConstants(func::FuncOp function) {
  SmallVector<MapOp> constants;
  function.walk([&](MapOp map) {
    if (isConstant(map))
      constants.push_back(map);
  });
  for (MapOp map : constants) {
    for (OpOperand &use : llvm::make_early_inc_range(map->getUses())) {
      Operation *user = use.getOwner();
      if (!isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(
              user))
        continue;
      OpBuilder builder(user);
      use.set(builder.clone(*map)->getResult(0));
    }
    if (map->use_empty())
      map.erase();
  }
}

FailureOr<unsigned> pmc::passes::insertCopies(func::FuncOp function) {
  unsigned copies = copyDestroyed(function);
  // A copy right before the op that hands on is in the way of nothing but the
  // other copies there, which the next round puts apart.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; round < maxRounds; ++round) {
    SmallVector<Tie> ties = getTies(function);
    Coalescing classes(Liveness(function, ties));
    llvm::SetVector<OpOperand *> conflicts;
    for (auto [operand, value] : ties)
      if (!classes.join(operand->get(), value))
        conflicts.insert(operand);
    if (conflicts.empty())
      return copies;
    for (OpOperand *operand : conflicts)
      insertCopy(*operand,
                 operand->getOwner()->getName().getStringRef() +
                     " hands on a field that is live at the same time as what "
                     "it becomes");
    copies += conflicts.size();
  }
  return function.emitOpError("needs more than ")
         << maxRounds << " rounds of copies between its fields, expected at "
         << "most 3: please report this";
}
