//===- Pipelines.cpp - The order of the passes ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Pipelines.h"
#include "passes/Autodiff/Models.h"
#include "passes/Cost/Cost.h"
#include "passes/Memory/Placement.h"
#include "passes/Optimize/PureCalls.h"
#include "passes/Passes.h"
#include "passes/Sharding/Models.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace pmc::passes;

static void addVerifyStage(OpPassManager &manager, StringRef stage) {
  VerifyStageOptions options;
  options.stage = stage.str();
  manager.addPass(createVerifyStage(options));
}

/// Folds and dead ops; blocks are structured, so there is nothing to simplify
/// about them.
static void addCanonicalizer(OpPassManager &manager) {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  config.setUseTopDownTraversal(true);
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass(config));
}

void pmc::passes::buildDerivatives(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createFindContractions());
  manager.addPass(createAutodiff());
}

void pmc::passes::buildExpansion(OpPassManager &manager) {
  manager.addPass(createInlineFields());
  manager.addNestedPass<func::FuncOp>(createMergePaints());
  manager.addNestedPass<func::FuncOp>(createFindContractions());
  manager.addPass(createExpand());
  manager.addNestedPass<func::FuncOp>(createCheckRanges());
  manager.addNestedPass<func::FuncOp>(createExactSums());
  // Lengths are made anew wherever they are used.
  manager.addNestedPass<func::FuncOp>(createEliminateCommon());
}

void pmc::passes::buildOptimization(OpPassManager &manager,
                                    const PipelineOptions &options) {
  if (options.fuse)
    manager.addNestedPass<func::FuncOp>(createFuseDomains());
  addCanonicalizer(manager);
  manager.addNestedPass<func::FuncOp>(createEliminateCommon());
  manager.addNestedPass<func::FuncOp>(createMergeReadings());
  manager.addNestedPass<func::FuncOp>(createNarrow());
  manager.addNestedPass<func::FuncOp>(createPrefetch());
  if (options.tables) {
    manager.addNestedPass<func::FuncOp>(createDemote());
    manager.addNestedPass<func::FuncOp>(createAxisTables());
    manager.addNestedPass<func::FuncOp>(createEliminateCommon());
    manager.addNestedPass<func::FuncOp>(createHoistInvariants());
  }
  // What is invariant has left by then.
  manager.addNestedPass<func::FuncOp>(createSinkIntoChoices());
  // Behind all that makes one op of equal ones.
  manager.addNestedPass<func::FuncOp>(createWidenLate());
  manager.addNestedPass<func::FuncOp>(createRecompute());
}

void pmc::passes::buildSharding(OpPassManager &manager,
                                const PipelineOptions &options) {
  if (options.blocked > 0) {
    manager.addNestedPass<func::FuncOp>(
        createComputeAtReaders({options.blocked, /*tiles=*/false}));
    manager.addNestedPass<func::FuncOp>(createPaintStencils({options.blocked}));
  }
  if (options.tiled > 0)
    manager.addNestedPass<func::FuncOp>(
        createComputeAtReaders({options.tiled, /*tiles=*/true}));
  manager.addPass(createShard());
  manager.addNestedPass<func::FuncOp>(createReduceScatter());
  manager.addNestedPass<func::FuncOp>(createBatchCollectives());
  if (options.overlap)
    manager.addNestedPass<func::FuncOp>(createOverlap());
  manager.addNestedPass<func::FuncOp>(createCloseHalos());
  manager.addNestedPass<func::FuncOp>(createNoteBytes());
  if (options.blocked > 0)
    manager.addPass(createShareBoxes({options.blocked}));
}

void pmc::passes::buildMemoryPlanning(OpPassManager &manager,
                                      const PipelineOptions &options) {
  if (options.blocked > 0)
    manager.addNestedPass<func::FuncOp>(createFilterSpectra());
  manager.addPass(createPlanMemory());
  if (options.blocked > 0)
    manager.addNestedPass<func::FuncOp>(createRenewBoxes());
}

void pmc::passes::buildExpandedView(OpPassManager &manager,
                                    const PipelineOptions &options) {
  buildDerivatives(manager);
  addVerifyStage(manager, "global");
  buildExpansion(manager);
  buildOptimization(manager, options);
  addVerifyStage(manager, "expanded");
}

void pmc::passes::buildShardedView(OpPassManager &manager,
                                   const PipelineOptions &options) {
  buildExpandedView(manager, options);
  buildSharding(manager, options);
  addVerifyStage(manager, "sharded");
}

void pmc::passes::buildPlacement(OpPassManager &manager,
                                 const PipelineOptions &options) {
  buildSharding(manager, options);
  addVerifyStage(manager, "sharded");
  buildMemoryPlanning(manager, options);
  addVerifyStage(manager, "buffers");
}

void pmc::passes::buildPipeline(OpPassManager &manager,
                                const PipelineOptions &options) {
  buildExpandedView(manager, options);
  buildPlacement(manager, options);
}

void pmc::passes::registerPassesAndPipelines() {
  registerPMCPasses();
  PassPipelineRegistration<>("pm-expand-all",
                             "functions, particle ops and transforms to loops",
                             buildExpansion);
  PassPipelineRegistration<PipelineOptions>(
      "pm-optimize", "fusion, axis tables, invariants", buildOptimization);
  PassPipelineRegistration<PipelineOptions>(
      "pm-sharding", "the global view to one rank's view and its messages",
      buildSharding);
  PassPipelineRegistration<PipelineOptions>(
      "pm-lower-to-buffers", "from the frontend's IR to the buffer form",
      buildPipeline);
}

void pmc::passes::registerInterfaceModels(DialectRegistry &registry) {
  registerCallEffects(registry);
  registerDerivativeModels(registry);
  registerPlacementModels(registry);
  registerMessagePlacementModels(registry);
  registerShardingModels(registry);
  cost::registerCostModels(registry);
}
