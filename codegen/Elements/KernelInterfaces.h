//===- KernelInterfaces.h - Domain ops as kernels ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_KERNELINTERFACES_H
#define PMC_CODEGEN_ELEMENTS_KERNELINTERFACES_H

#include "codegen/Elements/Schedule.h"

#include "codegen/Elements/KernelInterfaces.h.inc"

#endif // PMC_CODEGEN_ELEMENTS_KERNELINTERFACES_H
