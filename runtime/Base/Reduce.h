//===- Reduce.h - Reproducible parallel reductions --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_REDUCE_H
#define PMRT_BASE_REDUCE_H

#include "pmrt/pmrt.h"
#include "runtime/Base/Threads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace pmrt {

/// How many chunks a reduction of `width` accumulators over `count` rows is
/// cut into: a function of these two only, never of the threads.
inline int64_t reductionChunks(int64_t count, int64_t width) {
  constexpr int64_t most = 128, accumulators = int64_t(1) << 21;
  const int64_t affordable =
      std::max<int64_t>(1, accumulators / std::max<int64_t>(1, width));
  return std::min({count, most, affordable});
}

inline double neutral(pmrt_reduction kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return kind == PMRT_SUM ? 0.0 : kind == PMRT_MIN ? infinity : -infinity;
}

/// Combines two partial results; NaN wins over everything.
inline double combine(pmrt_reduction kind, double a, double b) {
  if (kind == PMRT_SUM)
    return a + b;
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return kind == PMRT_MIN ? std::min(a, b) : std::max(a, b);
}

/// `reduce` on the calling thread, with the same bits. The partial results of
/// one chunk at a time are kept, and few of them need no allocation.
template <typename Body>
void reduceAlone(int64_t count, int64_t width, pmrt_reduction kind,
                 const Body &body, double *out) {
  std::array<double, 16> few;
  std::vector<double> many;
  double *partial = few.data();
  if (width > int64_t(few.size())) {
    many.resize(size_t(width));
    partial = many.data();
  }
  const int64_t chunks = reductionChunks(count, width);
  for (int64_t c = 0; c < chunks; ++c) {
    std::fill_n(partial, width, neutral(kind));
    body(c * count / chunks, (c + 1) * count / chunks, partial);
    for (int64_t i = 0; i < width; ++i)
      out[i] = combine(kind, out[i], partial[i]);
  }
}

/// body(begin, end, partial) over fixed chunks of [0, count), combined in the
/// order of the chunks into out[0 .. width). `isSmall`: waking the workers
/// would take longer than the loop.
template <typename Body>
void reduce(Threads &threads, int64_t count, int64_t width, pmrt_reduction kind,
            const Body &body, double *out, bool isSmall = false) {
  std::fill_n(out, width, neutral(kind));
  if (count <= 0)
    return;
  if (isSmall || threads.count() == 1)
    return reduceAlone(count, width, kind, body, out);
  const int64_t chunks = reductionChunks(count, width);
  const int64_t stride = (width + 7) / 8 * 8; // a cache line of its own each
  std::vector<double> partials(size_t(chunks * stride), neutral(kind));
  threads.forRange(chunks, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c)
      body(c * count / chunks, (c + 1) * count / chunks,
           partials.data() + c * stride);
  });
  for (int64_t c = 0; c < chunks; ++c)
    for (int64_t i = 0; i < width; ++i)
      out[i] = combine(kind, out[i], partials[size_t(c * stride + i)]);
}

} // namespace pmrt

#endif // PMRT_BASE_REDUCE_H
