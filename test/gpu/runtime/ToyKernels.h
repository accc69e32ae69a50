//===- ToyKernels.h - The kernels of the toy program ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_RUNTIME_TOYKERNELS_H
#define PMC_TEST_GPU_RUNTIME_TOYKERNELS_H

#include "runtime/CUDA/Grid.h"

PMRT_KERNEL void toy_scale(float *data, int64_t count, double factor);
/// The pieces of a table, and a fault where a number is not finite.
PMRT_KERNEL void toy_lookup(float *data, int64_t count, int64_t size,
                            const double *x, const double *y, uint64_t *fault,
                            int32_t loc);
/// partials[2 * block]: the sum, partials[2 * block + 1]: the sum of squares.
PMRT_KERNEL void toy_sum(const float *data, int64_t count, double *partials);
/// Counts into bins of width 1 from 0 on, for each thread in its own row.
PMRT_KERNEL void toy_bins(const float *data, int64_t count, int64_t bins,
                          double *partials);
/// Some threads never come to the barrier.
PMRT_KERNEL void toy_stuck(float *data);

#endif // PMC_TEST_GPU_RUNTIME_TOYKERNELS_H
