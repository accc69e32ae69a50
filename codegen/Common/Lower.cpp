//===- Lower.cpp - Buffer form to loops and runtime calls -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Lower.h"
#include "codegen/Common/DeviceSymbols.h"
#include "codegen/Common/Emit.h"
#include "codegen/Common/Handles.h"
#include "codegen/Common/Interrupts.h"
#include "codegen/Common/TableLifetimes.h"

#include "pmrt/pmrt.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// Every function gets the context as its first argument and hands it on.
void passContext(ModuleOp module) {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    (void)function.insertArgument(0, pointer, {}, function.getLoc());
  module.walk([&](func::CallOp call) {
    auto caller = call->getParentOfType<func::FuncOp>();
    call->insertOperands(0, caller.getArgument(0));
  });
}

std::string lengthFunction(StringRef dim) {
  return ("pmc.length." + dim).str();
}

/// The lengths of dims become functions.
void outlineLengths(ModuleOp module) {
  for (auto dim : llvm::make_early_inc_range(module.getOps<DimOp>())) {
    OpBuilder builder(dim);
    auto function = func::FuncOp::create(
        builder, dim.getLoc(), lengthFunction(dim.getName()),
        builder.getFunctionType({}, builder.getF64Type()));
    function.setPrivate();
    function.getBody().takeBody(dim.getLength());
    Operation *yield = function.getBody().front().getTerminator();
    builder.setInsertionPoint(yield);
    func::ReturnOp::create(builder, yield->getLoc(), yield->getOperands());
    yield->erase();
    dim.erase();
  }
}

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

class LowerPass : public PassWrapper<LowerPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  explicit LowerPass(LowerOptions options) : options(std::move(options)) {}
  StringRef getArgument() const override { return "pm-lower"; }
  StringRef getDescription() const override {
    return "turn the buffer form into loops and runtime calls";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
    if (options.target == Target::CUDA)
      registry.insert<NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError("a program needs a function 'main'");
      return signalPassFailure();
    }
    ProgramTables tables(module);
    LoweringContext context(module, tables, options.target,
                            options.deterministic, options.paint);
    replaceHandleTypes(module);
    outlineLengths(module);
    passContext(module);
    addInterruptChecks(module, options.target);
    Operation *firstUse = findFirstUse(main);
    Operation *plans = firstUse ? mark(firstUse) : nullptr;
    // What stands in bodies becomes plain before kernels take the bodies.
    if (failed(lowerOps(context, /*loops=*/false)) ||
        failed(lowerOps(context, /*loops=*/true)))
      return signalPassFailure();
    if (failed(checkLowered(module)))
      return signalPassFailure();
    releaseTables(context);
    if (plans) {
      OpBuilder builder(plans);
      context.emitPlans(builder);
      plans->erase();
    }
    main.setSymName("pmc.entry");
    main.setPrivate();
    // Where kernels have all the work it runs once, from call to call; and it
    // is long: optimising it takes as long as all else of the host's code.
    if (options.target == Target::CUDA)
      main->setAttr("passthrough",
                    OpBuilder(main).getStrArrayAttr({"noinline", "optnone"}));
    tellLengths(context, main);
    requireLengths(context, main);
    eraseDeclarations(module);
    emitProgram(context);
  }

private:
  LogicalResult lowerOps(LoweringContext &context, bool loops) {
    SmallVector<LowerableOpInterface> ops;
    context.getModule().walk<WalkOrder::PostOrder>(
        [&](LowerableOpInterface op) {
          if (isa<DomainOpInterface>(op.getOperation()) == loops)
            ops.push_back(op);
        });
    for (LowerableOpInterface op : ops) {
      if (failed(op.lower(context)))
        return failure();
      op->erase();
    }
    return success();
  }

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

  /// Files name the box that a field fills.
  static void tellLengths(LoweringContext &context, func::FuncOp main) {
    OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
    for (auto [dim, index] : context.getTables().getDims()) {
      auto length = context.getModule().lookupSymbol<func::FuncOp>(
          lengthFunction(dim.getName()));
      if (!dim.isSpace() || !length)
        continue;
      auto call = func::CallOp::create(builder, length.getLoc(), length,
                                       ValueRange(main.getArgument(0)));
      context.call(builder, length.getLoc(), PMRT_FUNCTION(pmrt_set_length),
                   {main.getArgument(0),
                    context.constant(builder, int64_t(index), 32),
                    call.getResult(0)});
    }
  }

  /// Of lengths that the user has a say in: a box of -100 Mpc/h is none.
  static void requireLengths(LoweringContext &context, func::FuncOp main) {
    OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
    for (auto length : context.getModule().getOps<func::FuncOp>()) {
      StringRef dim = length.getSymName();
      if (!dim.consume_front(lengthFunction("")) ||
          matchPattern(length.getBody().front().getTerminator()->getOperand(0),
                       m_Constant()))
        continue;
      Location loc = length.getLoc();
      Emit emit(builder, loc);
      Value value = func::CallOp::create(builder, loc, length,
                                         ValueRange(main.getArgument(0)))
                        .getResult(0);
      Type f64 = value.getType();
      Value good = emit.both(
          emit.less(emit.constant(f64, 0), value),
          emit.less(value, emit.constant(
                               f64, std::numeric_limits<double>::infinity())));
      context.call(builder, loc, PMRT_FUNCTION(pmrt_require),
                   {main.getArgument(0), context.location(builder, loc),
                    emit.widen(good, builder.getI32Type()),
                    context.string(builder, ("the length of '" + dim +
                                             "' is {}; it must be above 0 and "
                                             "finite")
                                                .str()),
                    context.constant(builder, int64_t(1), 32),
                    context.pack(builder, value, f64)});
    }
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

  /// @pmc.program and the functions that run it.
  void emitProgram(LoweringContext &context) {
    ModuleOp module = context.getModule();
    MLIRContext *mlir = module.getContext();
    Location loc = module.getLoc();
    OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(mlir);
    Type i32 = top.getI32Type();

    std::string descriptor;
    llvm::raw_string_ostream(descriptor)
        << context.getTables().describe(options.info);
    auto record =
        LLVM::LLVMStructType::getLiteral(mlir, {i32, pointer, pointer});
    auto run = LLVM::LLVMFuncOp::create(
        top, loc, "pmc.run",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(mlir), {pointer}),
        LLVM::Linkage::Internal);
    {
      Block *entry = run.addEntryBlock(top);
      OpBuilder body = OpBuilder::atBlockEnd(entry);
      func::CallOp::create(body, loc, "pmc.entry", TypeRange(),
                           ValueRange(entry->getArgument(0)));
      LLVM::ReturnOp::create(body, loc, ValueRange());
    }
    auto program = LLVM::GlobalOp::create(top, loc, record, /*isConstant=*/true,
                                          LLVM::Linkage::Internal,
                                          "pmc.program", Attribute());
    {
      OpBuilder::InsertionGuard guard(top);
      top.setInsertionPointToStart(&program.getInitializer().emplaceBlock());
      Value value = LLVM::UndefOp::create(top, loc, record);
      auto set = [&](Value member, int64_t i) {
        value = LLVM::InsertValueOp::create(top, loc, value, member, i);
      };
      set(LLVM::ConstantOp::create(top, loc, i32,
                                   top.getI32IntegerAttr(PMRT_ABI_VERSION)),
          0);
      set(context.string(top, descriptor), 1);
      set(LLVM::AddressOfOp::create(top, loc, run), 2);
      LLVM::ReturnOp::create(top, loc, value);
    }
    auto runner = LLVM::LLVMFuncOp::create(
        top, loc, options.executable ? "main" : "pmc_main",
        LLVM::LLVMFunctionType::get(i32, {i32, pointer}));
    Block *entry = runner.addEntryBlock(top);
    OpBuilder body = OpBuilder::atBlockEnd(entry);
    bool onDevice = options.target == Target::CUDA;
    SmallVector<Value> operands(entry->getArguments());
    operands.push_back(LLVM::AddressOfOp::create(body, loc, program));
    if (onDevice)
      operands.push_back(
          LLVM::AddressOfOp::create(body, loc, declareDeviceCode(top, loc)));
    Value code = context.call(body, loc,
                              onDevice ? PMRT_FUNCTION(pmrt_main_cuda)
                                       : PMRT_FUNCTION(pmrt_main),
                              operands);
    LLVM::ReturnOp::create(body, loc, code);
  }

  LowerOptions options;
};

} // namespace

std::unique_ptr<Pass> pmc::codegen::createLowerPass(LowerOptions options) {
  return std::make_unique<LowerPass>(std::move(options));
}
