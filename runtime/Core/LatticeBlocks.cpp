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

#include <array>
#include <atomic>
#include <bit>
#include <cmath>

using namespace pmrt;

namespace {

constexpr int64_t mostLanes = 16;
/// Bytes of a box: a part of a core's cache that is free beside the particles.
constexpr int64_t mostBoxBytes = int64_t(3) << 18;
/// Bytes behind a box: a vector that begins at the first cell of a window along
/// the last dim may be longer than the window.
constexpr int64_t behindBox = 1024;
/// Sites along a dim of a block that is not halved further, if its rows can be
/// read from meshes.
constexpr int64_t leastBlock = 4;
constexpr int64_t lineBytes = 64;
/// Rows of cells that are asked for before one is copied.
constexpr int64_t rowsAhead = 8;

/// Sites [begin, end) along each dim of the domain.
struct Sites {
  std::array<int64_t, size_t(2) * PMRT_MAX_RANK> range;
  int64_t begin(int d) const { return range[2 * size_t(d)]; }
  int64_t end(int d) const { return range[2 * size_t(d) + 1]; }
  int64_t count(int d) const { return end(d) - begin(d); }
};

/// Cells from `first` on, not wrapped, and where the copy has them.
struct Box {
  std::array<int64_t, PMRT_MAX_RANK> first{}, count{}, stride{};
  int64_t elements = 0; ///< of the copy
};

// Shuffles of vectors: with those of the machine.
#if defined(__x86_64__) && !defined(PMRT_NO_CLONES)
#define PMRT_CLONES                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PMRT_CLONES
#endif

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

  /// The box that the sites read; none if it is too large, or a position is not
  /// finite.
  bool findBox(const Sites &sites, Box &box) const {
    std::array<double, size_t(2) * PMRT_MAX_RANK> limits;
    bodies->box(args, sites.range.data(), limits.data());
    const auto most = double(mostBoxBytes / elementBytes());
    // Kernels find cells in f32 and in i32, which are exact for these.
    constexpr double farthest = 0x1p23;
    for (int d = 0; d < rank(); ++d) {
      const auto i = size_t(d);
      const double low = limits[2 * i], high = limits[2 * i + 1];
      if (!(std::abs(low) < farthest) || !(high - low < most))
        return false;
      box.first[i] = int64_t(low);
      box.count[i] = int64_t(high - low) + support[d];
    }
    if (!place(box, lanes()))
      return false;
    Box cells = around(box);
    return !isComputed() ||
           (place(cells, 1) &&
            count * cells.elements * elementBytes() <= mostBoxBytes);
  }

  /// Finds where a box of so many lanes has its cells; false if it is too
  /// large.
  bool place(Box &box, int64_t lanes) const {
    const int64_t most = mostBoxBytes / elementBytes();
    int64_t elements = lanes;
    for (int d = rank(); d-- > 0;) {
      const auto i = size_t(d);
      box.stride[i] = elements;
      elements *= box.count[i];
      if (elements > most)
        return false;
      if (d > 0)
        elements = padded(elements, d + 1 < rank());
    }
    box.elements = elements;
    return elements <= most;
  }

  /// The cells from which those of the box are computed.
  Box around(Box box) const {
    for (int d = 0; isComputed() && d < rank(); ++d) {
      box.first[size_t(d)] -= below[d];
      box.count[size_t(d)] += below[d] + above[d];
    }
    return box;
  }

  /// Whole cache lines; an odd number of them for planes, because planes that
  /// are a power of two apart share sets of a cache.
  int64_t padded(int64_t elements, bool isPlane) const {
    const int64_t line = lineBytes / elementBytes();
    int64_t lines = (elements + line - 1) / line;
    if (isPlane && lines % 2 == 0)
      ++lines;
    return lines * line;
  }

  /// Halves a block along its longest dim; false if it is too small.
  bool halve(const Sites &sites, Sites &low, Sites &high) const {
    int longest = 0;
    for (int d = 1; d < dims; ++d)
      if (sites.count(d) >= sites.count(longest))
        longest = d;
    if (sites.count(longest) < 2 * (isComputed() ? 1 : leastBlock))
      return false;
    low = high = sites;
    const int64_t middle = sites.begin(longest) + sites.count(longest) / 2;
    low.range[2 * size_t(longest) + 1] = middle;
    high.range[2 * size_t(longest)] = middle;
    return true;
  }

  /// Appends blocks of the sites with their boxes; false if one has none.
  bool cut(const Sites &sites,
           std::vector<std::pair<Sites, Box>> &blocks) const {
    Box box;
    if (findBox(sites, box)) {
      blocks.emplace_back(sites, box);
      return true;
    }
    Sites low, high;
    return halve(sites, low, high) && cut(low, blocks) && cut(high, blocks);
  }

  /// Reads for the sites of a column, which has all along the last dim.
  void column(Sites sites, char *memory,
              std::vector<std::pair<Sites, Box>> &blocks) const {
    blocks.clear();
    const int64_t length = extent[last()];
    bool isCut = true;
    for (int64_t z = 0; z < length && isCut; z += block[last()]) {
      sites.range[2 * size_t(last())] = z;
      sites.range[2 * size_t(last()) + 1] = std::min(length, z + block[last()]);
      isCut = cut(sites, blocks);
    }
    if (!isCut && isComputed())
      throw BadPosition();
    if (!isCut)
      return rows(sites);
    for (const auto &[part, box] : blocks) {
      if (meshes[0]->element == PMRT_F32)
        fillBox(box, reinterpret_cast<float *>(memory));
      else
        fillBox(box, reinterpret_cast<double *>(memory));
      bodies->block(args, part.range.data(), box.first.data(),
                    box.stride.data(), memory);
    }
  }

  template <typename Real> void fillBox(const Box &box, Real *to) const {
    if (!isComputed())
      return copy<Real>(box, 0, count, to);
    Real *source = to + (mostBoxBytes + behindBox) / int64_t(sizeof(Real));
    Box cells = around(box);
    place(cells, 1);
    for (int32_t m = 0; m < count; ++m)
      copy<Real>(cells, m, 1, source + m * cells.elements);
    compute(box, cells, source, to);
  }

  /// Computes the box from the meshes' cells.
  template <typename Real>
  void compute(const Box &box, const Box &cells, const Real *source,
               Real *to) const {
    const auto inner = size_t(rank() - 1);
    std::array<int64_t, PMRT_MAX_RANK + 1> stride{};
    std::copy_n(cells.stride.data(), rank(), stride.data());
    stride[size_t(rank())] = cells.elements;
    forRows(box, [&](const std::array<int64_t, PMRT_MAX_RANK> &at) {
      int64_t place = 0, cell = below[inner];
      for (size_t d = 0; d < inner; ++d) {
        place += at[d] * box.stride[d];
        cell += (at[d] + below[d]) * cells.stride[d];
      }
      bodies->fill(args, box.count[inner], stride.data(), source + cell,
                   to + place);
    });
  }

  /// Calls `row` for every row of the box, counted from its first one.
  template <typename Row> void forRows(const Box &box, const Row &row) const {
    const int inner = rank() - 1;
    std::array<int64_t, PMRT_MAX_RANK> at{};
    while (true) {
      row(at);
      int d = inner - 1;
      for (; d >= 0; --d) {
        if (++at[size_t(d)] < box.count[size_t(d)])
          break;
        at[size_t(d)] = 0;
      }
      if (d < 0)
        return;
    }
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
  void copy(const Box &box, int32_t m, int32_t some, Real *to) const {
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
    forRows(box, [&](const std::array<int64_t, PMRT_MAX_RANK> &at) {
      const size_t slot = take();
      places[slot] = 0;
      for (size_t d = 0; d + 1 < size_t(rank()); ++d)
        places[slot] += at[d] * box.stride[d];
      for (int32_t i = 0; i < some; ++i) {
        ahead[slot][size_t(i)] = findRow<Real>(m + i, box, at);
        prefetchRow(box, ahead[slot][size_t(i)]);
      }
    });
    for (int64_t left = std::min(row, rowsAhead); left > 0; --left) {
      row = std::max(row, rowsAhead);
      take();
    }
  }

  /// Cells of a row from the first one on, in parts that do not wrap around:
  /// calls `part` with the cell in the mesh's row, the cell in the box, and how
  /// many there are.
  template <typename Part>
  void forParts(const Box &box, const Part &part) const {
    const auto z = size_t(rank() - 1);
    const pmrt_halo *view = halos && !halos[0]->whole ? halos[0] : nullptr;
    int64_t cell = wrap(box.first[z] - (view ? view->origin[z] : 0), cells[z]);
    for (int64_t i = 0; i < box.count[z];) {
      const int64_t size = std::min(box.count[z] - i, cells[z] - cell);
      part(cell, i, size);
      i += size;
      cell = 0;
    }
  }

  template <typename Real>
  void prefetchRow(const Box &box, const Real *from) const {
    forParts(box, [&](int64_t cell, int64_t, int64_t size) {
      for (int64_t c = 0; c < size; c += lineBytes / int64_t(sizeof(Real)))
        __builtin_prefetch(from + cell + c);
    });
  }

  static int64_t wrap(int64_t cell, int64_t cells) {
    const int64_t rest = cell % cells;
    return rest < 0 ? rest + cells : rest;
  }

  /// Where the row of mesh m begins at these cells of the box: cell 0 of the
  /// mesh, or the first one of a view.
  template <typename Real>
  const Real *findRow(int32_t m, const Box &box,
                      const std::array<int64_t, PMRT_MAX_RANK> &at) const {
    const pmrt_halo *view = halos ? halos[m] : nullptr;
    const bool isWhole = !view || view->whole;
    int64_t row = 0;
    for (int d = 0; d + 1 < rank(); ++d) {
      const auto i = size_t(d);
      const int64_t cell = wrap(
          box.first[i] + at[i] - (isWhole ? 0 : view->origin[d]), cells[i]);
      row = isWhole ? row * cells[i] + cell : row + cell * view->stride[d];
    }
    if (!isWhole)
      return static_cast<const Real *>(view->rows[row]);
    return static_cast<const Real *>(meshes[m]->data) + row * cells.back();
  }

  template <typename Real>
  void copyRow(const Box &box, const std::array<const Real *, mostLanes> &from,
               int32_t some, Real *to) const {
    const auto lanes = int64_t(std::bit_ceil(uint32_t(some)));
    forParts(box, [&](int64_t cell, int64_t i, int64_t size) {
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
  if (elements <= 0)
    return;
  if (!bodies->fill)
    fields = count;
  if (fields > mostLanes || dims < 2)
    throw ctx->failure(loc, fmt::format("internal error: blocks of {} dims and "
                                        "{} meshes, expected at least 2 and at "
                                        "most {}",
                                        dims, fields, mostLanes));
  Reading reading{ctx,   bodies, args,  dims,   extent, block, support,
                  count, meshes, halos, fields, below,  above, {}};
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
      std::vector<std::pair<Sites, Box>> blocks;
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
}
