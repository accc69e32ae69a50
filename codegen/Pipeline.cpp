//===- Pipeline.cpp - From the global view to machine code ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"

#include "codegen/CPU/Register.h"
#include "codegen/CUDA/Register.h"
#include "codegen/Common/Lower.h"
#include "codegen/Host/Register.h"
#include "codegen/LLVM/Checks.h"
#include "codegen/LLVM/ToLLVM.h"
#include "passes/Pipelines.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void pmc::codegen::registerCodegen(DialectRegistry &registry, Target target) {
  registry.insert<pm::PMDialect, arith::ArithDialect, complex::ComplexDialect,
                  func::FuncDialect, math::MathDialect, scf::SCFDialect>();
  passes::registerInterfaceModels(registry);
  registerHostLowerings(registry);
  if (target == Target::CUDA)
    registerCUDADomainLowerings(registry);
  else
    registerCPUDomainLowerings(registry);
  registerToLLVM(registry);
}

void pmc::codegen::registerCodegenPasses() {
  mlir::registerPass([] { return createLowerPass({}); });
  mlir::registerPass([] { return createCheckUndefinedPass(); });
  registerLowerDomainsPass();
}

void pmc::codegen::addShardingPasses(OpPassManager &pm) {
  passes::buildShardedView(pm, {});
}

void pmc::codegen::addBufferPasses(OpPassManager &pm) {
  passes::buildPipeline(pm, {});
}

void pmc::codegen::addDevicePasses(OpPassManager &pm,
                                   const PipelineOptions &options) {
  pm.addPass(
      createLowerPass({options.info, options.target, options.deterministic,
                       options.paint, options.executable}));
  if (options.target == Target::CUDA)
    pm.addPass(createDeviceCodePass(options.device));
}

void pmc::codegen::addMachinePasses(OpPassManager &pm,
                                    const PipelineOptions &options) {
  addDevicePasses(pm, options);
  if (options.checkUndefined)
    pm.addPass(createCheckUndefinedPass());
  addToLLVMPasses(pm, options.debugInfo);
}
