//===- DeviceMath.h - Mathematical functions on GPUs ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_DEVICEMATH_H
#define PMC_CODEGEN_CUDA_DEVICEMATH_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace pmc::codegen {

/// Links the module with the functions of libm and the intrinsics that it uses
/// and that GPUs have no instructions for.
llvm::Error linkDeviceMath(llvm::Module &module);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_DEVICEMATH_H
