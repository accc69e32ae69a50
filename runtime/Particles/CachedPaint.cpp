//===- CachedPaint.cpp - Paint in copies of boxes of cells ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/CachedPaint.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace pmrt;

/// Cells are not exact at larger positions.
static constexpr double largestCell = 0x1p50;

namespace {

// What a function below takes from a copy, it sets to zero: then the copy is in
// a core's nearest cache, and the next block needs zeros.

template <typename Real>
[[gnu::always_inline]] inline void clear(Real *cells, int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    cells[i] = 0;
}

/// to[i] += the sum of the copies' cell i, of which copy c begins at
/// from[c * step].
template <int copies, typename Real>
[[gnu::always_inline]] inline void addCopies(Real *__restrict from,
                                             int64_t step, int64_t size,
                                             Real *__restrict to) {
  for (int64_t i = 0; i < size; ++i) {
    Real sum = from[i];
    for (int c = 1; c < copies; ++c)
      sum += from[i + c * step];
    to[i] += sum;
  }
  for (int c = 0; c < copies; ++c)
    clear(from + c * step, size);
}

template <typename Real>
[[gnu::always_inline]] inline void
addSome(Real *from, int64_t copies, int64_t step, int64_t size, Real *to) {
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
[[gnu::always_inline]] inline void addSomeLanes(Real *__restrict from,
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
  clear(from, size * lanes);
}

template <typename Real>
[[gnu::always_inline]] inline void addLane(Real *from, int32_t count,
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
    clear(from, size * lanes);
  }
}

/// to[m][i] = from[i * lanes + m], as `addSomeLanes`.
template <int count, typename Real>
[[gnu::always_inline]] inline void splitSome(Real *__restrict from,
                                             int64_t size, Real *const *to) {
  constexpr auto lanes = int64_t(std::bit_ceil(unsigned(count)));
  for (int m = 0; m < count; ++m) {
    Real *__restrict row = to[m];
    for (int64_t i = 0; i < size; ++i)
      row[i] = from[i * lanes + m];
  }
  clear(from, size * lanes);
}

template <typename Real>
[[gnu::always_inline]] inline void split(Real *from, int32_t count,
                                         int64_t size, Real *const *to) {
  switch (count) {
  case 2:
    return splitSome<2>(from, size, to);
  case 3:
    return splitSome<3>(from, size, to);
  case 4:
    return splitSome<4>(from, size, to);
  default:
    const auto lanes = int64_t(std::bit_ceil(uint32_t(count)));
    for (int64_t i = 0; i < size; ++i)
      for (int32_t m = 0; m < count; ++m)
        to[m][i] = from[i * lanes + m];
    clear(from, size * lanes);
  }
}

PMRT_CLONES void splitLanes(float *from, int32_t count, int64_t size,
                            float *const *to) {
  split(from, count, size, to);
}
PMRT_CLONES void splitLanes(double *from, int32_t count, int64_t size,
                            double *const *to) {
  split(from, count, size, to);
}
PMRT_CLONES void addCells(float *from, int64_t copies, int64_t step,
                          int64_t size, float *to) {
  addSome(from, copies, step, size, to);
}
PMRT_CLONES void addCells(double *from, int64_t copies, int64_t step,
                          int64_t size, double *to) {
  addSome(from, copies, step, size, to);
}
PMRT_CLONES void addRow(const float *from, int64_t size, float *to) {
  for (int64_t i = 0; i < size; ++i)
    to[i] += from[i];
}
PMRT_CLONES void addRow(const double *from, int64_t size, double *to) {
  for (int64_t i = 0; i < size; ++i)
    to[i] += from[i];
}
PMRT_CLONES void addLanes(float *from, int32_t count, int64_t size,
                          float *const *to) {
  addLane(from, count, size, to);
}
PMRT_CLONES void addLanes(double *from, int32_t count, int64_t size,
                          double *const *to) {
  addLane(from, count, size, to);
}

} // namespace

CachedPaint::CachedPaint(const pmrt_scatter_blocks &blocks, void *args,
                         int32_t count, const pmrt_array *const *meshes,
                         const std::vector<int64_t> &cells, SharedBoxes *boxes)
    : blocks(blocks), args(args), count(count),
      fields(blocks.stencil ? int32_t(blocks.fields) : count), meshes(meshes),
      cells(cells), boxes(boxes) {
  layout.elementBytes = elementSize(pmrt_element(meshes[0]->element));
  if (fields > 1) {
    layout.lanes = int64_t(std::bit_ceil(uint32_t(fields)));
    return;
  }
  layout.copies =
      int64_t(std::bit_ceil(uint64_t(blocks.support[cells.size() - 1])));
  layout.padding = layout.copies;
}

int64_t CachedPaint::roomBytes() const {
  // The box, its fields, a row of zeros, and the rows of the meshes, which are
  // a vector longer at most than rows of the fields.
  return hasStencil() ? 5 * mostBoxBytes : mostBoxBytes;
}

std::pair<double, double> CachedPaint::touched(size_t d, double low,
                                               double high) const {
  high += double(blocks.support[d] - 1);
  // A cell below reads above.
  return hasStencil() ? std::pair(low - double(blocks.above[d]),
                                  high + double(blocks.below[d]))
                      : std::pair(low, high);
}

BoxLayout CachedPaint::fieldLayout() const {
  return {layout.elementBytes, /*lanes=*/1, 2 * marginOf(cells.size() - 1),
          fields};
}

void CachedPaint::append(const Sites &sites, const BoxLimits &limits,
                         Part &part) const {
  const int rank = int(cells.size());
  CellBox box;
  if (box.setCells(limits, blocks.support, rank) && layout.place(box, rank)) {
    CellBox field = box;
    if (!hasStencil() || fieldLayout().place(field, rank)) {
      part.blocks.push_back({sites, box});
      return;
    }
  }
  const auto halves =
      sites.halve(int(blocks.dims), hasStencil() ? 1 : leastBlock);
  if (!halves) {
    part.fits = false;
    // The box of a site fits, if kernels find its cells exactly.
    part.isFinite &= !hasStencil();
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
  const auto compute = [&](BoxLimits &some) {
    blocks.box(args, sites.range.data(), some.data());
  };
  BoxLimits limits{};
  if (boxes)
    limits = boxes->get(sites.range.data(), compute);
  else
    compute(limits);
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

void CachedPaint::clear(const std::vector<Part> &parts, char *memory) const {
  int64_t elements = 0;
  for (const Part &part : parts)
    for (const Block &block : part.blocks)
      elements = std::max(elements, block.box.elements);
  std::memset(memory, 0,
              size_t(layout.copies * elements * layout.elementBytes));
}

void CachedPaint::paint(const Part &part, char *memory) const {
  for (const Block &block : part.blocks) {
    const CellBox &box = block.box;
    // The kernel gets the distance of the copies behind the strides.
    std::array<int64_t, PMRT_MAX_RANK + 1> strides{};
    std::copy(box.stride.begin(), box.stride.end(), strides.begin());
    strides[cells.size()] = box.elements;
    blocks.deposit(args, block.sites.range.data(), box.first.data(),
                   strides.data(), memory);
    const bool isF32 = meshes[0]->element == PMRT_F32;
    if (hasStencil() && isF32)
      addStencil(box, reinterpret_cast<float *>(memory));
    else if (hasStencil())
      addStencil(box, reinterpret_cast<double *>(memory));
    else if (isF32)
      add(box, reinterpret_cast<float *>(memory));
    else
      add(box, reinterpret_cast<double *>(memory));
  }
}

/// Calls `add(part, size, i)` for the parts of a row of the box that are
/// consecutive in the meshes: part[m] is cell i of the row in mesh m.
template <typename Real>
void CachedPaint::forParts(const CellBox &box, const auto &at, auto add) const {
  auto rowsOf = [&](int32_t m) {
    return BoxRows(cells, blocks.halos ? blocks.halos[m] : nullptr);
  };
  std::array<Real *, size_t(mostMeshes)> row;
  for (int32_t m = 0; m < count; ++m)
    row[size_t(m)] = rowsOf(m).template find<Real>(*meshes[m], box, at);
  rowsOf(0).forParts(box, [&](int64_t cell, int64_t size, int64_t i) {
    std::array<Real *, size_t(mostMeshes)> part;
    for (int32_t m = 0; m < count; ++m) {
      Real *to = row[size_t(m)] + cell;
      part[size_t(m)] = to;
      for (int64_t c = 0; c < size; c += lineBytes / int64_t(sizeof(Real)))
        __builtin_prefetch(to + c + rowsAhead * cells.back(), 1);
    }
    add(part.data(), size, i);
  });
}

template <typename Real>
void CachedPaint::add(const CellBox &box, Real *from) const {
  BoxRows(cells, nullptr).forEach(box, [&](const auto &at, int64_t place) {
    forParts<Real>(box, at, [&](Real *const *to, int64_t size, int64_t i) {
      if (count > 1)
        addLanes(from + place + i * layout.lanes, count, size, to);
      else
        // Cell i is element i - c of copy c, see `pmrt_scatter_blocks`.
        addCells(from + place + i, layout.copies, box.elements - 1, size,
                 to[0]);
    });
  });
}

template <typename Real>
void CachedPaint::writeFields(const CellBox &box, const CellBox &field,
                              Real *from, Real *to) const {
  const size_t z = cells.size() - 1;
  const int64_t size = box.count[z], margin = marginOf(z);
  BoxRows(cells, nullptr).forEach(box, [&](const auto &at, int64_t place) {
    int64_t begin = 0;
    for (size_t d = 0; d < z; ++d)
      begin += at[d] * field.stride[d];
    std::array<Real *, size_t(mostMeshes)> rows;
    for (int32_t f = 0; f < fields; ++f) {
      Real *row = to + f * field.elements + begin;
      std::fill_n(row, margin, Real(0));
      std::fill_n(row + margin + size, margin, Real(0));
      rows[size_t(f)] = row + margin;
    }
    if (fields > 1)
      return splitLanes(from + place, fields, size, rows.data());
    std::fill_n(rows[0], size, Real(0));
    addCells(from + place, layout.copies, box.elements - 1, size, rows[0]);
  });
}

template <typename Real>
void CachedPaint::addStencil(const CellBox &box, Real *memory) const {
  constexpr auto room = int64_t(mostBoxBytes / sizeof(Real));
  constexpr int64_t line = lineBytes / int64_t(sizeof(Real));
  Real *const source = memory + room, *const zeros = source + room,
              *const row = zeros + room;
  const size_t z = cells.size() - 1;
  CellBox field = box, grown = box;
  fieldLayout().place(field, int(cells.size()));
  writeFields(box, field, memory, source);
  std::fill_n(zeros, box.count[z] + 2 * marginOf(z) + line, Real(0));
  for (size_t d = 0; d < cells.size(); ++d) {
    grown.first[d] -= blocks.above[d];
    grown.count[d] += marginOf(d);
  }
  // Rows of whole cache lines. What is computed behind a row is not added.
  const int64_t size = (grown.count[z] + line - 1) / line * line;
  // Where the tap rows of the grown box's first row would be.
  std::vector<int64_t> first(size_t(blocks.tapRows)), rows(first.size());
  for (size_t r = 0; r < rows.size(); ++r) {
    const int64_t *tap = blocks.taps + r * (z + 1);
    first[r] = tap[0] * field.elements + blocks.below[z];
    for (size_t d = 0; d < z; ++d)
      first[r] += (tap[1 + d] - blocks.above[d]) * field.stride[d];
  }
  BoxRows(cells, nullptr).forEach(grown, [&](const auto &at, int64_t) {
    // Around all taps of an inner row are rows of the fields.
    bool isInner = true;
    int64_t begin = 0;
    for (size_t d = 0; d < z; ++d) {
      isInner &= at[d] >= marginOf(d) && at[d] < box.count[d];
      begin += at[d] * field.stride[d];
    }
    bool isZero = !isInner;
    for (size_t r = 0; r < rows.size(); ++r) {
      rows[r] = begin + first[r];
      if (isInner)
        continue;
      const int64_t *offset = blocks.taps + r * (z + 1) + 1;
      bool isInside = true;
      for (size_t d = 0; d < z; ++d) {
        const int64_t cell = at[d] - blocks.above[d] + offset[d];
        isInside &= cell >= 0 && cell < box.count[d];
      }
      isZero &= !isInside;
      if (!isInside)
        rows[r] = zeros - source + blocks.below[z];
    }
    if (isZero)
      return;
    blocks.stencil(args, size, size, rows.data(), source, row);
    forParts<Real>(grown, at, [&](Real *const *to, int64_t some, int64_t i) {
      for (int32_t m = 0; m < count; ++m)
        addRow(row + m * size + i, some, to[m]);
    });
  });
}
