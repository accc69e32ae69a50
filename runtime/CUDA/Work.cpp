//===- Work.cpp - The runtime's own kernels on a GPU ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Reduce.h"
#include "runtime/CUDA/Run.h"

#include <cstring>
#include <numeric>

using namespace pmrt;
using namespace pmrt::cuda;

void CudaDevice::whiteNoise(uint64_t seed, pmrt_element element,
                            const Placed &where, void *out) {
  NoisePlace place = {};
  int64_t count = 1;
  for (size_t d = 0; d < where.shape.size(); ++d) {
    count *= where.shape[d];
    // A dim that is whole here continues the one before.
    if (place.rank > 0 && where.shape[d] == where.cells[d]) {
      place.shape[place.rank - 1] *= where.shape[d];
      place.offset[place.rank - 1] *= where.shape[d];
      place.cells[place.rank - 1] *= where.shape[d];
      continue;
    }
    place.shape[place.rank] = where.shape[d];
    place.offset[place.rank] = where.offsets[d];
    place.cells[place.rank] = where.cells[d];
    ++place.rank;
  }
  const int64_t items = (count + 1) / 2;
  if (element == PMRT_F32)
    PMRT_RUN(pmrt_noise_f32, items, place, seed, count,
             static_cast<float *>(out));
  else
    PMRT_RUN(pmrt_noise_f64, items, place, seed, count,
             static_cast<double *>(out));
}

void CudaDevice::fillRows(const HaloRows &rows, void **table) {
  int64_t count = 1;
  for (int d = 0; d < rows.outer; ++d)
    count *= rows.extent[d];
  PMRT_RUN(pmrt_halo_rows, count, rows, count, table);
}

int64_t CudaDevice::firstNonFinite(pmrt_element element, const void *data,
                                   int64_t count) {
  if (!isFloat(element) || count == 0)
    return -1;
  const bool single = element == PMRT_F32 || element == PMRT_C64;
  const int64_t parts = isComplex(element) ? 2 : 1;
  uint64_t first = ~uint64_t(0);
  uint64_t *result = static_cast<uint64_t *>(results(sizeof first));
  upload(result, &first, sizeof first);
  if (single)
    PMRT_RUN(pmrt_non_finite_f32, count * parts,
             static_cast<const float *>(data), count * parts, result);
  else
    PMRT_RUN(pmrt_non_finite_f64, count * parts,
             static_cast<const double *>(data), count * parts, result);
  download(&first, result, sizeof first);
  return first == ~uint64_t(0) ? -1 : int64_t(first) / parts;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void *CudaDevice::scratch(int64_t bytes) {
  return grown(scratchMemory, std::max<int64_t>(bytes, 1));
}

double *CudaDevice::partials(pmrt_reduction kind, int64_t blocks,
                             int64_t width) {
  const int64_t count = blocks * width;
  auto *data = reinterpret_cast<double *>(
      grown(partialMemory, std::max<int64_t>(1, count) * 8));
  PMRT_RUN(pmrt_fill_f64, count, data, count, neutral(kind));
  return data;
}

/// The number of rows that a thread combines. It is small, so that many threads
/// share the work.
static constexpr int64_t rowsOfLane = 64;

static int64_t lanesOf(int64_t rows) {
  return (rows + rowsOfLane - 1) / rowsOfLane;
}

int64_t CudaDevice::lanesFor(int64_t rows) {
  return rows <= rowsOfLane ? 0 : lanesOf(rows) + lanesOf(lanesOf(rows));
}

const double *CudaDevice::combineRows(pmrt_reduction kind, int64_t blocks,
                                      int64_t width, const double *in,
                                      int64_t &rows) {
  // The shape of the tree depends on the number of rows alone.
  rows = blocks;
  if (rows <= rowsOfLane)
    return in;
  const int64_t first = lanesOf(rows);
  auto *memory = reinterpret_cast<double *>(
      grown(laneMemory, lanesFor(rows) * width * int64_t(sizeof(double))));
  for (bool even = true; rows > rowsOfLane; even = !even) {
    const int64_t lanes = lanesOf(rows);
    double *out = even ? memory : memory + first * width;
    PMRT_RUN(pmrt_combine, lanes * width, int32_t(kind), rows, width, lanes, in,
             out);
    rows = lanes;
    in = out;
  }
  return in;
}

void CudaDevice::combineColumns(pmrt_reduction kind, int64_t rows,
                                int64_t width, int64_t first, int64_t count,
                                const double *in, pmrt_element element,
                                void *out) {
  switch (element) {
  case PMRT_F32:
    return PMRT_RUN(pmrt_combine_f32, count, int32_t(kind), rows, width, first,
                    count, in, static_cast<float *>(out));
  case PMRT_F64:
    return PMRT_RUN(pmrt_combine_f64, count, int32_t(kind), rows, width, first,
                    count, in, static_cast<double *>(out));
  case PMRT_I64:
    return PMRT_RUN(pmrt_combine_i64, count, int32_t(kind), rows, width, first,
                    count, in, static_cast<int64_t *>(out));
  default:
    throw context.failure(
        context.current,
        fmt::format("internal error: a reduction to {}", elementName(element)));
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

pmrt_table CudaDevice::table(const pmrt_table &host) {
  auto &[copy, pages] = tables[&host];
  if (copy.size > 0)
    return copy;
  const int64_t bytes = host.size * int64_t(sizeof(double));
  pages = Pages(2 * bytes, this);
  upload(pages.data(), host.x, bytes);
  upload(pages.data() + bytes, host.y, bytes);
  copy = {host.size, reinterpret_cast<double *>(pages.data()),
          reinterpret_cast<double *>(pages.data() + bytes), host.density};
  return copy;
}

// The memory is freed after the kernels that read the copy.
void CudaDevice::forget(const pmrt_table &host) { tables.erase(&host); }

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// The largest number of bytes, up to 16, in which everything can be counted.
static int64_t unitOf(const Region &a, const Region &b, int64_t row) {
  uint64_t all = 16 | uint64_t(row) | uintptr_t(a.base) | uintptr_t(b.base);
  for (const Region *region : {&a, &b})
    for (int64_t stride : region->strides)
      all |= uint64_t(stride);
  const auto unit = int64_t(all & (~all + 1));
  return unit == 2 ? 1 : unit;
}

static void append(BoxPair &box, int64_t count, int64_t from, int64_t to) {
  box.counts[box.rank] = count;
  box.from[box.rank] = from;
  box.to[box.rank] = to;
  ++box.rank;
}

static BoxPair boxOf(const Region &from, const Region &to) {
  BoxPair box = {};
  for (size_t d = 0; d < from.counts.size(); ++d)
    append(box, from.counts[d], from.strides[d], to.strides[d]);
  return box;
}

/// Calls launch(box, items, from, to) for parts of a box with at most
/// `mostPairs` elements.
template <typename Launch>
static void forPieces(BoxPair box, int64_t items, const char *from, char *to,
                      const Launch &launch) {
  int32_t d = 0;
  while (d + 1 < box.rank && box.counts[d] <= 1)
    ++d;
  if (items <= mostPairs) {
    setDivisors(box);
    return launch(box, items, from, to);
  }
  BoxPair first = box, second = box;
  first.counts[d] = box.counts[d] / 2;
  second.counts[d] -= first.counts[d];
  const int64_t each = items / box.counts[d];
  forPieces(first, first.counts[d] * each, from, to, launch);
  forPieces(second, second.counts[d] * each,
            from + first.counts[d] * box.from[d],
            to + first.counts[d] * box.to[d], launch);
}

void CudaDevice::widen(const Region &from, pmrt_element element, char *to,
                       pmrt_element longer) {
  Region dense = from;
  dense.size = elementSize(longer);
  forPieces(
      boxOf(from, dense.denseAt(to)), from.elements(), from.base, to,
      [&](const BoxPair &box, int64_t items, const char *a, char *b) {
        if (longer == PMRT_F32)
          PMRT_RUN(pmrt_widen_f32, items, box, items, int32_t(element), a, b);
        else
          PMRT_RUN(pmrt_widen_f64, items, box, items, int32_t(element), a, b);
      });
}

/// The number of bytes that a thread copies or combines at a time.
static int64_t unitOf(const Region &a, const Region &b, Combine combine,
                      pmrt_element element) {
  return combine == Combine::Replace
             ? unitOf(a, b, a.size)
             : elementSize(element) / (isComplex(element) ? 2 : 1);
}

void CudaDevice::transfer(const Region &from, const Region &to, Combine combine,
                          pmrt_element element) {
  const bool copies = combine == Combine::Replace;
  auto [a, b] = mergedPair(from, to, copies);
  if (a.elements() == 0)
    return;
  if (copies && a.counts.empty())
    return copy(b.base, a.base, a.size);
  if (a.counts.size() + 1 > size_t(mostDims))
    throw context.failure(
        context.current,
        fmt::format("internal error: a message of {} dims", a.counts.size()));
  BoxPair whole = boxOf(a, b);
  const int64_t unit = unitOf(a, b, combine, element);
  if (a.size > unit)
    append(whole, a.size / unit, unit, unit);
  forPieces(
      whole, a.elements() * (a.size / unit), a.base, b.base,
      [&](const BoxPair &box, int64_t items, const char *source, char *target) {
        if (copies)
          copyPairs(unit, box, items, source, target);
        else if (combine == Combine::Add)
          addPairs(element, box, items, source, target);
        else
          boundPairs(combine, element, box, items, source, target);
      });
}

void CudaDevice::copyPairs(int64_t unit, const BoxPair &box, int64_t items,
                           const char *from, char *to) {
  switch (unit) {
  case 16:
    return PMRT_RUN(pmrt_copy_16, items, box, items, from, to);
  case 8:
    return PMRT_RUN(pmrt_copy_8, items, box, items, from, to);
  case 4:
    return PMRT_RUN(pmrt_copy_4, items, box, items, from, to);
  default:
    return PMRT_RUN(pmrt_copy_1, items, box, items, from, to);
  }
}

void CudaDevice::boundPairs(Combine combine, pmrt_element element,
                            const BoxPair &box, int64_t items, const char *from,
                            char *to) {
  const bool isMax = combine == Combine::Max;
  if (element == PMRT_F32)
    return isMax ? PMRT_RUN(pmrt_max_f32, items, box, items, from, to)
                 : PMRT_RUN(pmrt_min_f32, items, box, items, from, to);
  if (element == PMRT_F64)
    return isMax ? PMRT_RUN(pmrt_max_f64, items, box, items, from, to)
                 : PMRT_RUN(pmrt_min_f64, items, box, items, from, to);
  throw context.failure(context.current,
                        fmt::format("internal error: a minimum or maximum "
                                    "of {}",
                                    elementName(element)));
}

void CudaDevice::addPairs(pmrt_element element, const BoxPair &box,
                          int64_t items, const char *from, char *to) {
  switch (element) {
  case PMRT_F32:
  case PMRT_C64:
    return PMRT_RUN(pmrt_add_f32, items, box, items, from, to);
  case PMRT_F64:
  case PMRT_C128:
    return PMRT_RUN(pmrt_add_f64, items, box, items, from, to);
  case PMRT_I8:
    return PMRT_RUN(pmrt_add_i8, items, box, items, from, to);
  case PMRT_I64:
  case PMRT_U64:
    return PMRT_RUN(pmrt_add_i64, items, box, items, from, to);
  case PMRT_BF16:
  case PMRT_F16:
    break;
  }
  throw context.failure(
      context.current,
      fmt::format("internal error: a sum of {}", elementName(element)));
}

/// visit(part, place) for parts of a box of at most some bytes, in order, and
/// where they begin in the dense box.
template <typename Visit>
static void forParts(const Region &region, int64_t place, const Visit &visit) {
  constexpr int64_t most = int64_t(64) << 20;
  size_t d = 0;
  while (d < region.counts.size() && region.counts[d] <= 1)
    ++d;
  if (region.bytes() <= most || d == region.counts.size())
    return visit(region, place);
  Region first = region, second = region;
  first.counts[d] = region.counts[d] / 2;
  second.counts[d] -= first.counts[d];
  second.base += first.counts[d] * region.strides[d];
  forParts(first, place, visit);
  forParts(second, place + first.bytes(), visit);
}

void CudaDevice::gather(const Region &from, char *to) {
  forParts(from, 0, [&](const Region &part, int64_t place) {
    const int64_t bytes = part.bytes();
    if (part.dense())
      return download(to + place, part.base, bytes);
    char *packed = grown(packMemory, bytes);
    transfer(part, part.denseAt(packed), Combine::Replace, PMRT_I8);
    download(to + place, packed, bytes);
  });
}

void CudaDevice::scatter(const char *from, const Region &to, Combine combine,
                         pmrt_element element) {
  forParts(to, 0, [&](const Region &part, int64_t place) {
    const int64_t bytes = part.bytes();
    if (part.dense() && combine == Combine::Replace)
      return upload(part.base, from + place, bytes);
    char *packed = grown(packMemory, bytes);
    upload(packed, from + place, bytes);
    transfer(part.denseAt(packed), part, combine, element);
  });
}
