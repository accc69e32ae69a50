//===- KernelInterfaces.td - Domain ops as kernels ---------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_KERNELINTERFACES_TD
#define PMC_CODEGEN_COMMON_KERNELINTERFACES_TD

include "mlir/IR/Interfaces.td"

def PMC_KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let description = [{
    Turns a loop over a domain into a kernel and its launch. What differs between
    targets is the schedule's.
  }];
  let cppNamespace = "::pmc::codegen";
  let methods = [
    InterfaceMethod<[{
        Emits the kernel, and what starts it before the op. The caller erases the
        op.
      }],
      "::llvm::LogicalResult", "lowerToKernel",
      (ins "::pmc::codegen::LoweringContext &":$context,
           "const ::pmc::codegen::KernelSchedule &":$schedule)>,
  ];
}

#endif // PMC_CODEGEN_COMMON_KERNELINTERFACES_TD
