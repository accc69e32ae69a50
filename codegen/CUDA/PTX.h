//===- PTX.h - Kernels to assembly for GPUs ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_PTX_H
#define PMC_CODEGEN_CUDA_PTX_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace pmc::codegen {

struct PTXOptions {
  unsigned arch; ///< compute capability, 90 for sm_90
  unsigned optimization;
};

/// The module, in the LLVM dialect, as PTX, its functions with the kernel
/// attribute as entries.
mlir::FailureOr<std::string> emitPTX(mlir::ModuleOp device,
                                     const PTXOptions &options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_PTX_H
