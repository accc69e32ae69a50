//===- Interrupts.cpp - Loops that a signal ends --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Emit.h"
#include "codegen/Passes.h"
#include "codegen/Program/RuntimeFunction.h"
#include "codegen/Program/TargetInfo.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_CHECKINTERRUPTS
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// So many steps of arithmetic are over before anybody gets impatient.
static constexpr int64_t shortLoop = 1024;

static bool hasLoop(Operation *op) {
  bool found = false;
  op->walk([&](Operation *inner) {
    found |= inner != op && isa<scf::ForOp, scf::WhileOp, func::CallOp>(inner);
  });
  return found;
}

static bool isShort(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || hasLoop(op))
    return false;
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                         to = getConstantIntValue(loop.getUpperBound());
  return from && to && *to - *from <= shortLoop;
}

/// Loops over fields report every step to the runtime, which looks itself.
static bool reportsSteps(Operation *op) {
  for (Region &region : op->getRegions())
    if (!region.front().getOps<ProgressOp>().empty())
      return true;
  return false;
}

static void addCheck(Operation *loop, LLVM::LLVMFuncOp flags,
                     LLVM::LLVMFuncOp stop) {
  Block &body = loop->getRegions().back().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Location loc = loop->getLoc();
  Type i32 = builder.getI32Type();
  // LLVM moves the call out of the loop.
  Value address =
      LLVM::CallOp::create(builder, loc, flags, ValueRange()).getResult();
  Value flag = LLVM::LoadOp::create(
      builder, loc, i32, address, /*alignment=*/4, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  Emit emit(builder, loc);
  Value isSet = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      flag, emit.constant(i32, 0));
  scf::IfOp::create(builder, loc, isSet, [&](OpBuilder &inner, Location) {
    LLVM::CallOp::create(inner, loc, stop, ValueRange());
    scf::YieldOp::create(inner, loc);
  });
}

static void addChecks(ModuleOp module, Target target) {
  SmallVector<Operation *> loops;
  module.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op) && !isShort(op) &&
        !reportsSteps(op) &&
        (target == Target::CPU || !op->getParentOfType<DomainOpInterface>()))
      loops.push_back(op);
  });
  if (loops.empty())
    return;
  LLVM::LLVMFuncOp flags = PMRT_FUNCTION(pmrt_interrupts).declareIn(module);
  // The address depends on the thread alone.
  auto nothing = LLVM::ModRefInfo::NoModRef;
  flags.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      module.getContext(),
      {nothing, nothing, nothing, nothing, nothing, nothing}));
  flags.setNoUnwind(true);
  flags.setWillReturn(true);
  LLVM::LLVMFuncOp stop = PMRT_FUNCTION(pmrt_stop).declareIn(module);
  for (Operation *loop : loops)
    addCheck(loop, flags, stop);
}

namespace {

struct CheckInterruptsPass
    : pmc::codegen::impl::CheckInterruptsBase<CheckInterruptsPass> {
  void runOnOperation() override {
    FailureOr<TargetInfo> target = TargetInfo::get(getOperation());
    if (failed(target))
      return signalPassFailure();
    addChecks(getOperation(), target->kind);
  }
};

} // namespace
