//===- LatticeBlocks.cpp - Readings of meshes in blocks of a lattice ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Particles of a block of lattice sites read a box of mesh cells that is little
// larger than the block. The box is copied to memory that stays in a core's
// cache, with the cells of all meshes interleaved, so that one vector load gets
// the values of all meshes in a cell. A block whose box is too large is halved.
// If halving does not help, the block's rows are read from the meshes.
//
// Or the fields that particles read are no meshes in memory: a kernel computes
// their cells from meshes, row by row of the box. It reads a copy of the
// meshes' cells in and around the box, in which no row wraps around. Such
// blocks are halved down to single sites, whose boxes always fit.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/Core/Positions.h"
#include "runtime/Particles/LatticeBox.h"

#include "pmrt/particles.h"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>

using namespace pmrt;

namespace {

constexpr int64_t mostLanes = 16;
/// Bytes behind a box: a vector that begins at the first cell of a window along
/// the last dim may be longer than the window.
constexpr int64_t behindBox = 1024;

template <typename Real, int meshes>
[[gnu::always_inline]] inline void
interleaveSome(const Real *const *from, int64_t size, Real *__restrict to) {
  constexpr auto lanes = int64_t(std::bit_ceil(unsigned(meshes)));
  for (int64_t i = 0; i < size; ++i)
    for (int64_t m = 0; m < lanes; ++m)
      to[i * lanes + m] = m < meshes ? from[m][i] : Real(0);
}

/// to[i * lanes + m] = from[m][i], lanes being `count` rounded up to a power of
/// two.
template <typename Real>
[[gnu::always_inline]] inline void interleave(const Real *const *from,
                                              int32_t count, int64_t size,
                                              Real *__restrict to) {
  switch (count) {
  case 1:
    return interleaveSome<Real, 1>(from, size, to);
  case 2:
    return interleaveSome<Real, 2>(from, size, to);
  case 3:
    return interleaveSome<Real, 3>(from, size, to);
  case 4:
    return interleaveSome<Real, 4>(from, size, to);
  default:
    const auto lanes = int64_t(std::bit_ceil(uint32_t(count)));
    for (int64_t i = 0; i < size; ++i)
      for (int32_t m = 0; m < count; ++m)
        to[i * lanes + m] = from[m][i];
  }
}

PMRT_CLONES void interleaveCells(const float *const *from, int32_t count,
                                 int64_t size, float *to) {
  interleave(from, count, size, to);
}

PMRT_CLONES void interleaveCells(const double *const *from, int32_t count,
                                 int64_t size, double *to) {
  interleave(from, count, size, to);
}

struct Reading {
  pmrt_context *ctx;
  const pmrt_block_bodies *bodies;
  void *args;
  int dims; ///< of the domain
  const int64_t *extent, *block, *support;
  int32_t count; ///< of meshes
  const pmrt_array *const *meshes;
  pmrt_halo *const *halos;
  int32_t fields;               ///< in the copy
  const int64_t *below, *above; ///< null if the fields are the meshes
  std::vector<int64_t> cells;   ///< of the whole mesh, along each dim
  SharedBoxes *boxes;           ///< null if there are none

  int rank() const { return int(cells.size()); }
  int last() const { return dims - 1; }
  int64_t lanes() const { return int64_t(std::bit_ceil(uint32_t(fields))); }
  bool isComputed() const { return bodies->fill != nullptr; }
  /// Of a thread: the box, and with `fill` the meshes' cells.
  int64_t roomBytes() const {
    return mostBoxBytes + behindBox + (isComputed() ? mostBoxBytes : 0);
  }
  int64_t elementBytes() const {
    return elementSize(pmrt_element(meshes[0]->element));
  }

  /// The box that the sites read. False if it is too large, or a position is
  /// not finite.
  bool findBox(const Sites &sites, CellBox &box) const {
    const auto compute = [&](BoxLimits &some) {
      bodies->box(args, sites.range.data(), some.data());
    };
    BoxLimits limits{};
    if (boxes)
      limits = boxes->get(sites.range.data(), compute);
    else
      compute(limits);
    if (!box.setCells(limits, support, rank()) || !layout().place(box, rank()))
      return false;
    CellBox cells = around(box);
    return !isComputed() || sourceLayout().place(cells, rank());
  }

  BoxLayout layout() const {
    return {elementBytes(), lanes(), /*padding=*/0, /*copies=*/1};
  }
  /// Of the cells that the box is computed from: the meshes one by one.
  BoxLayout sourceLayout() const {
    return {elementBytes(), /*lanes=*/1, /*padding=*/0, /*copies=*/count};
  }
  BoxRows rowsOf(int32_t m) const {
    return {cells, halos ? halos[m] : nullptr};
  }

  /// The cells from which those of the box are computed.
  CellBox around(CellBox box) const {
    for (int d = 0; isComputed() && d < rank(); ++d) {
      box.first[size_t(d)] -= below[d];
      box.count[size_t(d)] += below[d] + above[d];
    }
    return box;
  }

  /// Appends blocks of the sites with their boxes; false if one has none.
  bool cut(const Sites &sites,
           std::vector<std::pair<Sites, CellBox>> &blocks) const {
    CellBox box;
    if (findBox(sites, box)) {
      blocks.emplace_back(sites, box);
      return true;
    }
    const auto halves = sites.halve(dims, isComputed() ? 1 : leastBlock);
    return halves && cut(halves->first, blocks) && cut(halves->second, blocks);
  }

  /// Reads for the sites of a column, which has all along the last dim.
  void column(Sites sites, char *memory,
              std::vector<std::pair<Sites, CellBox>> &blocks) const {
    blocks.clear();
    const int64_t length = extent[last()];
    bool isCut = true;
    for (int64_t z = 0; z < length && isCut; z += block[last()]) {
      sites.set(last(), z, std::min(length, z + block[last()]));
      isCut = cut(sites, blocks);
    }
    if (!isCut && isComputed())
      throw BadPosition();
    if (renews())
      forget(sites);
    if (!isCut)
      return rows(sites);
    for (const auto &[part, box] : blocks) {
      if (meshes[0]->element == PMRT_F32)
        fillBox(box, reinterpret_cast<float *>(memory));
      else
        fillBox(box, reinterpret_cast<double *>(memory));
      bodies->block(args, part.range.data(), box.first.data(),
                    box.stride.data(), memory);
      if (!renews())
        continue;
      BoxLimits limits{};
      bodies->box(args, part.range.data(), limits.data());
      boxes->include(part.range.data(), limits);
    }
  }

  bool renews() const { return boxes && bodies->renews; }
  /// Forgets the boxes of the sites' blocks.
  void forget(Sites sites) const {
    for (int64_t z = 0; z < extent[last()]; z += block[last()]) {
      sites.set(last(), z, std::min(extent[last()], z + block[last()]));
      boxes->forget(sites.range.data());
    }
  }

  template <typename Real> void fillBox(const CellBox &box, Real *to) const {
    if (!isComputed())
      return copy<Real>(box, 0, count, to);
    Real *source = to + (mostBoxBytes + behindBox) / int64_t(sizeof(Real));
    CellBox cells = around(box);
    sourceLayout().place(cells, rank());
    for (int32_t m = 0; m < count; ++m)
      copy<Real>(cells, m, 1, source + m * cells.elements);
    compute(box, cells, source, to);
  }

  /// Computes the box from the meshes' cells.
  template <typename Real>
  void compute(const CellBox &box, const CellBox &cells, const Real *source,
               Real *to) const {
    const auto inner = size_t(rank() - 1);
    std::array<int64_t, PMRT_MAX_RANK + 1> stride{};
    std::copy_n(cells.stride.data(), rank(), stride.data());
    stride[size_t(rank())] = cells.elements;
    rowsOf(0).forEach(box, [&](const auto &at, int64_t place) {
      int64_t cell = below[inner];
      for (size_t d = 0; d < inner; ++d)
        cell += (at[d] + below[d]) * cells.stride[d];
      bodies->fill(args, box.count[inner], stride.data(), source + cell,
                   to + place);
    });
  }

  /// Reads from the meshes themselves, for whole rows along the last dim.
  void rows(const Sites &sites) const {
    // Rows are consecutive along the last dim but one.
    std::array<int64_t, PMRT_MAX_RANK> at{};
    const int inner = last() - 1;
    for (int d = 0; d < inner; ++d)
      at[size_t(d)] = sites.begin(d);
    while (true) {
      int64_t row = 0;
      for (int d = 0; d < inner; ++d)
        row = (row + at[size_t(d)]) * extent[d + 1];
      bodies->rows(args, row + sites.begin(inner), row + sites.end(inner));
      int d = inner - 1;
      for (; d >= 0; --d) {
        if (++at[size_t(d)] < sites.end(d))
          break;
        at[size_t(d)] = sites.begin(d);
      }
      if (d < 0)
        return;
    }
  }

  /// Interleaves the box's cells of `some` meshes from mesh m on.
  template <typename Real>
  void copy(const CellBox &box, int32_t m, int32_t some, Real *to) const {
    // Rows are short, so that no cache foresees the next ones: they are asked
    // for before they are copied.
    std::array<std::array<const Real *, mostLanes>, rowsAhead> ahead;
    std::array<int64_t, rowsAhead> places{};
    int64_t row = 0;
    const auto take = [&] {
      const auto slot = size_t(row % rowsAhead);
      if (row++ >= rowsAhead)
        copyRow(box, ahead[slot], some, to + places[slot]);
      return slot;
    };
    rowsOf(m).forEach(box, [&](const auto &at, int64_t place) {
      const size_t slot = take();
      places[slot] = place;
      for (int32_t i = 0; i < some; ++i) {
        ahead[slot][size_t(i)] =
            rowsOf(m + i).template find<Real>(*meshes[m + i], box, at);
        prefetchRow(box, ahead[slot][size_t(i)]);
      }
    });
    for (int64_t left = std::min(row, rowsAhead); left > 0; --left) {
      row = std::max(row, rowsAhead);
      take();
    }
  }

  template <typename Real>
  void prefetchRow(const CellBox &box, const Real *from) const {
    rowsOf(0).forParts(box, [&](int64_t cell, int64_t size, int64_t) {
      for (int64_t c = 0; c < size; c += lineBytes / int64_t(sizeof(Real)))
        __builtin_prefetch(from + cell + c);
    });
  }

  template <typename Real>
  void copyRow(const CellBox &box,
               const std::array<const Real *, mostLanes> &from, int32_t some,
               Real *to) const {
    const auto lanes = int64_t(std::bit_ceil(uint32_t(some)));
    rowsOf(0).forParts(box, [&](int64_t cell, int64_t size, int64_t i) {
      std::array<const Real *, mostLanes> part;
      for (int32_t m = 0; m < some; ++m)
        part[size_t(m)] = from[size_t(m)] + cell;
      interleaveCells(part.data(), some, size, to + i * lanes);
    });
  }
};

} // namespace

void pmrt_parallel_blocks(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                          const char *name, const pmrt_block_bodies *bodies,
                          void *args, int32_t dims, const int64_t *extent,
                          const int64_t *block, const int64_t *support,
                          int32_t count, const pmrt_array *const *meshes,
                          pmrt_halo *const *halos, int32_t fields,
                          const int64_t *below, const int64_t *above,
                          int64_t bytes) {
  int64_t elements = 1, columns = 1;
  std::array<int64_t, PMRT_MAX_RANK> along{};
  for (int d = 0; d < dims; ++d) {
    elements *= extent[d];
    along[size_t(d)] = d + 1 < dims ? (extent[d] + block[d] - 1) / block[d] : 1;
    columns *= along[size_t(d)];
  }
  Op op(*ctx, loc, name, elements * bytes);
  SharedBoxes *boxes = findBoxes(*ctx, bodies->boxes, dims, extent, block);
  if (elements <= 0)
    return;
  if (!bodies->fill)
    fields = count;
  if (fields > mostLanes || dims < 2)
    throw ctx->failure(loc, fmt::format("internal error: blocks of {} dims and "
                                        "{} meshes, expected at least 2 and at "
                                        "most {}",
                                        dims, fields, mostLanes));
  Reading reading{ctx,    bodies, args,   dims,  extent, block, support, count,
                  meshes, halos,  fields, below, above,  {},    boxes};
  for (int32_t d = 0; d < meshes[0]->rank; ++d)
    reading.cells.push_back(
        ctx->program.dims[size_t(meshes[0]->dims[d])].stored());
  const int threads = ctx->threads.count();
  const int64_t room = reading.roomBytes();
  if (ctx->blockWorkspace.size() < threads * room)
    ctx->blockWorkspace = Pages(threads * room);
  std::atomic<int64_t> next = 0;
  std::atomic<int> slot = 0;
  runLoop(*ctx, loc, [&] {
    ctx->threads.forRange(threads, [&](int64_t, int64_t) {
      char *memory = ctx->blockWorkspace.data() + slot++ * room;
      std::vector<std::pair<Sites, CellBox>> blocks;
      for (int64_t c; (c = next.fetch_add(1)) < columns;) {
        Sites sites{};
        int64_t rest = c;
        for (int d = dims; d-- > 0;) {
          const int64_t i = rest % along[size_t(d)];
          rest /= along[size_t(d)];
          sites.range[2 * size_t(d)] = i * block[d];
          sites.range[2 * size_t(d) + 1] =
              d + 1 < dims ? std::min(extent[d], (i + 1) * block[d])
                           : extent[d];
        }
        reading.column(sites, memory, blocks);
      }
    });
  });
  if (reading.renews())
    boxes->renew();
}
