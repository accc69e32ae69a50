//===- ToyHostKernels.cpp - The toy's kernels for the fake driver ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/HostKernels.h"
#include "test/gpu/runtime/ToyKernels.h"

FAKECUDA_KERNEL(toy_scale)
FAKECUDA_KERNEL(toy_lookup)
FAKECUDA_KERNEL(toy_sum)
FAKECUDA_KERNEL(toy_bins)
FAKECUDA_KERNEL(toy_stuck)
