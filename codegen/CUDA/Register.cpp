//===- Register.cpp - Lowerings to kernels for GPUs -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/CUDA.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

void pmc::codegen::registerCUDA(mlir::DialectRegistry &registry) {
  registry.insert<mlir::NVVM::NVVMDialect>();
  mlir::registerConvertNVVMToLLVMInterface(registry);
  mlir::registerNVVMDialectTranslation(registry);
}
