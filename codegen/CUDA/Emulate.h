//===- Emulate.h - Kernels for a simulated GPU ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_EMULATE_H
#define PMC_CODEGEN_CUDA_EMULATE_H

#include "mlir/IR/BuiltinOps.h"

namespace pmc::codegen {

/// Moves the kernels of the device module, in the LLVM dialect, to the host's,
/// where they are functions `NAME.host` of the addresses of their arguments.
/// Thread numbers and barriers are those of test/gpu/fake, which is told what
/// they read and write.
void emulateKernels(mlir::ModuleOp device, mlir::ModuleOp host);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_EMULATE_H
