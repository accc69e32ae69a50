//===- Scatter.cpp - Parallel paint without atomics -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Particles sit near their lattice sites, so the lattice is cut into blocks
// over its first two dims. Blocks are wider than the spread of displacements;
// four colours (two a dim) make blocks of one colour touch different cells.
//
// When the displacements are too wide for enough blocks, or there is no
// lattice, particles are sorted by the mesh plane they start at, a batch at a
// time, and planes are grouped into blocks of two colours.
//
// Either way the order of the additions to a cell depends on the positions and
// the shapes only.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Blocks.h"
#include "runtime/Core/Op.h"
#include "runtime/Core/Reduce.h"

#include <atomic>
#include <utility>

using namespace pmrt;

namespace {

/// Most blocks along a lattice dim: enough for hundreds of threads.
constexpr int64_t mostBlocks = 32;
/// Blocks of one colour below which sorting is better. Not the number of
/// threads: the result must not depend on it.
constexpr int64_t enoughBlocks = 4;
/// So few particles are painted in one go.
constexpr int64_t fewParticles = 4096;
/// Particles sorted at a time; 12 bytes each.
constexpr int64_t batchParticles = int64_t(1) << 21;
/// Pieces of a batch that are counted independently.
constexpr int64_t sortPieces = 32;
/// Most groups of mesh planes.
constexpr int64_t mostGroups = 64;

struct Scatter {
  pmrt_context *ctx;
  pmrt_loc loc;
  const pmrt_scatter_bodies *bodies;
  void *args;
  int64_t rows0, rows1, rowParticles;

  int64_t particles() const { return rows0 * rows1 * rowParticles; }

  void colouredBlocks(const Blocks &first, const Blocks &second) const {
    for (int64_t c0 = 0; c0 < first.colours(); ++c0)
      for (int64_t c1 = 0; c1 < second.colours(); ++c1) {
        checkInterrupt();
        const int64_t p0 = first.parallel(), p1 = second.parallel();
        ctx->threads.forEach(p0 * p1, [&](int64_t i) {
          const int64_t b0 = i / p1 * first.colours() + c0;
          const int64_t b1 = i % p1 * second.colours() + c1;
          bodies->block(args, first.begin(b0), first.end(b0), second.begin(b1),
                        second.end(b1));
        });
      }
  }

  /// Sorts and deposits the particles of rows [begin, end).
  void batch(int64_t begin, int64_t end, int64_t planes, const Blocks &groups,
             std::vector<int32_t> &plane, std::vector<int64_t> &sorted,
             std::vector<int64_t> &counts) const {
    const int64_t firstParticle = begin * rowParticles;
    const int64_t size = (end - begin) * rowParticles;
    plane.resize(size_t(size));
    sorted.resize(size_t(size));
    // The body indexes by the particle; the array begins at the batch.
    auto *origin =
        reinterpret_cast<int32_t *>(reinterpret_cast<uintptr_t>(plane.data()) -
                                    uintptr_t(firstParticle) * sizeof(int32_t));
    ctx->threads.forRange(end - begin, [&](int64_t from, int64_t to) {
      bodies->planes(args, begin + from, begin + to, origin);
    });

    // A stable counting sort. counts[plane][piece], then where they begin.
    counts.assign(size_t(planes * sortPieces + 1), 0);
    std::atomic<bool> outside = false;
    ctx->threads.forRange(sortPieces, [&](int64_t from, int64_t to) {
      for (int64_t piece = from; piece < to; ++piece)
        for (int64_t i = piece * size / sortPieces,
                     stop = (piece + 1) * size / sortPieces;
             i < stop; ++i) {
          const int64_t p = plane[size_t(i)];
          if (p < 0 || p >= planes)
            outside.store(true, std::memory_order_relaxed);
          else
            ++counts[size_t(p * sortPieces + piece)];
        }
    });
    if (outside)
      throw ctx->failure(loc, fmt::format("internal error: a particle's first "
                                          "plane is outside of [0, {})",
                                          planes));
    int64_t sum = 0;
    for (int64_t &count : counts)
      sum += std::exchange(count, sum);
    std::vector<int64_t> starts;
    for (int64_t g = 0; g <= groups.count; ++g)
      starts.push_back(counts[size_t(groups.begin(g) * sortPieces)]);
    ctx->threads.forRange(sortPieces, [&](int64_t from, int64_t to) {
      for (int64_t piece = from; piece < to; ++piece)
        for (int64_t i = piece * size / sortPieces,
                     stop = (piece + 1) * size / sortPieces;
             i < stop; ++i) {
          const int64_t p = plane[size_t(i)];
          sorted[size_t(counts[size_t(p * sortPieces + piece)]++)] =
              firstParticle + i;
        }
    });
    for (int64_t c = 0; c < groups.colours(); ++c)
      ctx->threads.forEach(groups.parallel(), [&](int64_t i) {
        const auto g = size_t(i * groups.colours() + c);
        if (starts[g + 1] > starts[g])
          bodies->list(args, sorted.data() + starts[g],
                       starts[g + 1] - starts[g]);
      });
  }

  void binned(int64_t planes, int64_t support) const {
    // A particle of a group touches support - 1 planes beyond the group.
    const Blocks groups =
        cut(planes, std::max<int64_t>(support - 1, 1), mostGroups);
    const int64_t rows = rows0 * rows1;
    const int64_t batchRows = std::max<int64_t>(
        1, batchParticles / std::max<int64_t>(1, rowParticles));
    std::vector<int32_t> plane;
    std::vector<int64_t> sorted, counts;
    for (int64_t begin = 0; begin < rows; begin += batchRows) {
      checkInterrupt();
      batch(begin, std::min(rows, begin + batchRows), planes, groups, plane,
            sorted, counts);
    }
  }
};

} // namespace

void pmrt_scatter(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                  const char *name, const pmrt_scatter_bodies *bodies,
                  void *args, const pmrt_array *mesh, int64_t rows0,
                  int64_t rows1, int64_t row_particles, int32_t support,
                  const double *ratio, int32_t lattice) {
  const std::vector<int64_t> shape = ctx->shape(loc, *mesh);
  const int64_t element = elementSize(pmrt_element(mesh->element));
  int64_t cells = 1;
  for (int64_t extent : shape)
    cells *= extent;
  const Scatter scatter{ctx, loc, bodies, args, rows0, rows1, row_particles};
  // Positions are read twice; the mesh is read and written.
  Op op(*ctx, loc, name,
        2 * element * (cells + scatter.particles() * int64_t(shape.size())));
  if (scatter.particles() <= 0)
    return;
  if (shape.empty() || cells == 0)
    throw ctx->failure(loc, "internal error: paint onto an empty mesh");

  double bounds[5];
  reduce(
      ctx->threads, rows0 * rows1, 5, PMRT_MIN,
      [=](int64_t begin, int64_t end, double *partial) {
        bodies->bounds(args, begin, end, partial);
      },
      bounds);
  if (std::isnan(bounds[4]))
    throw ctx->failure(loc, "position is not finite");

  const Blocks whole0{rows0, 1}, whole1{rows1, 1};
  if (lattice) {
    auto blocksAlong = [&](int d, int64_t rows) {
      if (size_t(d) >= shape.size() || rows < 4)
        return Blocks{rows, 1};
      const int64_t width =
          separatingWidth(bounds[2 * d], -bounds[2 * d + 1], support, ratio[d]);
      // Rows that go around the mesh more than once would meet again.
      if (double(rows) * ratio[d] > double(shape[size_t(d)]) * (1 + 1e-12))
        return Blocks{rows, 1};
      return cut(rows, width, mostBlocks);
    };
    const Blocks first = blocksAlong(0, rows0), second = blocksAlong(1, rows1);
    if (first.parallel() * second.parallel() >= enoughBlocks)
      return scatter.colouredBlocks(first, second);
    if (scatter.particles() <= fewParticles)
      return scatter.colouredBlocks(whole0, whole1);
  }
  scatter.binned(shape[0], support);
}
