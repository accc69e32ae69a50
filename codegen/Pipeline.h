//===- Pipeline.h - From the global view to machine code ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PIPELINE_H
#define PMC_CODEGEN_PIPELINE_H

#include "codegen/CUDA/DeviceCode.h"
#include "codegen/Common/LoweringContext.h"
#include "codegen/LLVM/Emit.h"
#include "codegen/Link/Link.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace pmc::codegen {

struct PipelineOptions {
  ProgramInfo info;
  Target target = Target::CPU;
  DeviceOptions device;
  /// Paints on GPUs do not depend on the order of their additions.
  bool deterministic = false;
  PaintMethod paint = PaintMethod::Atomics;
  bool executable = true;
  bool debugInfo = false;
  /// Stop where a result is undefined.
  bool checkUndefined = false;
};

/// Dialects, interface models and translations that the pipeline needs.
void registerCodegen(mlir::DialectRegistry &registry,
                     Target target = Target::CPU);

/// The passes of code generation by name, for pm-opt.
void registerCodegenPasses();

/// Global view to one rank's view of fused loops, with messages.
void addShardingPasses(mlir::OpPassManager &pm);
/// Global view to fused loops on planned buffers.
void addBufferPasses(mlir::OpPassManager &pm);
/// From there to device code.
void addDevicePasses(mlir::OpPassManager &pm, const PipelineOptions &options);
/// From there to the LLVM dialect.
void addMachinePasses(mlir::OpPassManager &pm, const PipelineOptions &options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PIPELINE_H
