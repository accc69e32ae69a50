//===- Register.h - Lowerings of the domain ops to CPU threads --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_REGISTER_H
#define PMC_CODEGEN_CPU_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace pmc::codegen {

/// All of the below.
void registerCPUDomainLowerings(mlir::DialectRegistry &registry);

void registerBinsLowering(mlir::DialectRegistry &registry);
void registerMapLowering(mlir::DialectRegistry &registry);
void registerReachLowering(mlir::DialectRegistry &registry);
void registerReduceLowering(mlir::DialectRegistry &registry);
void registerScatterLowering(mlir::DialectRegistry &registry);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_REGISTER_H
