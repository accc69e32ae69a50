//===- Scatter.cpp - Parallel paint without atomics -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbors on the lattice stay neighbors: the lattice is cut into tiles over
// its first two dims, and the particles of a tile touch a box of mesh cells.
// Tiles whose boxes do not meet are painted at the same time.
//
// When the displacements are too wide for enough such tiles, or there is no
// lattice: if the mesh is small beside the particles, each of a fixed number of
// strips of them is painted on a copy of the mesh; else particles are sorted by
// the mesh planes they start at, a batch at a time, and planes are grouped into
// blocks of two colours.
//
// Either way the order of the additions to a cell depends on the positions and
// the shapes only.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Reduce.h"
#include "runtime/Core/LatticeTiles.h"
#include "runtime/Core/Op.h"
#include "runtime/Particles/Blocks.h"
#include "runtime/Particles/CachedPaint.h"
#include "runtime/Particles/KeySort.h"

#include "pmrt/particles.h"

#include <array>
#include <atomic>
#include <cstring>

using namespace pmrt;

namespace {

/// Tiles that can be painted at the same time, on average, below which sorting
/// is better. Not the number of threads: the result must not depend on it.
constexpr int64_t enoughTiles = 3;
/// Most groups of bins.
constexpr int64_t mostGroups = 64;
/// Copies of the meshes. With fewer, sorting is better: threads would wait. So
/// many that what is painted lies evenly, as every copy takes rows from all
/// over.
constexpr int64_t leastCopies = 4, mostCopies = 64, stripsACopy = 16;

/// Particles whose f32 weights may be added one after the other in one cell.
/// The sum of so many equal weights is off by at most 3 %, of others by much
/// less, because their rounding errors have different signs.
constexpr double mostSummed = 1 << 20;

struct Scatter {
  pmrt_context *ctx;
  pmrt_loc loc;
  const pmrt_scatter_bodies *bodies;
  void *args;
  int32_t count;
  const pmrt_array *const *meshes;
  int64_t rows0, rows1, rowParticles;
  int64_t first0, first1; ///< global indices of the lattice's first rows

  int64_t particles() const { return rows0 * rows1 * rowParticles; }

  /// Cuts the lattice into `tiles`, `tiles0` of them along its first dim, and
  /// measures what each touches. False if a position is not finite.
  bool measure(std::vector<LatticeTile> &tiles, int64_t tiles0,
               const int64_t cells[2], int64_t support, const double ratio[2],
               const CachedPaint *cached,
               std::vector<CachedPaint::Part> &parts) const {
    const int64_t tiles1 = int64_t(tiles.size()) / tiles0;
    std::atomic<bool> bad = false;
    ctx->threads.forRange(tiles0 * tiles1, [&](int64_t from, int64_t to) {
      for (int64_t t = from; t < to; ++t) {
        const int64_t t0 = t / tiles1, t1 = t % tiles1;
        LatticeTile &tile = tiles[size_t(t)];
        tile.begin0 = t0 * rows0 / tiles0;
        tile.end0 = (t0 + 1) * rows0 / tiles0;
        tile.begin1 = t1 * rows1 / tiles1;
        tile.end1 = (t1 + 1) * rows1 / tiles1;
        if (cached) {
          CachedPaint::Part &part = parts[size_t(t)];
          part = cached->cut(tile.begin0, tile.end0, tile.begin1, tile.end1);
          if (!part.isFinite)
            bad.store(true, std::memory_order_relaxed);
          for (size_t d = 0; d < 2; ++d) {
            const auto [low, high] =
                cached->touched(d, part.limits[2 * d], part.limits[2 * d + 1]);
            tile.touched[d] = wrap(low, high, cells[d]);
          }
          continue;
        }
        const Bounds bounds = boundsOf(tile);
        if (std::isnan(bounds[4]))
          bad.store(true, std::memory_order_relaxed);
        // Nothing there is painted.
        if (std::isinf(bounds[0]))
          continue;
        const int64_t first[2] = {first0 + tile.begin0, first1 + tile.begin1};
        const int64_t last[2] = {first0 + tile.end0 - 1,
                                 first1 + tile.end1 - 1};
        for (int d = 0; d < 2; ++d) {
          // Between two sites of a lattice that is not aligned with the mesh,
          // rounding may go either way.
          const double r = ratio[d], slack = r == std::floor(r) ? 0 : 1;
          tile.touched[d] =
              wrap(std::floor(double(first[d]) * r) + bounds[2 * d] - slack,
                   std::floor(double(last[d]) * r) - bounds[2 * d + 1] + slack +
                       double(support - 1),
                   cells[d]);
        }
      }
    });
    return !bad;
  }

  using Bounds = std::array<double, 5>;

  Bounds boundsOf(const LatticeTile &tile) const {
    Bounds all;
    all.fill(neutral(PMRT_MIN));
    auto add = [&](int64_t begin, int64_t end) {
      Bounds some;
      some.fill(neutral(PMRT_MIN));
      bodies->bounds(args, begin, end, some.data());
      for (size_t i = 0; i < all.size(); ++i)
        all[i] = combine(PMRT_MIN, all[i], some[i]);
    };
    if (tile.begin1 == 0 && tile.end1 == rows1)
      add(tile.begin0 * rows1, tile.end0 * rows1);
    else
      for (int64_t row = tile.begin0; row < tile.end0; ++row)
        add(row * rows1 + tile.begin1, row * rows1 + tile.end1);
    return all;
  }

  /// Whether the particles of a tile are in much fewer columns of cells than on
  /// the lattice.
  bool collapses(const std::vector<LatticeTile> &tiles,
                 const double ratio[2]) const {
    constexpr double many = 64;
    return std::ranges::any_of(tiles, [&](const LatticeTile &tile) {
      const double columns = double(tile.end0 - tile.begin0) * ratio[0] *
                             double(tile.end1 - tile.begin1) * ratio[1];
      const auto touched =
          double(tile.touched[0].length * tile.touched[1].length);
      return touched > 0 && columns > many * touched;
    });
  }

  void tiled(const std::vector<LatticeTile> &tiles,
             const std::vector<std::vector<int32_t>> &groups) const {
    for (const std::vector<int32_t> &group : groups) {
      checkInterrupt();
      ctx->threads.forEach(int64_t(group.size()), [&](int64_t i) {
        const LatticeTile &tile = tiles[size_t(group[size_t(i)])];
        bodies->block(args, tile.begin0, tile.end0, tile.begin1, tile.end1);
      });
    }
  }

  /// The same where particles are painted in copies of boxes of cells.
  void tiled(const std::vector<LatticeTile> &tiles,
             const std::vector<std::vector<int32_t>> &groups,
             const CachedPaint &cached,
             const std::vector<CachedPaint::Part> &parts) const {
    const int threads = ctx->threads.count();
    const int64_t room = cached.roomBytes();
    if (ctx->blockWorkspace.size() < threads * room)
      ctx->blockWorkspace = Pages(threads * room);
    ctx->threads.forRange(threads, [&](int64_t from, int64_t to) {
      for (int64_t t = from; t < to; ++t)
        cached.clear(parts, ctx->blockWorkspace.data() + t * room);
    });
    for (const std::vector<int32_t> &group : groups) {
      checkInterrupt();
      std::atomic<size_t> next = 0;
      std::atomic<int> slot = 0;
      ctx->threads.forRange(threads, [&](int64_t, int64_t) {
        char *memory = ctx->blockWorkspace.data() + slot++ * room;
        for (size_t i; (i = next.fetch_add(1)) < group.size();) {
          const auto t = size_t(group[i]);
          if (parts[t].fits)
            cached.paint(parts[t], memory);
          else
            bodies->block(args, tiles[t].begin0, tiles[t].end0, tiles[t].begin1,
                          tiles[t].end1);
        }
      });
    }
  }

  /// The memory of a batch.
  struct Sorting {
    const SortWorkspace &workspace;
    const Blocks &groups; ///< of bins
    int64_t *counts;
    int64_t *sorted; ///< particles
    int32_t *plane;  ///< of each particle
    int32_t *order;  ///< particles by cell blocks; null if there are none
  };

  /// Particles of rows [begin, end) in the order of their cell blocks, counted
  /// from the first; null if there are no cell blocks. Planes are not in use
  /// yet.
  const int32_t *sortCellBlocks(int64_t begin, int64_t end,
                                const Sorting &memory) const {
    if (!memory.order)
      return nullptr;
    forBatch(begin, end, bodies->cell_blocks, memory.plane);
    if (!sortByCellBlock(ctx->threads, (end - begin) * rowParticles,
                         memory.plane, memory.counts, memory.order,
                         reinterpret_cast<int32_t *>(memory.sorted)))
      throw ctx->failure(
          loc, "internal error: a particle's cell block is out of range");
    return memory.order;
  }

  /// Calls a body that says something of each particle of rows [begin, end).
  template <typename Body>
  void forBatch(int64_t begin, int64_t end, Body body, int32_t *values) const {
    // The body indexes by the particle; the array begins at the batch.
    auto *origin = reinterpret_cast<int32_t *>(
        reinterpret_cast<uintptr_t>(values) -
        uintptr_t(begin * rowParticles) * sizeof(int32_t));
    ctx->threads.forRange(end - begin, [&](int64_t from, int64_t to) {
      body(args, begin + from, begin + to, origin);
    });
  }

  /// Sorts and deposits the particles of rows [begin, end).
  void batch(int64_t begin, int64_t end, const Sorting &memory) const {
    const Bins &bins = memory.workspace.bins;
    const Blocks &groups = memory.groups;
    int64_t *sorted = memory.sorted;
    const int64_t firstParticle = begin * rowParticles;
    const int64_t size = (end - begin) * rowParticles;
    const int32_t *order = sortCellBlocks(begin, end, memory);
    forBatch(begin, end, bodies->planes, memory.plane);
    std::atomic<bool> outside = false;
    ctx->threads.forRange(size, [&](int64_t from, int64_t to) {
      for (int64_t p = from; p < to; ++p)
        if (memory.plane[p] < -1 || memory.plane[p] >= bins.planes)
          outside.store(true, std::memory_order_relaxed);
    });
    if (outside)
      throw ctx->failure(loc, fmt::format("internal error: a particle's first "
                                          "plane is outside of [0, {})",
                                          bins.planes));
    const auto at = [=](int64_t i) { return order ? int64_t(order[i]) : i; };
    sortByKey(
        ctx->threads, size, bins.count(), memory.counts,
        [&](int64_t i) {
          const int64_t plane = memory.plane[at(i)];
          return plane < 0 ? -1 : bins.of(plane);
        },
        [&](int64_t slot, int64_t i) { sorted[slot] = firstParticle + at(i); });
    for (int64_t c = 0; c < groups.colours(); ++c)
      ctx->threads.forEach(groups.parallel(), [&](int64_t i) {
        const int64_t g = i * groups.colours() + c;
        const int64_t from = firstSlot(memory.counts, groups.begin(g));
        const int64_t to = firstSlot(memory.counts, groups.end(g));
        if (to > from)
          bodies->list(args, sorted + from, to - from);
      });
  }

  /// Cells of a mesh.
  int64_t cells() const { return ctx->elements(loc, *meshes[0]); }

  /// How many copies of the meshes fit into the memory for sorting, without
  /// being more work to clear and to add up than the particles.
  int64_t copies(int64_t workspace) const {
    const int64_t all = cells() * count;
    const int64_t each = all * int64_t(sizeof(double));
    return each == 0 ? 0
                     : std::min({mostCopies, rows0 * rows1, workspace / each,
                                 particles() / all});
  }

  /// Paints on so many copies. Their cells are f64, because a cell of a small
  /// mesh may get so many particles that f32 loses their weights. False if a
  /// position is not finite.
  bool copied(int64_t copies, double *sums) const {
    const int64_t rows = rows0 * rows1, strips = copies * stripsACopy;
    const int64_t each = cells() * count;
    std::atomic<bool> bad = false;
    ctx->threads.forEach(copies, [&](int64_t copy) {
      double *own = sums + copy * each;
      std::fill_n(own, each, 0);
      double test = neutral(PMRT_MIN);
      for (int64_t strip = copy; strip < strips; strip += copies)
        bodies->copy(args, strip * rows / strips, (strip + 1) * rows / strips,
                     own, &test);
      if (std::isnan(test))
        bad.store(true, std::memory_order_relaxed);
    });
    if (meshes[0]->element == PMRT_F32)
      addUp<float>(sums, copies);
    else
      addUp<double>(sums, copies);
    return !bad;
  }

  /// Adds the copies to the meshes, whose elements are rounded once.
  template <typename Real>
  void addUp(const double *memory, int64_t copies) const {
    constexpr int64_t chunk = 512;
    const int64_t n = cells(), all = n * count;
    for (int32_t m = 0; m < count; ++m) {
      auto *mesh = static_cast<Real *>(meshes[m]->data);
      const double *first = memory + m * n;
      ctx->threads.forRange(n, [&](int64_t from, int64_t to) {
        for (int64_t begin = from; begin < to; begin += chunk) {
          const int64_t size = std::min(chunk, to - begin);
          std::array<double, chunk> sums;
          std::copy_n(mesh + begin, size, sums.data());
          for (int64_t copy = 0; copy < copies; ++copy)
            for (int64_t i = 0; i < size; ++i)
              sums[size_t(i)] += first[copy * all + begin + i];
          for (int64_t i = 0; i < size; ++i)
            mesh[begin + i] = Real(sums[size_t(i)]);
        }
      });
    }
  }

  /// Where there are no tiles. `planes` of what this rank sees; `isWhole`: it
  /// has all of the meshes. False if a position is not finite: on a lattice,
  /// all have been looked at.
  bool anywhere(int64_t planes, int64_t support, bool isWhole,
                bool isLattice) const {
    const SortWorkspace workspace(rows0 * rows1, rowParticles, planes,
                                  bodies->cell_blocks);
    // Of the plan; who says nothing of his paints takes it here.
    if (ctx->sortWorkspace.size() < workspace.bytes())
      ctx->sortWorkspace = Pages(workspace.bytes());
    const int64_t most =
        isWhole && bodies->copy ? copies(workspace.bytes()) : 0;
    if (most >= leastCopies)
      return copied(most,
                    reinterpret_cast<double *>(ctx->sortWorkspace.data()));
    if (!isLattice && !finite())
      return false;
    binned(workspace, support);
    return !isConcentrated() || summedInF64(isWhole);
  }

  /// Whether a cell may be the sum of so many weights that f32 has lost some.
  /// This holds for the mean weight, and so also for the number of weights that
  /// matter, (sum |w|)^2 / sum w^2, which is at most the number of particles.
  bool isConcentrated() const {
    if (meshes[0]->element != PMRT_F32 || double(particles()) < mostSummed)
      return false;
    for (int32_t m = 0; m < count; ++m) {
      const auto *mesh = static_cast<const float *>(meshes[m]->data);
      double largest = 0, all = 0;
      reduce(
          ctx->threads, cells(), 1, PMRT_MAX,
          [=](int64_t from, int64_t to, double *partial) {
            for (int64_t i = from; i < to; ++i)
              partial[0] = std::max(partial[0], double(std::abs(mesh[i])));
          },
          &largest);
      reduce(
          ctx->threads, cells(), 1, PMRT_SUM,
          [=](int64_t from, int64_t to, double *partial) {
            for (int64_t i = from; i < to; ++i)
              partial[0] += double(std::abs(mesh[i]));
          },
          &all);
      if (largest * double(particles()) > mostSummed * all)
        return true;
    }
    return false;
  }

  /// Paints once more, on copies in f64. Only a whole mesh can be copied.
  bool summedInF64(bool isWhole) const {
    const auto failure = [&](const char *why) {
      return ctx->failure(
          loc, fmt::format("[PM9104] paint: a cell sums the weights of more "
                           "than {} particles, "
                           "the limit in f32{}; compile with --precision=f64",
                           mostSummed, why));
    };
    if (!isWhole || !bodies->copy)
      throw failure(" on a mesh that ranks share");
    constexpr int64_t affordable = int64_t(100) << 20;
    const int64_t each = cells() * count * int64_t(sizeof(double));
    const int64_t most = std::clamp<int64_t>(affordable / each, 1, leastCopies);
    if (ctx->placement().total + ctx->borrowedBytes() + most * each >
        ctx->memoryLimit())
      throw failure(", because f64 copies of the mesh exceed the memory limit");
    for (int32_t m = 0; m < count; ++m)
      std::fill_n(static_cast<float *>(meshes[m]->data), cells(), 0.0f);
    const Pages memory(most * each);
    return copied(most, reinterpret_cast<double *>(memory.data()));
  }

  bool finite() const {
    double bounds[5];
    reduce(
        ctx->threads, rows0 * rows1, 5, PMRT_MIN,
        [=, this](int64_t begin, int64_t end, double *partial) {
          bodies->bounds(args, begin, end, partial);
        },
        bounds);
    return !std::isnan(bounds[4]);
  }

  void binned(const SortWorkspace &workspace, int64_t support) const {
    const int64_t rows = rows0 * rows1;
    // A particle of a group touches support - 1 planes beyond the group.
    const int64_t beyond = std::max<int64_t>(support - 1, 1);
    const Blocks groups =
        cut(workspace.bins.count(),
            (beyond + workspace.bins.width() - 1) / workspace.bins.width(),
            mostGroups);
    auto *counts = reinterpret_cast<int64_t *>(ctx->sortWorkspace.data());
    int64_t *sorted = counts + workspace.counters();
    auto *plane = reinterpret_cast<int32_t *>(sorted + workspace.particles);
    const Sorting memory{
        workspace,
        groups,
        counts,
        sorted,
        plane,
        workspace.hasCellBlocks ? plane + workspace.particles : nullptr};
    for (int64_t begin = 0; begin < rows; begin += workspace.batch) {
      checkInterrupt();
      batch(begin, std::min(rows, begin + workspace.batch), memory);
    }
  }
};

} // namespace

/// The mesh has `shape` cells over all ranks, `planes` of them along dim 0 in
/// what this rank sees.
static void scatterTo(const Scatter &scatter, const char *name,
                      const std::vector<int64_t> &shape, int64_t planes,
                      bool isWhole, int64_t bytes, int32_t support,
                      const double *ratio, int32_t lattice) {
  pmrt_context *ctx = scatter.ctx;
  const pmrt_loc loc = scatter.loc;
  Op op(*ctx, loc, name, bytes);
  const pmrt_scatter_blocks *blocks = scatter.bodies->blocks;
  SharedBoxes *boxes = blocks ? findBoxes(*ctx, blocks->boxes, blocks->dims,
                                          blocks->extent, blocks->sites)
                              : nullptr;
  if (scatter.particles() <= 0)
    return;
  if (shape.empty() || planes == 0)
    throw ctx->failure(loc, "internal error: paint onto an empty mesh");

  const auto notFinite = [&] {
    return ctx->failure(loc, "[PM9103] position is not finite, or too large");
  };
  const auto anywhere = [&] {
    if (!scatter.anywhere(planes, support, isWhole, lattice))
      throw notFinite();
  };
  if (!lattice)
    return anywhere();

  // The mesh may have one dim only.
  const bool two = shape.size() > 1;
  const int64_t cells[2] = {shape[0], two ? shape[1] : 1};
  const double ratios[2] = {ratio[0], two ? ratio[1] : 1};
  if (blocks && blocks->stencil &&
      (!two || scatter.count > blocks->fields ||
       blocks->fields > CachedPaint::mostMeshes))
    throw ctx->failure(
        loc,
        fmt::format("internal error: a stencil of {} fields and {} "
                    "meshes, expected at most {} fields, and not more "
                    "meshes",
                    blocks->fields, scatter.count, CachedPaint::mostMeshes));
  std::optional<CachedPaint> cached;
  if (blocks && scatter.count <= CachedPaint::mostMeshes)
    cached.emplace(*blocks, scatter.args, scatter.count, scatter.meshes, shape,
                   boxes);
  const bool hasStencil = cached && cached->hasStencil();
  std::vector<LatticeTile> tiles;
  std::vector<CachedPaint::Part> parts;
  std::vector<std::vector<int32_t>> groups;
  // Tiles of whole blocks first. Particles far from their lattice need smaller
  // ones, as few large tiles can be painted at the same time.
  for (const bool byBlocks : {true, false}) {
    if (byBlocks && !cached)
      continue;
    const auto tilesOf = [&](size_t d, int64_t rows) {
      return byBlocks ? tilesAlong(rows, blocks->sites[d]) : tilesAlong(rows);
    };
    const int64_t tiles0 = tilesOf(0, scatter.rows0);
    tiles.assign(size_t(tiles0 * (two ? tilesOf(1, scatter.rows1) : 1)), {});
    parts.assign(cached ? tiles.size() : 0, {});
    if (!scatter.measure(tiles, tiles0, cells, support, ratios,
                         cached ? &*cached : nullptr, parts))
      throw notFinite();
    if (!hasStencil && areFew(scatter.particles()))
      return scatter.bodies->block(scatter.args, 0, scatter.rows0, 0,
                                   scatter.rows1);
    groups = colour(tiles, cells);
    const bool enough = tiles.size() >= size_t(enoughTiles) * groups.size();
    if (hasStencil || enough)
      break;
    if (!byBlocks)
      return anywhere();
  }
  if (cached)
    scatter.tiled(tiles, groups, *cached, parts);
  else
    scatter.tiled(tiles, groups);
  // The boxes of a stencil have sums of few particles.
  if (hasStencil)
    return;
  if (scatter.collapses(tiles, ratios) && scatter.isConcentrated() &&
      !scatter.summedInF64(isWhole))
    throw notFinite();
}

/// Positions are read twice; the mesh is read and written.
static int64_t traffic(const Scatter &scatter, int64_t cells) {
  const pmrt_array &mesh = *scatter.meshes[0];
  return 2 * elementSize(pmrt_element(mesh.element)) *
         (cells * scatter.count + scatter.particles() * int64_t(mesh.rank));
}

void pmrt_scatter(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                  const char *name, const pmrt_scatter_bodies *bodies,
                  void *args, int32_t count, const pmrt_array *const *meshes,
                  int64_t rows0, int64_t rows1, int64_t row_particles,
                  int32_t support, const double *ratio, int32_t lattice) {
  const pmrt_array *mesh = meshes[0];
  const std::vector<int64_t> shape = ctx->shape(loc, *mesh);
  const int64_t cells = ctx->elements(loc, *mesh);
  for (int32_t d = 0; d < mesh->rank; ++d) {
    const Dim &dim = ctx->program.dims[size_t(mesh->dims[d])];
    if (const int64_t parts = ctx->mesh.parts(dim); parts > 1)
      throw ctx->failure(loc, fmt::format("internal error: paint without a "
                                          "halo onto dim '{}', which {} ranks "
                                          "share",
                                          dim.name, parts));
  }
  const Scatter scatter{ctx,   loc,   bodies,        args, count, meshes,
                        rows0, rows1, row_particles, 0,    0};
  scatterTo(scatter, name, shape, cells ? shape[0] : 0, /*isWhole=*/true,
            traffic(scatter, cells), support, ratio, lattice);
}

void pmrt_scatter_halo(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                       const char *name, const pmrt_scatter_bodies *bodies,
                       void *args, int32_t count,
                       const pmrt_array *const *meshes, const pmrt_halo *view,
                       const int64_t *first, int64_t rows0, int64_t rows1,
                       int64_t row_particles, int32_t support,
                       const double *ratio, int32_t lattice) {
  // Tiles that touch the same cell of the box touch the same cell of the view.
  const std::vector<int64_t> shape(view->cells, view->cells + view->rank);
  int64_t cells = 1;
  for (int32_t d = 0; d < view->rank; ++d)
    cells *= view->extent[d];
  const Scatter scatter{ctx,   loc,   bodies,        args,     count,   meshes,
                        rows0, rows1, row_particles, first[0], first[1]};
  scatterTo(scatter, name, shape, cells ? view->extent[0] : 0, view->whole,
            traffic(scatter, cells), support, ratio, lattice);
}
