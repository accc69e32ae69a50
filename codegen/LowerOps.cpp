//===- LowerOps.cpp - Buffer form to loops and runtime calls --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/CPU.h"
#include "codegen/CUDA/CUDA.h"
#include "codegen/Elements/KernelInterfaces.h"
#include "codegen/Lowering/Handles.h"
#include "codegen/Passes.h"
#include "codegen/Program/Exchanges.h"
#include "codegen/Program/LoopBytes.h"
#include "codegen/Transforms/Lengths.h"
#include "dialect/IR/Markers/PMDeterministic.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_LOWERDOMAINS
#define GEN_PASS_DEF_LOWEROPS
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

bool usesBuffer(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BufferType>);
}

/// Planning overwrites buffers, so it comes before the first use of one; and
/// after what may find the parameters wrong. Null if no op uses a buffer.
Operation *findFirstUse(func::FuncOp main) {
  for (Operation &op : main.getBody().front()) {
    WalkResult found = op.walk([&](Operation *inner) {
      return usesBuffer(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return &op;
  }
  return nullptr;
}

/// An op that does nothing, before `op`: a place that stays when `op` goes.
Operation *mark(Operation *op) {
  OpBuilder builder(op);
  return arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
}

/// Kernels read buffers, and get the runtime's context from their function.
LogicalResult checkFunctions(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    Block &entry = function.getBody().front();
    if (entry.getNumArguments() == 0 ||
        !isa<LLVM::LLVMPointerType>(entry.getArgument(0).getType()))
      return function.emitOpError(
          "has no context argument; run pm-pass-context first");
  }
  WalkResult found = module.walk([](Operation *op) {
    auto isField = [](Type type) { return bool(getField(type)); };
    if (llvm::none_of(op->getOperandTypes(), isField) &&
        llvm::none_of(op->getResultTypes(), isField))
      return WalkResult::advance();
    op->emitOpError("uses a field, expected buffers; run pm-plan-memory first");
    return WalkResult::interrupt();
  });
  return success(!found.wasInterrupted());
}

/// The passes that must come first: an error at the op that they have not
/// changed.
LogicalResult checkPrepared(ModuleOp module) {
  for (auto dim : module.getOps<DimOp>())
    return dim.emitOpError("has a length; run pm-outline-lengths first");
  return checkFunctions(module);
}

/// Lowers every op that has the interface; inner ones first.
template <typename Interface, typename Lower>
LogicalResult lowerAll(ModuleOp module, Lower lower) {
  SmallVector<Interface> ops;
  module.walk<WalkOrder::PostOrder>([&](Interface op) { ops.push_back(op); });
  for (Interface op : ops) {
    if (failed(lower(op)))
      return failure();
    op->erase();
  }
  return success();
}

/// Fused or not, operations round differently, and of two loops that do the
/// same (with and without a halo, of vectors and of what is left) one may have
/// them fused and the other not.
void forbidContraction(ModuleOp module) {
  module.walk([](arith::ArithFastMathInterface op) {
    arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
    if (flags && flags.getValue() != arith::FastMathFlags::none)
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(op->getContext(),
                                                arith::FastMathFlags::none));
  });
}

/// To bf16 by integers: not every processor that is compiled for, nor every
/// compiler's library, rounds to it. So bits are the same on all.
void expandBrainFloats(ModuleOp module) {
  bool has = false;
  module.walk([&](arith::TruncFOp op) { has |= op.getType().isBF16(); });
  if (!has)
    return;
  RewritePatternSet patterns(module.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

LogicalResult makeKernels(LoweringContext &context) {
  const KernelSchedule &schedule = context.getTarget().kind == Target::CUDA
                                       ? getCUDASchedule()
                                       : getCPUSchedule();
  if (failed(lowerAll<KernelOpInterface>(
          context.getModule(), [&](KernelOpInterface op) {
            return op.lowerToKernel(context, schedule);
          })))
    return failure();
  if (isDeterministic(context.getModule()))
    forbidContraction(context.getModule());
  expandBrainFloats(context.getModule());
  return success();
}

/// Reports paints that compute their cells if the target is a GPU, because only
/// lattice blocks on CPUs compute them.
static LogicalResult checkCells(ModuleOp module, const TargetInfo &target) {
  auto fits = [&](Operation *op) {
    auto paint = dyn_cast<ScatterOp>(op);
    if (target.kind == Target::CPU || !paint || !paint.isComputed())
      return WalkResult::advance();
    return WalkResult(op->emitOpError(
        "computes its cells, which only CPUs can, and the target is cuda; "
        "leave out pm-paint-stencils"));
  };
  return failure(module.walk(fits).wasInterrupted());
}

class LowerOpsPass : public pmc::codegen::impl::LowerOpsBase<LowerOpsPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetInfo> target = TargetInfo::get(module);
    FailureOr<func::FuncOp> main = findMain(module);
    if (failed(target) || failed(main) || failed(checkPrepared(module)) ||
        failed(checkCells(module, *target)))
      return signalPassFailure();
    ProgramTables tables(module);
    tables.setExchanges(describeExchanges(*main, tables));
    if (failed(convertHandles(module)))
      return signalPassFailure();
    LoweringContext context(module, tables, *target);
    tables.setLoops(describeLoops(*main, tables));
    Operation *firstUse = findFirstUse(*main);
    Operation *plans = firstUse ? mark(firstUse) : nullptr;
    // Ops in bodies are lowered before kernels take the bodies.
    if (failed(lowerAll<LowerableOpInterface>(
            module,
            [&](LowerableOpInterface op) { return op.lower(context); })) ||
        failed(makeKernels(context)) || failed(checkLowered(module)))
      return signalPassFailure();
    eraseHandleCasts(module);
    if (plans) {
      OpBuilder builder(plans);
      context.emitPlans(builder);
      plans->erase();
    }
    tellLengths(context, *main);
    requireLengths(context, *main);
    eraseDeclarations(module);
    tables.attachTo(module);
  }

private:
  /// The memory plan's buffers go with the declarations; nothing may use them.
  static LogicalResult checkLowered(ModuleOp module) {
    auto isDone = [](Operation *op) {
      return !isa<PMDialect>(op->getDialect()) && !usesBuffer(op);
    };
    WalkResult found = module.walk([&](Operation *op) {
      if (isDone(op) || isa<AllocOp>(op) ||
          !op->getParentOfType<func::FuncOp>())
        return WalkResult::advance();
      op->emitOpError("has no lowering for this target");
      return WalkResult::interrupt();
    });
    return success(!found.wasInterrupted());
  }

  static void eraseDeclarations(ModuleOp module) {
    module.walk([](AllocOp alloc) {
      if (alloc->use_empty())
        alloc.erase();
    });
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<PMDialect>(op.getDialect()))
        op.erase();
  }
};

class LowerDomainsPass
    : public pmc::codegen::impl::LowerDomainsBase<LowerDomainsPass> {
public:
  void runOnOperation() override {
    FailureOr<TargetInfo> target = TargetInfo::get(getOperation());
    if (failed(target) || failed(checkFunctions(getOperation())) ||
        failed(convertHandles(getOperation())))
      return signalPassFailure();
    ProgramTables tables(getOperation());
    LoweringContext context(getOperation(), tables, *target);
    if (failed(makeKernels(context)))
      return signalPassFailure();
    eraseHandleCasts(getOperation());
  }
};

} // namespace
