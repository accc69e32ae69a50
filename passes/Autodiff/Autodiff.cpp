//===- Autodiff.cpp - Functions instead of derivatives --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Derive.h"
#include "passes/Autodiff/Models.h"
#include "passes/Optimize/PureCalls.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

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
  registerTapeDerivatives(registry);
  registerRowSumDerivatives(registry);
  registerCallDerivatives(registry);
  registerFourierDerivatives(registry);
  registerParticleDerivatives(registry);
}

namespace {

class AutodiffPass : public pmc::passes::impl::AutodiffBase<AutodiffPass> {
public:
  void runOnOperation() override {
    // Copies of steps leave calls behind that nothing uses.
    markPureCalls(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (failed(resolve(function)))
        return signalPassFailure();
    markPureCalls(getOperation());
    OpPassManager cleaning(func::FuncOp::getOperationName());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    cleaning.addPass(createCanonicalizerPass(config));
    cleaning.addPass(createCSEPass());
    for (auto &[key, function] : known)
      if (failed(runPipeline(cleaning, function)))
        return signalPassFailure();
  }

private:
  /// Replaces the derivatives in a function, after those in what it calls or
  /// differentiates.
  LogicalResult resolve(func::FuncOp function) {
    if (!done.insert(function))
      return success();
    SmallVector<Operation *> derivatives;
    WalkResult inner = function.walk([&](Operation *op) {
      auto name = op->getAttrOfType<FlatSymbolRefAttr>("callee");
      if (!name)
        return WalkResult::advance();
      if (isa<JVPOp, VJPOp>(op))
        derivatives.push_back(op);
      auto callee =
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name);
      return WalkResult(callee ? resolve(callee) : success());
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
      FailureOr<func::FuncOp> derived = derive(op);
      if (failed(derived) || failed(resolve(*derived)))
        return failure();
      made = *derived;
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
    // Errors are at what has no derivative; the user asked for it here.
    ScopedDiagnosticHandler notes(&getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        diagnostic.attachNote(op->getLoc()) << "differentiated here";
      return failure();
    });
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op->getAttrOfType<FlatSymbolRefAttr>("callee"));
    if (auto jvp = dyn_cast<JVPOp>(op))
      return deriveForward(function, jvp.getWrt());
    return deriveReverse(function, cast<VJPOp>(op));
  }

  /// Equal for ops that the same function replaces.
  static std::string describe(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << op->getName() << op->getAttrDictionary();
    return text;
  }

  llvm::SetVector<func::FuncOp> done;
  std::map<std::string, func::FuncOp> known;
};

} // namespace
