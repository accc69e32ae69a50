//===- CUDA.h - Loops over domains for threads of GPUs -------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_CUDA_H
#define PMC_CODEGEN_CUDA_CUDA_H

#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

const KernelSchedule &getCUDASchedule();

/// Its paint: a thread a particle, and atomic additions.
void paintOnDevice(Paint &paint);

/// The dialects that device code needs.
void registerCUDA(mlir::DialectRegistry &registry);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_CUDA_H
