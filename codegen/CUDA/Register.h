//===- Register.h - Lowerings to kernels for GPUs ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_REGISTER_H
#define PMC_CODEGEN_CUDA_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace pmc::codegen {

/// All of the below, and the dialects that they need.
void registerCUDADomainLowerings(mlir::DialectRegistry &registry);

void registerDeviceBinsLowering(mlir::DialectRegistry &registry);
void registerDeviceMapLowering(mlir::DialectRegistry &registry);
void registerDeviceReachLowering(mlir::DialectRegistry &registry);
void registerDeviceReduceLowering(mlir::DialectRegistry &registry);
void registerDeviceScatterLowering(mlir::DialectRegistry &registry);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_REGISTER_H
