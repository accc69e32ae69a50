//===- ToLLVM.h - To the LLVM dialect ------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_TOLLVM_H
#define PMC_CODEGEN_LLVM_TOLLVM_H

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace pmc::codegen {

/// What the conversion and the translation to LLVM IR need registered.
void registerToLLVM(mlir::DialectRegistry &registry);

/// From scf, arith, math, complex and func to the LLVM dialect.
void addToLLVMPasses(mlir::OpPassManager &pm, bool debugInfo);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_TOLLVM_H
