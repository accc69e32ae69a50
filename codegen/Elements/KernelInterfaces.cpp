//===- KernelInterfaces.cpp - Domain ops as kernels -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/KernelInterfaces.h"

#include "codegen/Elements/KernelInterfaces.cpp.inc"
