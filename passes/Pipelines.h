//===- Pipelines.h - The order of the passes --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_PIPELINES_H
#define PMC_PASSES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace pmc::passes {

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<bool> fuse{*this, "fuse", llvm::cl::init(true),
                    llvm::cl::desc("Fuse loops over one domain")};
  Option<bool> tables{
      *this, "tables", llvm::cl::init(true),
      llvm::cl::desc("Compute once an axis what depends on one coordinate")};
  Option<bool> overlap{
      *this, "overlap", llvm::cl::init(true),
      llvm::cl::desc("Start messages early and wait for them late")};
  Option<int64_t> blocked{
      *this, "blocked", llvm::cl::init(1),
      llvm::cl::desc("Fewest elements that read meshes in blocks; 0: none do")};
  Option<int64_t> tiled{
      *this, "tiled", llvm::cl::init(0),
      llvm::cl::desc("Fewest elements that read meshes in tiles of the shared "
                     "memory of a GPU; 0: none do")};
};

/// Functions instead of derivatives: what `--emit=grad` shows.
void buildDerivatives(mlir::OpPassManager &manager);
/// From what the frontend emits to maps, scatters, raw transforms in `main`.
void buildExpansion(mlir::OpPassManager &manager);
/// Fusion, axis tables, invariants: expanded IR to better expanded IR.
void buildOptimization(mlir::OpPassManager &manager,
                       const PipelineOptions &options);
/// Expanded IR to one rank's view of it, with its messages. Where nothing is
/// split, only what readings compute themselves moves to them.
void buildSharding(mlir::OpPassManager &manager,
                   const PipelineOptions &options);
/// From what the frontend emits to optimized expanded IR: the same for every
/// layout and mesh.
void buildExpandedView(mlir::OpPassManager &manager,
                       const PipelineOptions &options);
/// From what the frontend emits to one rank's view: what `--emit=sharded`
/// shows.
void buildShardedView(mlir::OpPassManager &manager,
                      const PipelineOptions &options);
/// One rank's view to the buffer form that code generation takes.
void buildMemoryPlanning(mlir::OpPassManager &manager,
                         const PipelineOptions &options);
/// From optimized expanded IR to the buffer form.
void buildPlacement(mlir::OpPassManager &manager,
                    const PipelineOptions &options);
/// All of them, with the checks in between: `pm-lower-to-buffers`.
void buildPipeline(mlir::OpPassManager &manager,
                   const PipelineOptions &options);

/// Registers the passes and pipelines by name, for pm-opt.
void registerPassesAndPipelines();
/// What the passes need of the dialects' ops.
void registerInterfaceModels(mlir::DialectRegistry &registry);

} // namespace pmc::passes

#endif // PMC_PASSES_PIPELINES_H
