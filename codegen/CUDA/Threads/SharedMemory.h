//===- SharedMemory.h - Memory that a block of threads shares - -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_SHAREDMEMORY_H
#define PMC_CODEGEN_CUDA_THREADS_SHAREDMEMORY_H

#include "codegen/Lowering/LoweringContext.h"

namespace pmc::codegen {

/// In a function of the device module: the block's shared memory, whose size is
/// told at launch.
mlir::Value getSharedMemory(LoweringContext &context, mlir::OpBuilder &builder,
                            mlir::Location loc, mlir::Type element);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_SHAREDMEMORY_H
