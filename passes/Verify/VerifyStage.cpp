//===- VerifyStage.cpp - Is the IR legal for a stage ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/IR/Markers/Limits.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/DialectConversion.h"

namespace pmc::passes {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

static bool hasType(Operation *op, function_ref<bool(Type)> is) {
  if (llvm::any_of(op->getOperandTypes(), is) ||
      llvm::any_of(op->getResultTypes(), is))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), is))
        return true;
  return false;
}

static bool isField(Type type) { return bool(getField(type)); }
static bool isBuffer(Type type) { return isa<BufferType>(type); }
static bool isSplit(Type type) {
  FieldType field = getField(type);
  return field && !getAxes(field.getDims()).empty();
}

static bool isInMain(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  return !function || function.getName() == "main";
}

/// A halo that was exchanged of another field than it is read with. Where one
/// comes from outside of this function or loop, who handed it on knows.
static LogicalResult checkRead(Operation *op, Value halo, Value field) {
  if (!halo)
    return success();
  if (auto wait = halo.getDefiningOp<HaloWaitOp>())
    halo = wait.getHalo();
  auto exchange = halo.getDefiningOp<HaloExchangeOp>();
  if (!exchange ||
      exchange.getMeshes()[cast<OpResult>(halo).getResultNumber()] == field)
    return success();
  InFlightDiagnostic error =
      op->emitOpError("has a halo of another mesh than it reads");
  error.attachNote(exchange.getLoc()) << "exchanged here";
  return error;
}

/// Every painted halo is reduced once, with its mesh.
static LogicalResult checkPaint(ScatterOp scatter) {
  for (auto [i, halo] : llvm::enumerate(scatter.getHalos())) {
    if (!halo.use_empty() && !halo.hasOneUse())
      return scatter.emitOpError("has a halo with ")
             << llvm::range_size(halo.getUses())
             << " uses, expected one pm.halo_reduce";
    for (Operation *user : halo.getUsers())
      if (auto reduce = dyn_cast<HaloReduceOp>(user);
          reduce && !scatter.getResults().empty() &&
          reduce.getInput() != scatter.getResults()[i]) {
        InFlightDiagnostic error = reduce.emitOpError(
            "expects a mesh of a pm.scatter and its halo, has others");
        error.attachNote(halo.getLoc()) << "the halo is made here";
        return error;
      }
  }
  return success();
}

static LogicalResult checkHalos(Operation *op) {
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return checkPaint(scatter);
  if (auto read = dyn_cast<InterpolateOp>(op)) {
    for (auto [halo, mesh] : llvm::zip(read.getHalos(), read.getMeshes()))
      if (failed(checkRead(op, halo, mesh)))
        return failure();
  } else if (auto read = dyn_cast<NeighborOp>(op)) {
    return checkRead(op, read.getHalo(), read.getField());
  } else if (auto read = dyn_cast<CellOp>(op)) {
    return checkRead(op, read.getHalo(), read.getField());
  } else if (auto read = dyn_cast<ConvolveOp>(op)) {
    return checkRead(op, read.getHalo(), read.getField());
  }
  return success();
}

namespace {

class VerifyStagePass
    : public pmc::passes::impl::VerifyStageBase<VerifyStagePass> {
public:
  using VerifyStageBase::VerifyStageBase;

  void runOnOperation() override {
    if (failed(verify(getOperation())))
      return signalPassFailure();
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return stage == "global" || !op->hasTrait<IsExpanded>();
    });
    if (failed(addStage(target)))
      return signalPassFailure();
    bool legal = true;
    getOperation().walk([&](Operation *op) {
      legal &= succeeded(checkOp(target, op)) && succeeded(checkTypes(op)) &&
               succeeded(checkHalos(op));
    });
    if (stage == "buffers")
      legal &= succeeded(checkPlan());
    if (!legal)
      signalPassFailure();
  }

private:
  LogicalResult addStage(ConversionTarget &target) {
    if (stage == "global" || stage == "expanded")
      addGlobalView(target);
    target.addIllegalOp<JVPOp, VJPOp>();
    if (stage == "global") {
      target.addIllegalOp<AllocOp, CopyOp, PlanOp>();
    } else if (stage == "expanded" || stage == "sharded") {
      target.addIllegalOp<AllocOp, CopyOp, PlanOp>();
      addExpanded(target);
    } else if (stage == "buffers") {
      addExpanded(target);
    } else {
      return getOperation().emitError("unknown stage '")
             << stage << "', expected global, expanded, sharded or buffers";
    }
    return success();
  }

  /// No messages.
  static void addGlobalView(ConversionTarget &target) {
    target
        .addIllegalOp<AllReduceOp, ReshardOp, ReshardStartOp, ReshardWaitOp,
                      ReduceFieldsOp, ReduceFieldsStartOp, ReduceFieldsWaitOp,
                      DisplacementBoundOp, MarginOp, WidenDisplacementBoundOp,
                      HaloExchangeOp, HaloWaitOp, HaloReduceOp, HaloCloseOp>();
  }

  static void addExpanded(ConversionTarget &target) {
    target.addDynamicallyLegalOp<FFTOp>(
        [](FFTOp fft) { return bool(fft.getRaw()); });
    target.addDynamicallyLegalOp<func::CallOp>([](func::CallOp call) {
      return !call->getParentOfType<DomainOpInterface>();
    });
  }

  LogicalResult checkOp(const ConversionTarget &target, Operation *op) {
    std::optional<ConversionTarget::LegalOpDetails> details =
        target.isLegal(op);
    if (details)
      return success();
    return op->emitOpError("is not legal in stage '") << stage << "'";
  }

  LogicalResult checkTypes(Operation *op) {
    if (stage == "expanded")
      for (Type type : op->getResultTypes())
        if (auto field = dyn_cast<FieldType>(type);
            field && field.getDims().size() > mostFieldDims)
          return op->emitError("the field over ")
                 << toString(field.getDims()) << " has "
                 << field.getDims().size() << " dims, and at most "
                 << mostFieldDims
                 << " can be stored; sum the product over "
                    "some of them, and use it for nothing else";
    if (stage != "buffers" && hasType(op, isBuffer))
      return op->emitOpError("uses a buffer in stage '")
             << stage << "', expected fields";
    if (stage == "buffers" && hasType(op, isField))
      return op->emitOpError("uses a field in stage '")
             << stage << "', expected buffers";
    if ((stage == "global" || stage == "expanded") && hasType(op, isSplit))
      return op->emitOpError("uses a split field in stage '")
             << stage << "', expected whole ones";
    if ((stage == "expanded" || stage == "sharded") && hasType(op, isField) &&
        !isInMain(op))
      return op->emitOpError("uses a field in stage '")
             << stage << "' outside of main, where fields live";
    return success();
  }

  /// One plan, of which every alloc is a buffer.
  LogicalResult checkPlan() {
    PlanOp plan;
    for (auto op : getOperation().getOps<PlanOp>()) {
      if (plan)
        return op.emitOpError("is the second plan, expected one a module");
      plan = op;
    }
    bool legal = true;
    getOperation().walk([&](AllocOp alloc) {
      size_t known = plan ? plan.getTypes().size() : 0;
      if (alloc.getId() >= known) {
        legal = false;
        alloc.emitOpError("names buffer ")
            << alloc.getId() << ", the plan has " << known;
      }
    });
    return success(legal);
  }
};

} // namespace
