//===- Pipeline.h - From the global view to machine code ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PIPELINE_H
#define PMC_CODEGEN_PIPELINE_H

#include "codegen/CUDA/Assembly/DeviceCode.h"
#include "codegen/LLVM/Objects.h"
#include "codegen/Link/Link.h"
#include "codegen/Passes.h"
#include "codegen/Program/TargetInfo.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace pmc::codegen {

/// On the module, if it is known: the spec's text, for the program's report.
constexpr llvm::StringLiteral sourceAttribute = "pm.source";

struct PipelineOptions {
  AttachTargetOptions target;
  EmitProgramOptions program;
  DeviceOptions device;
  bool debugInfo = false;
  /// Stop where a result is undefined.
  bool checkUndefined = false;
};

/// Dialects, interface models and translations that the pipeline needs.
void registerCodegen(mlir::DialectRegistry &registry);

/// The passes of code generation by name, and `pm-lower`, for pm-opt.
void registerCodegenPasses();

/// Global view to one rank's view of fused loops, with messages.
void addShardingPasses(mlir::OpPassManager &pm,
                       const AttachTargetOptions &target);
/// Global view to fused loops, still of the whole fields: the same for every
/// layout.
void addExpansionPasses(mlir::OpPassManager &pm);
/// From there to planned buffers of one rank's view.
void addPlacementPasses(mlir::OpPassManager &pm,
                        const AttachTargetOptions &target);
/// Both.
void addBufferPasses(mlir::OpPassManager &pm,
                     const AttachTargetOptions &target);
/// From there to kernels, what starts them, and runtime calls.
void addKernelPasses(mlir::OpPassManager &pm,
                     const AttachTargetOptions &target);
/// From there to device code.
void addDevicePasses(mlir::OpPassManager &pm, const PipelineOptions &options);
/// From there to the LLVM dialect.
void addMachinePasses(mlir::OpPassManager &pm, const PipelineOptions &options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PIPELINE_H
