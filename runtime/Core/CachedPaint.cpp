//===- CachedPaint.cpp - Paint in copies of boxes of cells ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/CachedPaint.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace pmrt;

/// Cells are not exact at larger positions.
static constexpr double largestCell = 0x1p50;

namespace {

/// to[i] += the sum of the copies' cell i, of which copy c begins at
/// from[c * step].
template <int copies, typename Real>
[[gnu::always_inline]] inline void addCopies(const Real *__restrict from,
                                             int64_t step, int64_t size,
                                             Real *__restrict to) {
  for (int64_t i = 0; i < size; ++i) {
    Real sum = from[i];
    for (int c = 1; c < copies; ++c)
      sum += from[i + c * step];
    to[i] += sum;
  }
}

template <typename Real>
[[gnu::always_inline]] inline void addSome(const Real *from, int64_t copies,
                                           int64_t step, int64_t size,
                                           Real *to) {
  switch (copies) {
  case 1:
    return addCopies<1>(from, step, size, to);
  case 2:
    return addCopies<2>(from, step, size, to);
  default:
    return addCopies<4>(from, step, size, to);
  }
}

/// to[m][i] += from[i * lanes + m] for each of `count` meshes, lanes being
/// `count` rounded up to a power of two.
template <int count, typename Real>
[[gnu::always_inline]] inline void addSomeLanes(const Real *__restrict from,
                                                int64_t size, Real *const *to) {
  constexpr auto lanes = int64_t(std::bit_ceil(unsigned(count)));
  // All loads come before the first store: cells of several meshes are often a
  // multiple of 4 KiB apart, and a processor takes them for the same ones.
  constexpr int64_t some = 16;
  int64_t i = 0;
  for (; i + some <= size; i += some) {
    Real sums[count][some];
    for (int m = 0; m < count; ++m)
      for (int64_t k = 0; k < some; ++k)
        sums[m][k] = to[m][i + k] + from[(i + k) * lanes + m];
    for (int m = 0; m < count; ++m)
      for (int64_t k = 0; k < some; ++k)
        to[m][i + k] = sums[m][k];
  }
  for (; i < size; ++i)
    for (int m = 0; m < count; ++m)
      to[m][i] += from[i * lanes + m];
}

template <typename Real>
[[gnu::always_inline]] inline void addLane(const Real *from, int32_t count,
                                           int64_t size, Real *const *to) {
  switch (count) {
  case 2:
    return addSomeLanes<2>(from, size, to);
  case 3:
    return addSomeLanes<3>(from, size, to);
  case 4:
    return addSomeLanes<4>(from, size, to);
  default:
    const auto lanes = int64_t(std::bit_ceil(uint32_t(count)));
    for (int64_t i = 0; i < size; ++i)
      for (int32_t m = 0; m < count; ++m)
        to[m][i] += from[i * lanes + m];
  }
}

PMRT_CLONES void addCells(const float *from, int64_t copies, int64_t step,
                          int64_t size, float *to) {
  addSome(from, copies, step, size, to);
}
PMRT_CLONES void addCells(const double *from, int64_t copies, int64_t step,
                          int64_t size, double *to) {
  addSome(from, copies, step, size, to);
}
PMRT_CLONES void addLanes(const float *from, int32_t count, int64_t size,
                          float *const *to) {
  addLane(from, count, size, to);
}
PMRT_CLONES void addLanes(const double *from, int32_t count, int64_t size,
                          double *const *to) {
  addLane(from, count, size, to);
}

} // namespace

CachedPaint::CachedPaint(const pmrt_scatter_blocks &blocks, void *args,
                         int32_t count, const pmrt_array *const *meshes,
                         const std::vector<int64_t> &cells)
    : blocks(blocks), args(args), count(count), meshes(meshes), cells(cells) {
  layout.elementBytes = elementSize(pmrt_element(meshes[0]->element));
  if (count > 1) {
    layout.lanes = int64_t(std::bit_ceil(uint32_t(count)));
    return;
  }
  layout.copies =
      int64_t(std::bit_ceil(uint64_t(blocks.support[cells.size() - 1])));
  layout.padding = layout.copies;
}

void CachedPaint::append(const Sites &sites, const BoxLimits &limits,
                         Part &part) const {
  const int rank = int(cells.size());
  Box box;
  if (box.setCells(limits, blocks.support, rank) && layout.place(box, rank)) {
    part.blocks.push_back({sites, box});
    return;
  }
  const auto halves = sites.halve(int(blocks.dims), leastBlock);
  if (!halves) {
    part.fits = false;
    return;
  }
  for (const Sites &half : {halves->first, halves->second}) {
    if (!part.fits)
      return;
    BoxLimits some{};
    blocks.box(args, half.range.data(), some.data());
    append(half, some, part);
  }
}

void CachedPaint::measure(const Sites &sites, Part &part) const {
  BoxLimits limits{};
  blocks.box(args, sites.range.data(), limits.data());
  for (size_t d = 0; d < cells.size(); ++d) {
    if (!(limits[2 * d] > -largestCell && limits[2 * d + 1] < largestCell))
      part.isFinite = false;
    part.limits[2 * d] = std::min(part.limits[2 * d], limits[2 * d]);
    part.limits[2 * d + 1] =
        std::max(part.limits[2 * d + 1], limits[2 * d + 1]);
  }
  if (part.fits && part.isFinite)
    append(sites, limits, part);
}

CachedPaint::Part CachedPaint::cut(int64_t begin0, int64_t end0, int64_t begin1,
                                   int64_t end1) const {
  Part part;
  for (size_t d = 0; d < cells.size(); ++d) {
    part.limits[2 * d] = HUGE_VAL;
    part.limits[2 * d + 1] = -HUGE_VAL;
  }
  const int dims = int(blocks.dims);
  std::array<int64_t, PMRT_MAX_RANK> begin{}, end{}, at{};
  for (int d = 0; d < dims; ++d) {
    const auto i = size_t(d);
    begin[i] = d == 0 ? begin0 : d == 1 ? begin1 : 0;
    end[i] = d == 0 ? end0 : d == 1 ? end1 : blocks.extent[d];
    if (begin[i] >= end[i])
      return part;
  }
  at = begin;
  while (true) {
    Sites sites;
    for (int d = 0; d < dims; ++d) {
      const auto i = size_t(d);
      sites.set(d, at[i], std::min(end[i], at[i] + blocks.sites[d]));
    }
    measure(sites, part);
    int d = dims - 1;
    for (; d >= 0; --d) {
      const auto i = size_t(d);
      at[i] += blocks.sites[d];
      if (at[i] < end[i])
        break;
      at[i] = begin[i];
    }
    if (d < 0)
      return part;
  }
}

void CachedPaint::paint(const Part &part, char *memory) const {
  for (const Block &block : part.blocks) {
    const Box &box = block.box;
    std::memset(memory, 0,
                size_t(layout.copies * box.elements * layout.elementBytes));
    // The kernel gets the distance of the copies behind the strides.
    std::array<int64_t, PMRT_MAX_RANK + 1> strides{};
    std::copy(box.stride.begin(), box.stride.end(), strides.begin());
    strides[cells.size()] = box.elements;
    blocks.deposit(args, block.sites.range.data(), box.first.data(),
                   strides.data(), memory);
    if (meshes[0]->element == PMRT_F32)
      add(box, reinterpret_cast<const float *>(memory));
    else
      add(box, reinterpret_cast<const double *>(memory));
  }
}

template <typename Real>
void CachedPaint::add(const Box &box, const Real *from) const {
  auto rowsOf = [&](int32_t m) {
    return BoxRows(cells, blocks.halos ? blocks.halos[m] : nullptr);
  };
  const BoxRows rows = rowsOf(0);
  rows.forEach(box, [&](const auto &at, int64_t place) {
    std::array<Real *, size_t(mostMeshes)> row;
    for (int32_t m = 0; m < count; ++m)
      row[size_t(m)] = rowsOf(m).template find<Real>(*meshes[m], box, at);
    rows.forParts(box, [&](int64_t cell, int64_t size, int64_t i) {
      std::array<Real *, size_t(mostMeshes)> part;
      for (int32_t m = 0; m < count; ++m) {
        Real *to = row[size_t(m)] + cell;
        part[size_t(m)] = to;
        for (int64_t c = 0; c < size; c += lineBytes / int64_t(sizeof(Real)))
          __builtin_prefetch(to + c + rowsAhead * cells.back(), 1);
      }
      if (count > 1)
        addLanes(from + place + i * layout.lanes, count, size, part.data());
      else
        // Cell i is element i - c of copy c, see `pmrt_scatter_blocks`.
        addCells(from + place + i, layout.copies, box.elements - 1, size,
                 part[0]);
    });
  });
}
