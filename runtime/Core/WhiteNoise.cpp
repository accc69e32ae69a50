//===- WhiteNoise.cpp - Counter-based Gaussian numbers --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with -ffp-contract=off, see WhiteNoise.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"

#include "runtime/Core/Noise.h"
#include "runtime/Core/Op.h"

using namespace pmrt;

// The wide loops give the same bits; sanitizers do not survive the resolvers.
#if defined(__x86_64__) && defined(__ELF__) && !defined(PMRT_NO_CLONES)
#define PMRT_CLONES                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PMRT_CLONES
#endif

static constexpr int64_t tile = 256;

/// Computes the pairs [first, first + count).
PMRT_CLONES
static void normalPairs(uint64_t seed, uint64_t first, int64_t count,
                        double *__restrict even, double *__restrict odd) {
  for (int64_t i = 0; i < count; ++i)
    normalPair(seed, first + uint64_t(i), even[i], odd[i]);
}

template <typename T>
static void fill(uint64_t seed, uint64_t first, int64_t count, T *out) {
  if (count > 0 && first % 2) {
    *out++ = T(normal(seed, first++));
    --count;
  }
  alignas(64) double even[tile], odd[tile];
  for (uint64_t pair = first / 2; count > 0; pair += uint64_t(tile)) {
    // Whole vectors only, because remainders are slow.
    normalPairs(seed, pair, std::min(tile, (count + 15) / 16 * 8), even, odd);
    const int64_t pairs = std::min(tile, count / 2);
    for (int64_t i = 0; i < pairs; ++i) {
      out[2 * i] = T(even[i]);
      out[2 * i + 1] = T(odd[i]);
    }
    if (pairs < tile && count % 2)
      out[2 * pairs] = T(even[pairs]);
    out += 2 * pairs;
    count -= std::min(count, 2 * tile);
  }
}

void pmrt::fillNormal(uint64_t seed, uint64_t first, int64_t count,
                      float *out) {
  fill(seed, first, count, out);
}

void pmrt::fillNormal(uint64_t seed, uint64_t first, int64_t count,
                      double *out) {
  fill(seed, first, count, out);
}

void pmrt::fillNoise(Threads &threads, uint64_t seed, pmrt_element element,
                     const Placed &where, void *out) {
  int64_t count = 1;
  for (int64_t extent : where.shape)
    count *= extent;
  // Runs that are contiguous here and in the global order: the trailing dims
  // that this rank owns fully, and its part of the one before.
  int64_t run = 1;
  for (size_t d = where.shape.size(); d-- > 0;) {
    run *= where.shape[d];
    if (where.shape[d] != where.cells[d])
      break;
  }
  auto globalIndex = [&](int64_t local) {
    uint64_t index = 0, stride = 1;
    for (size_t d = where.shape.size(); d-- > 0;) {
      index += stride * uint64_t(local % where.shape[d] + where.offsets[d]);
      stride *= uint64_t(where.cells[d]);
      local /= where.shape[d];
    }
    return index;
  };
  // Split by elements; a part may begin and end inside a run.
  const int64_t grain = 2 * tile, pieces = (count + grain - 1) / grain;
  threads.forRange(pieces, [&](int64_t begin, int64_t end) {
    int64_t from = begin * grain;
    const int64_t to = std::min(end * grain, count);
    while (from < to) {
      const int64_t stop = std::min(to, (from / run + 1) * run);
      const uint64_t first = globalIndex(from);
      if (element == PMRT_F32)
        fillNormal(seed, first, stop - from, static_cast<float *>(out) + from);
      else
        fillNormal(seed, first, stop - from, static_cast<double *>(out) + from);
      from = stop;
    }
  });
}

void pmrt_white_noise(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                      uint64_t seed, const pmrt_array *out) {
  const auto element = pmrt_element(out->element);
  if (element != PMRT_F32 && element != PMRT_F64)
    throw ctx->failure(loc, fmt::format("internal error: white noise of {}",
                                        elementName(element)));
  const std::vector<int64_t> shape = ctx->shape(loc, *out);
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  Op op(*ctx, loc, "white_noise", count * elementSize(element));
  if (count == 0)
    return;
  Placed where;
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto dim = size_t(out->dims[d]);
    where.shape.push_back(shape[d]);
    where.offsets.push_back(ctx->shards[dim].offset);
    where.cells.push_back(ctx->program.dims[dim].stored());
  }
  ctx->device->whiteNoise(seed, element, where, out->data);
}
