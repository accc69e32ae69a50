//===- LatticeBox.cpp - Blocks of a lattice, and their cells --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/LatticeBox.h"

#include <cmath>
#include <cstdlib>

using namespace pmrt;

/// Kernels find cells in f32 and in i32, which are exact for these.
static constexpr double exactCells = 0x1p23;

std::optional<std::pair<Sites, Sites>> Sites::halve(int dims,
                                                    int64_t least) const {
  int longest = 0;
  for (int d = 1; d < dims; ++d)
    if (count(d) >= count(longest))
      longest = d;
  if (count(longest) < 2 * least)
    return std::nullopt;
  Sites low = *this, high = *this;
  const int64_t middle = begin(longest) + count(longest) / 2;
  low.set(longest, begin(longest), middle);
  high.set(longest, middle, end(longest));
  return std::pair{low, high};
}

/// Whole cache lines; an odd number of them for planes, because planes that are
/// a power of two apart share sets of a cache.
int64_t BoxLayout::pad(int64_t elements, bool isPlane) const {
  const int64_t line = lineBytes / elementBytes;
  int64_t lines = (elements + line - 1) / line;
  if (isPlane && lines % 2 == 0)
    ++lines;
  return lines * line;
}

bool CellBox::setCells(const BoxLimits &limits, const int64_t *support,
                       int rank) {
  for (int d = 0; d < rank; ++d) {
    const auto i = size_t(d);
    const double low = limits[2 * i], high = limits[2 * i + 1];
    if (!(low > -exactCells) || !(high < exactCells) ||
        high - low >= double(mostBoxBytes))
      return false;
    first[i] = int64_t(low);
    count[i] = int64_t(high - low) + support[d];
  }
  return true;
}

SharedBoxes *pmrt::findBoxes(pmrt_context &context, int64_t number,
                             int64_t dims, const int64_t *extent,
                             const int64_t *sites) {
  if (number == 0)
    return nullptr;
  const auto i = size_t(std::abs(number));
  if (context.sharedBoxes.size() <= i)
    context.sharedBoxes.resize(i + 1);
  SharedBoxes &boxes = context.sharedBoxes[i];
  if (number < 0)
    boxes.reset(int(dims), extent, sites);
  return boxes.fits(int(dims), extent, sites) ? &boxes : nullptr;
}

bool BoxLayout::place(CellBox &box, int rank) const {
  const int64_t most = mostBoxBytes / elementBytes / copies;
  int64_t elements = lanes;
  for (int d = rank; d-- > 0;) {
    const auto i = size_t(d);
    box.stride[i] = elements;
    elements *= box.count[i] + (d + 1 == rank ? padding : 0);
    if (elements > most)
      return false;
    if (d > 0 || padding > 0)
      elements = pad(elements, d > 0 && d + 1 < rank);
  }
  box.elements = elements;
  return elements <= most;
}
