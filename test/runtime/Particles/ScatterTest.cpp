//===- ScatterTest.cpp - Parallel paint -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Sorting/SortWorkspace.h"
#include "test/runtime/Particles/LatticePaint.h"

#include "pmrt/particles.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

using namespace pmrt;
using namespace pmrt::test;

namespace {

void copy(void *args, int64_t begin, int64_t end, double *memory,
          double *partial) {
  auto &p = *static_cast<Paint *>(args);
  double limits[5] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  bounds(args, begin, end, limits);
  if (std::isnan(limits[4]))
    *partial = NAN;
  else
    for (int64_t i = begin * p.l; i < end * p.l; ++i)
      p.deposit(i, memory);
}

/// Of 4 x 4 x 4 cells, as many as two digits of keys can tell apart.
void cellBlocks(void *args, int64_t begin, int64_t end, int32_t *cellBlock) {
  auto &p = *static_cast<Paint *>(args);
  const int64_t n = p.cells();
  const auto along = [&](int d, int64_t i) {
    return ((p.start(d, i) % n + n) % n) / 4;
  };
  for (int64_t i = begin * p.l; i < end * p.l; ++i)
    cellBlock[i] = int32_t(along(1, i) * 16384 + along(2, i));
}

constexpr pmrt_scatter_bodies withCopies = {bounds, block,   planes, list,
                                            copy,   nullptr, nullptr};
constexpr pmrt_scatter_bodies withCellBlocks = {
    bounds, block, planes, list, nullptr, cellBlocks, nullptr};

/// Knows the columns of cells that blocks are painting.
struct Watched : Paint {
  std::vector<std::atomic<int>> busy;
  std::atomic<bool> haveMet = false;

  Watched(int64_t l, int64_t ratio, int32_t support, double amplitude)
      : Paint(l, ratio, support, amplitude), busy(size_t(cells() * cells())) {}

  std::set<size_t> columns(int64_t b0, int64_t e0, int64_t b1,
                           int64_t e1) const {
    std::set<size_t> all;
    const int64_t n = cells();
    auto wrapped = [&](int64_t c) { return ((c % n) + n) % n; };
    for (int64_t row = b0; row < e0; ++row)
      for (int64_t i = (row * l + b1) * l; i < (row * l + e1) * l; ++i)
        for (int64_t x = 0; x < support; ++x)
          for (int64_t y = 0; y < support; ++y)
            all.insert(size_t(wrapped(start(0, i) + x) * n +
                              wrapped(start(1, i) + y)));
    return all;
  }
};

/// Long enough in a block that others run beside it.
void watchedBlock(void *args, int64_t b0, int64_t e0, int64_t b1, int64_t e1) {
  auto &p = *static_cast<Watched *>(static_cast<Paint *>(args));
  const std::set<size_t> columns = p.columns(b0, e0, b1, e1);
  for (size_t column : columns)
    if (p.busy[column].fetch_add(1))
      p.haveMet = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!p.haveMet)
    block(args, b0, e0, b1, e1);
  for (size_t column : columns)
    --p.busy[column];
}

constexpr pmrt_scatter_bodies watched = {bounds,  watchedBlock, planes, list,
                                         nullptr, nullptr,      nullptr};

} // namespace

TEST(Scatter, IsRightForEveryDisplacementAndWindow) {
  for (int64_t ratio : {1, 2})
    for (int32_t support : {1, 2, 3, 4})
      for (double amplitude : {0.0, 0.4, 1.5, 6.0, 40.0})
        for (bool lattice : {true, false}) {
          Paint p(24, ratio, support, amplitude);
          run(p, 2, lattice);
          SCOPED_TRACE(fmt::format("ratio {} support {} amplitude {} {}", ratio,
                                   support, amplitude, lattice));
          expectRight(p);
        }
}

TEST(Scatter, BlocksThatRunTogetherTouchNoCommonCells) {
  for (int64_t ratio : {1, 2})
    for (int32_t support : {1, 2, 4})
      for (double amplitude : {0.0, 0.4, 1.5}) {
        Watched p(24, ratio, support, amplitude);
        run(p, 4, true, watched);
        EXPECT_FALSE(p.haveMet) << "ratio " << ratio << ", support " << support
                                << ", amplitude " << amplitude;
        expectRight(p);
      }
}

TEST(Scatter, DoesNotDependOnThreads) {
  for (double amplitude : {0.4, 3.0, 30.0})
    for (bool lattice : {true, false}) {
      Paint one(30, 1, 2, amplitude), many = one;
      run(one, 1, lattice);
      run(many, 4, lattice);
      EXPECT_EQ(one.mesh, many.mesh); // bit for bit
    }
}

TEST(Scatter, OddAndTinyLattices) {
  for (int64_t l : {1, 2, 3, 5, 7, 17})
    for (int32_t support : {1, 2, 3, 4})
      for (bool lattice : {true, false}) {
        Paint p(l, 1, support, 0.7);
        run(p, 3, lattice);
        SCOPED_TRACE(fmt::format("l {} support {} {}", l, support, lattice));
        expectRight(p);
      }
}

TEST(Scatter, SeveralBatches) {
  // More particles than are sorted at a time.
  Paint p(136, 1, 2, 90.0);
  run(p, 2, false);
  double sum = 0, expected = 0;
  for (float x : p.mesh)
    sum += x;
  for (int64_t i = 0; i < p.l * p.l * p.l; ++i)
    expected += 8 * (1.0 + 1e-3 * double(i % 1009));
  EXPECT_NEAR(sum / expected, 1, 1e-5);
}

TEST(Scatter, CellBlocks) {
  Paint expected(24, 1, 2, 90.0);
  run(expected, 1, false);
  std::vector<float> first;
  for (int threads : {1, 2, 5}) {
    Paint p(24, 1, 2, 90.0);
    run(p, threads, false, withCellBlocks);
    expectRight(p);
    if (first.empty())
      first = p.mesh;
    // The order does not depend on the threads, but is another one.
    EXPECT_EQ(p.mesh, first);
    EXPECT_NE(p.mesh, expected.mesh);
  }
}

TEST(Scatter, MemoryForSortingIsBounded) {
  for (int64_t planes : {1, 3, 4096, 4097, 10000000}) {
    const SortWorkspace workspace(int64_t(1) << 40, 1, planes);
    SCOPED_TRACE(planes);
    EXPECT_LE(workspace.bytes(), int64_t(26) << 20);
    EXPECT_LT(workspace.bins.of(planes - 1), workspace.bins.count());
    EXPECT_EQ(workspace.bins.width() > 1, planes > 4096);
  }
  EXPECT_LE(SortWorkspace(int64_t(1) << 40, 1, 1 << 30, true).bytes(),
            int64_t(34) << 20);
  EXPECT_LE(SortWorkspace::ofReading(int64_t(1) << 40).bytes(), int64_t(34)
                                                                    << 20);
  EXPECT_FALSE(SortWorkspace(4, int64_t(1) << 31, 8, true).hasCellBlocks);
  // Where one row has more particles than are sorted at a time.
  EXPECT_EQ(SortWorkspace(4, 30000000, 8).particles, 30000000);
}

// Threads add to planes of bins two apart at the same time, and to all planes
// of a cell block.
TEST(Scatter, NoBinIsThinnerThanACellBlock) {
  for (int64_t planes = 1; planes < 200; ++planes) {
    const SortWorkspace workspace(1000, 1, planes, /*hasCellBlocks=*/true);
    SCOPED_TRACE(planes);
    std::vector<int64_t> inBin(size_t(workspace.bins.count()));
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t bin = workspace.bins.of(plane);
      ++inBin[size_t(bin)];
      EXPECT_EQ(bin, workspace.bins.of(plane / 8 * 8));
    }
    for (int64_t size : inBin)
      EXPECT_GE(size, std::min<int64_t>(planes, 8));
  }
  EXPECT_EQ(SortWorkspace(1000, 1, 40).bins.count(), 40);
}

TEST(Scatter, RefusesPositionsThatAreNotFinite) {
  for (float bad : {NAN, INFINITY}) {
    Paint p(8, 1, 2, 0.5);
    p.u[1][77] = bad;
    auto context = makeContext({8, 8, 8});
    pmrt_loop_begin(context.get(), 1, 5);
    pmrt_loop_step(context.get(), 1, 2);
    const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
    const double ratio[2] = {1, 1};
    const pmrt_array *meshes[] = {&mesh};
    EXPECT_EQ(messageOf([&] {
                pmrt_scatter(context.get(), nullptr, 0, "paint", &latticeBodies,
                             &p, 1, meshes, 8, 8, 8, 2, ratio, 1);
              }),
              "position is not finite, or too large (in step 3 of 5) [PM9103]");
  }
}

TEST(Scatter, WrongPlanesAreCaught) {
  Paint p(24, 1, 2, 0.5);
  auto context = makeContext({24, 24, 24});
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  const double ratio[2] = {1, 1};
  pmrt_scatter_bodies broken = latticeBodies;
  broken.planes = [](void *, int64_t begin, int64_t, int32_t *plane) {
    plane[begin * 24] = 24;
  };
  const pmrt_array *meshes[] = {&mesh};
  EXPECT_CONTAINS(messageOf([&] {
                    pmrt_scatter(context.get(), nullptr, 0, "paint", &broken,
                                 &p, 1, meshes, 24, 24, 24, 2, ratio, 0);
                  }),
                  "outside of [0, 24)");
}

TEST(Scatter, WrongCellBlocksAreCaught) {
  Paint p(24, 1, 2, 0.5);
  auto context = makeContext({24, 24, 24});
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  pmrt_scatter_bodies broken = withCellBlocks;
  broken.cell_blocks = [](void *, int64_t begin, int64_t, int32_t *cellBlock) {
    cellBlock[begin * 24] = 1 << 22;
  };
  const pmrt_array *meshes[] = {&mesh};
  EXPECT_CONTAINS(messageOf([&] {
                    pmrt_scatter(context.get(), nullptr, 0, "paint", &broken,
                                 &p, 1, meshes, 24, 24, 24, 2, nullptr, 0);
                  }),
                  "block is out of range");
}

TEST(Scatter, NoParticles) {
  auto context = makeContext({4, 4, 4});
  std::vector<float> data(64);
  const pmrt_array mesh = array(data, PMRT_F32, 0, 3);
  const double ratio[2] = {1, 1};
  const pmrt_array *meshes[] = {&mesh};
  pmrt_scatter(context.get(), nullptr, 0, "paint", &latticeBodies, nullptr, 1,
               meshes, 0, 0, 0, 2, ratio, 1);
}

TEST(Scatter, OnlyWhatIsPaintedCounts) {
  // In tiles, sorted, and on copies; whole tiles without a particle.
  for (double amplitude : {0.4, 20.0})
    for (bool lattice : {true, false}) {
      Paint p(24, 1, 2, amplitude);
      for (int64_t i = 0; i < 24 * 24 * 24; ++i) {
        p.isPainted.push_back(i > 3000 && i % 3 != 0);
        if (!p.isPainted.back())
          p.u[i % 2][size_t(i)] = NAN;
      }
      run(p, 2, lattice);
      SCOPED_TRACE(fmt::format("amplitude {} {}", amplitude, lattice));
      expectRight(p);
    }
}

namespace {

/// The particles of a lattice on a mesh of few cells.
void runOnCopies(Paint &p, int64_t n, int threads) {
  auto context = makeContext({n, n, n}, threads);
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  const pmrt_array *meshes[] = {&mesh};
  pmrt_scatter(context.get(), nullptr, 0, "paint", &withCopies, &p, 1, meshes,
               p.l, p.l, p.l, p.support, nullptr, 0);
}

} // namespace

TEST(Scatter, SmallMeshesAreCopied) {
  const int64_t n = 12;
  Paint p(36, 1, 2, 3.0);
  p.box = n;
  p.mesh.assign(size_t(n * n * n), 0);
  Paint serial = p, one = p;
  for (int64_t i = 0; i < 36 * 36 * 36; ++i)
    serial.deposit(i);
  runOnCopies(p, n, 3);
  runOnCopies(one, n, 1);
  EXPECT_EQ(one.mesh, p.mesh); // bit for bit
  EXPECT_NE(serial.mesh, p.mesh) << "added in order, so without copies";
  for (size_t i = 0; i < p.mesh.size(); ++i)
    ASSERT_NEAR(p.mesh[i], serial.mesh[i], 1e-5 * serial.mesh[i]);
  p.u[1][4000] = NAN;
  EXPECT_EQ(messageOf([&] { runOnCopies(p, n, 2); }),
            "position is not finite, or too large [PM9103]");
}
