//===- Finite.cpp - Finding NaN and infinity ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/Finite.h"

#include "runtime/Core/Descriptor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <mutex>

using namespace pmrt;

/// Works on the bits, so that it vectorizes and no flag lets it be optimized
/// away.
template <typename Real, typename Bits, Bits exponent>
static int64_t scan(const Real *data, int64_t begin, int64_t end) {
  constexpr int64_t block = 4096;
  for (int64_t from = begin; from < end; from += block) {
    const int64_t to = std::min(end, from + block);
    Bits bad = 0;
    for (int64_t i = from; i < to; ++i) {
      Bits bits;
      std::memcpy(&bits, data + i, sizeof bits);
      bad |= Bits((bits & exponent) == exponent);
    }
    if (bad)
      for (int64_t i = from; i < to; ++i)
        if (!std::isfinite(data[i]))
          return i;
  }
  return -1;
}

int64_t pmrt::firstNonFinite(Threads &threads, pmrt_element element,
                             const void *data, int64_t count) {
  if (!isFloat(element))
    return -1;
  const bool single = element == PMRT_F32 || element == PMRT_C64;
  const int64_t parts = isComplex(element) ? 2 : 1;
  int64_t found = -1;
  std::mutex lock;
  threads.forRange(count * parts, [&](int64_t begin, int64_t end) {
    const int64_t first =
        single ? scan<float, uint32_t, 0x7F800000u>(
                     static_cast<const float *>(data), begin, end)
               : scan<double, uint64_t, 0x7FF0000000000000u>(
                     static_cast<const double *>(data), begin, end);
    if (first < 0)
      return;
    std::lock_guard guard(lock);
    if (found < 0 || first < found)
      found = first;
  });
  return found < 0 ? -1 : found / parts;
}

std::string pmrt::elementText(pmrt_element element, const void *data,
                              int64_t index) {
  auto part = [&](int64_t i) {
    return element == PMRT_F32 || element == PMRT_C64
               ? double(static_cast<const float *>(data)[i])
               : static_cast<const double *>(data)[i];
  };
  if (isComplex(element))
    return fmt::format("{}{:+}i", part(2 * index), part(2 * index + 1));
  return fmt::format("{}", part(index));
}
