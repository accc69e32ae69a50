//===- ConvertedSource.cpp - A file in another unit -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/ConvertedSource.h"

#include <algorithm>

using namespace pmrt;

void ConvertedSource::read(pmrt_element element,
                           const std::vector<int64_t> &start,
                           const std::vector<int64_t> &count, void *out) {
  const bool isComplex = element == PMRT_C64 || element == PMRT_C128;
  int64_t numbers = isComplex ? 2 : 1;
  for (const int64_t extent : count)
    numbers *= extent;
  std::vector<double> wide(size_t(numbers), 0.0);
  if (numbers == 0)
    return;
  file->load(isComplex ? PMRT_C128 : PMRT_F64, start, count, wide.data());
  if (element == PMRT_F32 || element == PMRT_C64)
    std::transform(wide.begin(), wide.end(), static_cast<float *>(out),
                   [&](double value) { return float(conversion(value)); });
  else
    std::transform(wide.begin(), wide.end(), static_cast<double *>(out),
                   conversion);
}
