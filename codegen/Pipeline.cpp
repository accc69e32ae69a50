//===- Pipeline.cpp - From the global view to machine code ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"

#include "codegen/Common/Lower.h"
#include "codegen/Host/Register.h"
#include "codegen/LLVM/ToLLVM.h"
#include "passes/Memory/PlanMemory.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void pmc::codegen::registerCodegen(DialectRegistry &registry) {
  registerHostLowerings(registry);
  registerToLLVM(registry);
}

void pmc::codegen::addBufferPasses(OpPassManager &pm,
                                   const PipelineOptions &options) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(passes::createPlanMemoryPass());
}

void pmc::codegen::addMachinePasses(OpPassManager &pm,
                                    const PipelineOptions &options) {
  pm.addPass(createLowerPass({options.info, options.executable}));
  addToLLVMPasses(pm, options.debugInfo);
}
