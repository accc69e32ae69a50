//===- Pipeline.cpp - From the global view to machine code ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"

#include "codegen/CUDA/CUDA.h"
#include "codegen/Calls/Register.h"
#include "codegen/Kernels/Kernels.h"
#include "codegen/LLVM/ToLLVM.h"
#include "passes/Pipelines.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace pmc::codegen;

/// To kernels, for the module's target. `merge`: equal ones become one, which
/// has the places in the spec of one of them.
static void addLowerOps(OpPassManager &pm, bool merge) {
  pm.addPass(createOutlineLengths());
  pm.addPass(createPassContext());
  // Before kernels take the bodies of loops.
  pm.addPass(createCheckInterrupts());
  pm.addPass(createLowerOps());
  if (merge)
    pm.addPass(createMergeKernels());
}

/// From there on to a program.
static void addProgram(OpPassManager &pm, const EmitProgramOptions &program) {
  pm.addPass(createLowerLaunches());
  pm.addPass(createEndTables());
  pm.addPass(createEmitProgram(program));
}

void pmc::codegen::registerCodegen(DialectRegistry &registry) {
  registry.insert<pm::PMDialect, arith::ArithDialect, complex::ComplexDialect,
                  func::FuncDialect, math::MathDialect, scf::SCFDialect>();
  passes::registerInterfaceModels(registry);
  registerCallLowerings(registry);
  registerKernelModels(registry);
  registerCUDA(registry);
  pmk::registerKernelsToLLVM(registry);
  registerToLLVM(registry);
}

void pmc::codegen::registerCodegenPasses() {
  registerPMCCodegenPasses();
  PassPipelineRegistration<>(
      "pm-lower", "from the buffer form to loops, kernels and runtime calls",
      [](OpPassManager &pm) {
        addLowerOps(pm, /*merge=*/true);
        addProgram(pm, {});
      });
  PassPipelineRegistration<>(
      "pm-to-llvm", "from loops and runtime calls to the LLVM dialect",
      [](OpPassManager &pm) { addToLLVMPasses(pm, /*debugInfo=*/false); });
}

/// Gives the passes before code generation the properties of the target.
static void setTarget(pmc::passes::PipelineOptions &options,
                      const AttachTargetOptions &target) {
  std::string error; // is reported where the target is attached
  auto sizes = ScheduleSizes::parse(StringRef(target.sizes), error);
  int64_t fewest = sizes.value_or(ScheduleSizes()).lattice;
  bool isCPU = symbolizeTarget(target.kind) == Target::CPU;
  options.blocked = isCPU ? fewest : 0;
  options.tiled = isCPU ? 0 : fewest;
}

void pmc::codegen::addShardingPasses(OpPassManager &pm,
                                     const AttachTargetOptions &target) {
  passes::PipelineOptions options;
  setTarget(options, target);
  passes::buildShardedView(pm, options);
}

void pmc::codegen::addExpansionPasses(OpPassManager &pm) {
  passes::buildExpandedView(pm, {});
}

void pmc::codegen::addPlacementPasses(OpPassManager &pm,
                                      const AttachTargetOptions &target) {
  passes::PipelineOptions options;
  setTarget(options, target);
  passes::buildPlacement(pm, options);
}

void pmc::codegen::addBufferPasses(OpPassManager &pm,
                                   const AttachTargetOptions &target) {
  passes::PipelineOptions options;
  setTarget(options, target);
  passes::buildPipeline(pm, options);
}

void pmc::codegen::addKernelPasses(OpPassManager &pm,
                                   const AttachTargetOptions &target) {
  pm.addPass(createAttachTarget(target));
  addLowerOps(pm, /*merge=*/true);
}

void pmc::codegen::addDevicePasses(OpPassManager &pm,
                                   const PipelineOptions &options) {
  pm.addPass(createAttachTarget(options.target));
  addLowerOps(pm, !options.debugInfo && !options.checkUndefined);
  addProgram(pm, options.program);
  if (symbolizeTarget(options.target.kind) == Target::CUDA)
    pm.addPass(createDeviceCodePass(options.device));
}

void pmc::codegen::addMachinePasses(OpPassManager &pm,
                                    const PipelineOptions &options) {
  addDevicePasses(pm, options);
  if (options.checkUndefined)
    pm.addPass(createCheckUndefined());
  addToLLVMPasses(pm, options.debugInfo);
}
