//===- Blocks.cpp - Cutting a periodic dim into coloured blocks -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pmrt;

Blocks pmrt::cut(int64_t rows, int64_t width, int64_t most) {
  const int64_t fit = rows / std::max<int64_t>(width, 1);
  const int64_t even = std::min(fit, most) / 2 * 2;
  return {rows, std::max<int64_t>(even, 1)};
}

int64_t pmrt::separatingWidth(double low, double high, int64_t support,
                              double ratio) {
  const double spread = high - low + double(support) - 1;
  if (!(ratio > 0) || !(spread >= 0) || spread > 1e15)
    return std::numeric_limits<int64_t>::max();
  // With w rows between, the last row of one block is w + 1 rows before the
  // first of the other: (w + 1) * ratio cells if the ratio is whole, and less
  // than one fewer if not. That must exceed the spread.
  const bool whole = ratio == std::floor(ratio);
  const double width =
      whole ? std::floor(spread / ratio) : std::ceil((spread + 2) / ratio);
  return std::max<int64_t>(1, int64_t(width));
}
