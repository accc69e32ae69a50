//===- KernelInterfaces.td - Domain ops as kernels ---------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_KERNELINTERFACES_TD
#define PMC_CODEGEN_COMMON_KERNELINTERFACES_TD

include "mlir/IR/Interfaces.td"

class PMC_KernelOpInterface<string name> : OpInterface<name> {
  let cppNamespace = "::pmc::codegen";
  let methods = [
    InterfaceMethod<[{
        Emits the kernel, and what starts it before the op. The caller erases the
        op.
      }],
      "::llvm::LogicalResult", "lowerToKernel",
      (ins "::pmc::codegen::LoweringContext &":$context)>,
  ];
}

def PMC_CPUKernelOpInterface : PMC_KernelOpInterface<"CPUKernelOpInterface"> {
  let description = [{
    Turns a domain op into a function that the runtime's threads call on parts
    of the domain. Implemented by external models in codegen/CPU.
  }];
}

def PMC_CUDAKernelOpInterface : PMC_KernelOpInterface<"CUDAKernelOpInterface"> {
  let description = [{
    Turns a domain op into a kernel of the module for GPUs. Implemented by
    external models in codegen/CUDA.
  }];
}

#endif // PMC_CODEGEN_COMMON_KERNELINTERFACES_TD
