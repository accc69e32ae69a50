//===- Blocks.cpp - Cutting a periodic dim into coloured blocks -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/Blocks.h"

#include <algorithm>

using namespace pmrt;

Blocks pmrt::cut(int64_t rows, int64_t width, int64_t most) {
  const int64_t fit = rows / std::max<int64_t>(width, 1);
  const int64_t even = std::min(fit, most) / 2 * 2;
  return {rows, std::max<int64_t>(even, 1)};
}
