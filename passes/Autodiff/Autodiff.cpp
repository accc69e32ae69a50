//===- Autodiff.cpp - Functions instead of derivatives --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Derive.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Models.h"
#include "passes/Optimize/PureCalls.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace pmc::passes {
#define GEN_PASS_DEF_AUTODIFF
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

void pmc::passes::registerDerivativeModels(DialectRegistry &registry) {
  registerScalarDerivatives(registry);
  registerDomainDerivatives(registry);
  registerTableDerivatives(registry);
  registerControlFlowDerivatives(registry);
  registerCheckpointStoreDerivatives(registry);
  registerRowSumDerivatives(registry);
  registerCallDerivatives(registry);
  registerFourierDerivatives(registry);
  registerShiftDerivatives(registry);
  registerStoredDerivatives(registry);
  registerViewDerivatives(registry);
  registerCellDerivatives(registry);
  registerContractDerivatives(registry);
  registerMatrixDerivatives(registry);
  registerSortDerivatives(registry);
  registerConvolveDerivatives(registry);
  registerParticleDerivatives(registry);
}

namespace {

class AutodiffPass : public pmc::passes::impl::AutodiffBase<AutodiffPass> {
public:
  void runOnOperation() override {
    // Copies of steps leave calls behind that nothing uses.
    markPureCalls(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (failed(resolve(function, nullptr)))
        return signalPassFailure();
    forgetOrders(getOperation());
    expandGuarded(getOperation());
    markPureCalls(getOperation());
    OpPassManager cleaning(func::FuncOp::getOperationName());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    cleaning.addPass(createCanonicalizerPass(config));
    cleaning.addPass(createEliminateCommon());
    for (auto &[key, function] : known)
      if (failed(runPipeline(cleaning, function)))
        return signalPassFailure();
  }

private:
  /// Replaces the derivatives in a function, after those in what it calls or
  /// differentiates. `from`: the op that leads to it.
  LogicalResult resolve(func::FuncOp function, Operation *from) {
    auto *begin = llvm::find_if(
        path, [&](const Step &step) { return step.function == function; });
    if (begin != path.end())
      return refuseRecursion({begin, path.end()}, from);
    if (!done.insert(function))
      return success();
    path.push_back({function, from});
    llvm::scope_exit leave([&] { path.pop_back(); });
    SmallVector<Operation *> derivatives;
    WalkResult inner = function.walk([&](Operation *op) {
      auto name = op->getAttrOfType<FlatSymbolRefAttr>("callee");
      if (!name)
        return WalkResult::advance();
      if (isa<JVPOp, VJPOp>(op))
        derivatives.push_back(op);
      auto callee =
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name);
      return WalkResult(callee ? resolve(callee, op) : success());
    });
    if (inner.wasInterrupted())
      return failure();
    for (Operation *op : derivatives)
      if (failed(replace(op)))
        return failure();
    return success();
  }

  LogicalResult replace(Operation *op) {
    func::FuncOp &made = known[describe(op)];
    if (!made) {
      FailureOr<func::FuncOp> differentiated = derive(op);
      if (failed(differentiated) || failed(resolve(*differentiated, op)))
        return failure();
      made = *differentiated;
    }
    OpBuilder builder(op);
    SmallVector<Value> operands;
    if (auto jvp = dyn_cast<JVPOp>(op)) {
      llvm::append_range(operands, jvp.getArgs());
      llvm::append_range(operands, jvp.getTangents());
    } else {
      auto vjp = cast<VJPOp>(op);
      llvm::append_range(operands, vjp.getArgs());
      llvm::append_range(operands, vjp.getCotangents());
    }
    auto call = func::CallOp::create(builder, op->getLoc(), made, operands);
    op->replaceAllUsesWith(call);
    op->erase();
    return success();
  }

  FailureOr<func::FuncOp> derive(Operation *op) {
    // Messages are at what has no derivative; the user asked for it here.
    ScopedDiagnosticHandler notes(&getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error ||
          diagnostic.getSeverity() == DiagnosticSeverity::Warning)
        diagnostic.attachNote(op->getLoc()) << "differentiated here";
      return failure();
    });
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op->getAttrOfType<FlatSymbolRefAttr>("callee"));
    if (auto jvp = dyn_cast<JVPOp>(op))
      return deriveForward(function, jvp.getWrt(), isSecondDerivative(op));
    return deriveReverse(function, cast<VJPOp>(op));
  }

  /// A function and the op that leads to it.
  struct Step {
    func::FuncOp function;
    Operation *from;
  };

  /// The front end knows no recursion but through adjoints by hand, which are
  /// called where a derivative is built. `last` leads back to the first
  /// function of `cycle`.
  LogicalResult refuseRecursion(ArrayRef<Step> cycle, Operation *last) {
    SmallVector<Step> steps(cycle.drop_front());
    steps.push_back({cycle.front().function, last});
    // It begins with an adjoint.
    auto *adjoint = llvm::find_if(
        steps, [&](const Step &step) { return isAdjoint(step.function); });
    if (adjoint != steps.end())
      std::rotate(steps.begin(), adjoint + 1, steps.end());
    InFlightDiagnostic error = steps.back().function.emitError(
        "[PM0810] the adjoint of a function leads back "
        "to itself: recursion is not possible");
    Location begin = steps.back().function.getLoc();
    for (const Step &step : steps)
      if (step.from->getLoc() != begin)
        error.attachNote(step.from->getLoc())
            << (isa<JVPOp, VJPOp>(step.from) ? "it takes this derivative"
                : isAdjoint(step.function)
                    ? "which asks for the adjoint of this call"
                    : "which leads to this call");
    return error;
  }

  /// Whether some function names it as its adjoint.
  bool isAdjoint(func::FuncOp function) {
    return llvm::any_of(
        getOperation().getOps<func::FuncOp>(), [&](func::FuncOp other) {
          auto name = other->getAttrOfType<FlatSymbolRefAttr>("pm.adjoint");
          return name && name.getAttr() == function.getNameAttr();
        });
  }

  /// Equal for ops that the same function replaces.
  static std::string describe(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << op->getName() << op->getAttrDictionary() << isSecondDerivative(op);
    return text;
  }

  llvm::SetVector<func::FuncOp> done;
  SmallVector<Step> path;
  std::map<std::string, func::FuncOp> known;
};

} // namespace
