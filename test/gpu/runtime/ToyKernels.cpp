//===- ToyKernels.cpp - The kernels of the toy program --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/runtime/ToyKernels.h"

#include "pmrt/pmrt_cuda.h"

using namespace pmrt::cuda;

void toy_scale(float *data, int64_t count, double factor) {
  forItems(count, [&](int64_t i) { data[i] = float(data[i] * factor); });
}

void toy_lookup(float *data, int64_t count, int64_t size, const double *x,
                const double *y, uint64_t *fault, int32_t loc) {
  forItems(count, [&](int64_t i) {
    const double at = data[i];
    if (!__builtin_isfinite(at))
      *fault = (uint64_t(PMRT_FAULT_POSITION) << 32) | uint32_t(loc);
    int64_t piece = 0;
    while (piece + 2 < size && x[piece + 1] <= at)
      ++piece;
    data[i] = float(y[piece] + (y[piece + 1] - y[piece]) * (at - x[piece]) /
                                   (x[piece + 1] - x[piece]));
  });
}

void toy_sum(const float *data, int64_t count, double *partials) {
  double sum = 0, squares = 0;
  forItems(count, [&](int64_t i) {
    sum += data[i];
    squares += double(data[i]) * data[i];
  });
  auto *lanes = shared();
  const int self = thread(), all = threads();
  lanes[self] = sum;
  lanes[all + self] = squares;
  for (int step = all / 2; step > 0; step /= 2) {
    barrier();
    if (self < step) {
      lanes[self] += lanes[self + step];
      lanes[all + self] += lanes[all + self + step];
    }
  }
  if (self == 0) {
    partials[2 * block()] = lanes[0];
    partials[2 * block() + 1] = lanes[all];
  }
}

void toy_bins(const float *data, int64_t count, int64_t bins,
              double *partials) {
  double *mine = partials + block() * bins;
  // One thread a block: the order is fixed.
  if (thread() == 0)
    for (int64_t i = block(); i < count; i += blocks())
      if (data[i] >= 0 && data[i] < float(bins))
        mine[int64_t(data[i])] += 1;
}

void toy_stuck(float *data) {
  if (thread() >= threads() / 2)
    return;
  barrier();
  data[thread()] = 1;
}
