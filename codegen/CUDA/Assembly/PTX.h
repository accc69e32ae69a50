//===- PTX.h - Kernels to assembly for GPUs ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_ASSEMBLY_PTX_H
#define PMC_CODEGEN_CUDA_ASSEMBLY_PTX_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace pmc::codegen {

struct PTXOptions {
  unsigned arch; ///< compute capability, 90 for sm_90
  unsigned optimization;
};

/// Kernels as LLVM IR, and who compiles them: nothing here is shared, so that
/// any thread may have it.
struct KernelModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  unsigned optimization;
  int64_t blockSize; ///< threads of a block
};

/// The module, in the LLVM dialect, as LLVM IR, its functions with the kernel
/// attribute as entries. On failure the reason has been reported.
mlir::FailureOr<KernelModule> translateKernels(mlir::ModuleOp device,
                                               const PTXOptions &options);

llvm::Expected<std::string> emitPTX(KernelModule kernels);

/// The GPUs that code can be made for, in order.
std::vector<unsigned> getKnownArchs();

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_ASSEMBLY_PTX_H
