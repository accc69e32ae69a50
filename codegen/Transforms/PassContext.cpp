//===- PassContext.cpp - The context for every function -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_PASSCONTEXT
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;

namespace {

struct PassContextPass : pmc::codegen::impl::PassContextBase<PassContextPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    WalkResult lowered = module.walk([](func::CallOp call) {
      if (call->getParentOfType<func::FuncOp>())
        return WalkResult::advance();
      call.emitOpError("is not in a func.func: the module is lowered already");
      return WalkResult::interrupt();
    });
    if (lowered.wasInterrupted())
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      (void)function.insertArgument(0, pointer, {}, function.getLoc());
    module.walk([&](func::CallOp call) {
      auto caller = call->getParentOfType<func::FuncOp>();
      call->insertOperands(0, caller.getArgument(0));
    });
  }
};

} // namespace
