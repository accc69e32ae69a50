//===- ScatterTest.cpp - Parallel paint -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/SortWorkspace.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/runtime/Support.h"

#include "pmrt/particles.h"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// Particles on a lattice of l^3 sites, painted with a window of `support`
/// cells of equal weight onto (ratio l)^3 cells.
struct Paint {
  int64_t l, ratio, box = 0; ///< box: cells, if it is not the lattice's
  int32_t support;
  std::vector<float> u[3]; ///< displacements in mesh cells
  std::vector<float> mesh;
  std::vector<bool> isPainted; ///< empty if all are

  Paint(int64_t l, int64_t ratio, int32_t support, double amplitude)
      : l(l), ratio(ratio), support(support) {
    for (int d = 0; d < 3; ++d) {
      u[d].resize(size_t(l * l * l));
      fillNormal(uint64_t(d) + 1, 0, l * l * l, u[d].data());
      for (float &x : u[d])
        x = float(amplitude * std::clamp(double(x), -2.0, 2.0) + 0.31);
    }
    mesh.assign(size_t(cells() * cells() * cells()), 0);
  }
  int64_t cells() const { return box > 0 ? box : l * ratio; }

  /// The first cell. The runtime reports a position that is not finite or too
  /// large, but may ask for its cell before that.
  int64_t start(int d, int64_t i) const {
    const int64_t site = d == 0 ? i / (l * l) : d == 1 ? i / l % l : i % l;
    const double cells = std::floor(double(u[d][size_t(i)]));
    return site * ratio +
           (std::isnan(cells) ? 0 : int64_t(std::clamp(cells, -9e18, 9e18)));
  }
  bool paints(int64_t i) const {
    return isPainted.empty() || isPainted[size_t(i)];
  }
  /// Weights of different sizes make the order of additions visible.
  static float weight(int64_t i) { return 1.0f + 1e-3f * float(i % 1009); }
  void deposit(int64_t i) { deposit(i, mesh.data()); }
  template <typename Real> void deposit(int64_t i, Real *cell) {
    if (!paints(i))
      return;
    const int64_t n = cells();
    for (int64_t x = 0; x < support; ++x)
      for (int64_t y = 0; y < support; ++y)
        for (int64_t z = 0; z < support; ++z) {
          const int64_t at[3] = {start(0, i) + x, start(1, i) + y,
                                 start(2, i) + z};
          int64_t index = 0;
          for (int64_t c : at)
            index = index * n + ((c % n) + n) % n;
          cell[index] += weight(i);
        }
  }
};

void bounds(void *args, int64_t begin, int64_t end, double *partial) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = begin * p.l; i < end * p.l; ++i)
    for (int d = 0; d < 3 && p.paints(i); ++d) {
      const double low = std::floor(p.u[d][size_t(i)]);
      if (d < 2) {
        partial[2 * d] = std::fmin(partial[2 * d], low);
        partial[2 * d + 1] = std::fmin(partial[2 * d + 1], -low);
      }
      if (!std::isfinite(low))
        partial[4] = NAN;
      else if (partial[4] > 0)
        partial[4] = 0;
    }
}

void block(void *args, int64_t b0, int64_t e0, int64_t b1, int64_t e1) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = b0; i < e0; ++i)
    for (int64_t j = b1; j < e1; ++j)
      for (int64_t k = 0; k < p.l; ++k)
        p.deposit((i * p.l + j) * p.l + k);
}

void planes(void *args, int64_t begin, int64_t end, int32_t *plane) {
  auto &p = *static_cast<Paint *>(args);
  const int64_t n = p.cells();
  for (int64_t i = begin * p.l; i < end * p.l; ++i)
    plane[i] = p.paints(i) ? int32_t((p.start(0, i) % n + n) % n) : -1;
}

/// All that are listed are painted, as in programs.
void list(void *args, const int64_t *particles, int64_t count) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = 0; i < count; ++i) {
    EXPECT_TRUE(p.paints(particles[i])) << particles[i];
    p.deposit(particles[i]);
  }
}

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

constexpr pmrt_scatter_bodies bodies = {bounds,  block,   planes, list,
                                        nullptr, nullptr, nullptr};
constexpr pmrt_scatter_bodies withCopies = {bounds, block,   planes, list,
                                            copy,   nullptr, nullptr};
constexpr pmrt_scatter_bodies withCellBlocks = {
    bounds, block, planes, list, nullptr, cellBlocks, nullptr};

/// Knows the columns of cells that blocks are painting.

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

void run(Paint &p, int threads, bool lattice,
         const pmrt_scatter_bodies &bodies = ::bodies) {
  auto context = makeContext({p.cells(), p.cells(), p.cells()}, threads);
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  const double ratio[2] = {double(p.ratio), double(p.ratio)};
  const pmrt_array *meshes[] = {&mesh};
  pmrt_scatter(context.get(), nullptr, 0, "paint", &bodies, &p, 1, meshes, p.l,
               p.l, p.l, p.support, ratio, lattice);
}

/// The sum over the mesh and every cell agree with painting in order.
void expectRight(const Paint &p) {
  Paint serial = p;
  std::fill(serial.mesh.begin(), serial.mesh.end(), 0.0f);
  for (int64_t i = 0; i < p.l * p.l * p.l; ++i)
    serial.deposit(i);
  for (size_t i = 0; i < p.mesh.size(); ++i)
    ASSERT_NEAR(p.mesh[i], serial.mesh[i], 1e-4 * (1 + serial.mesh[i]));
}

//===--------------------------------------------------------------------===//
// In copies of boxes of cells
//===--------------------------------------------------------------------===//

template <typename Particle>
void forParticles(const Paint &p, const int64_t *range, Particle particle) {
  for (int64_t i = range[0]; i < range[1]; ++i)
    for (int64_t j = range[2]; j < range[3]; ++j)
      for (int64_t k = range[4]; k < range[5]; ++k)
        particle((i * p.l + j) * p.l + k);
}

void box(void *args, const int64_t *range, double *cells) {
  const auto &p = *static_cast<Paint *>(args);
  for (int d = 0; d < 3; ++d) {
    cells[2 * d] = INFINITY;
    cells[2 * d + 1] = -INFINITY;
  }
  double test = 0;
  forParticles(p, range, [&](int64_t i) {
    for (int d = 0; d < 3; ++d) {
      test += 0 * p.u[d][size_t(i)];
      const auto cell = double(p.start(d, i));
      cells[2 * d] = std::min(cells[2 * d], cell);
      cells[2 * d + 1] = std::max(cells[2 * d + 1], cell);
    }
  });
  for (int i = 0; i < 6; ++i)
    cells[i] += test;
}

void depositBlock(void *args, const int64_t *range, const int64_t *first,
                  const int64_t *stride, void *memory) {
  const auto &p = *static_cast<Paint *>(args);
  auto *cells = static_cast<float *>(memory);
  const auto copies = int64_t(std::bit_ceil(uint32_t(p.support)));
  forParticles(p, range, [&](int64_t i) {
    int64_t place = 0;
    for (int d = 0; d < 3; ++d)
      place += (p.start(d, i) - first[d]) * stride[d];
    const int64_t copy = (p.start(2, i) - first[2]) % copies;
    place += copy * (stride[3] - 1);
    EXPECT_EQ(place % copies, 0);
    for (int64_t x = 0; x < p.support; ++x)
      for (int64_t y = 0; y < p.support; ++y)
        for (int64_t z = 0; z < p.support; ++z)
          cells[place + x * stride[0] + y * stride[1] + z] += Paint::weight(i);
  });
}

/// Paints in blocks of so many sites.
void runInBlocks(Paint &p, int threads, std::array<int64_t, 3> sites) {
  const std::array<int64_t, 3> extent{p.l, p.l, p.l};
  const std::array<int64_t, 3> support{p.support, p.support, p.support};
  const pmrt_scatter_blocks blocks = {
      box,          depositBlock,   3,      extent.data(),
      sites.data(), support.data(), nullptr};
  const pmrt_scatter_bodies all = {bounds,  block,   planes, list,
                                   nullptr, nullptr, &blocks};
  run(p, threads, /*lattice=*/true, all);
}

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

TEST(Scatter, BlocksInCopiesOfTheirCells) {
  for (int64_t ratio : {1, 2})
    for (int32_t support : {1, 2, 3, 4})
      for (double amplitude : {0.0, 0.4, 1.5, 6.0, 40.0})
        for (std::array<int64_t, 3> sites :
             {std::array<int64_t, 3>{2, 3, 5}, {16, 16, 64}}) {
          Paint p(26, ratio, support, amplitude), one = p;
          runInBlocks(p, 3, sites);
          runInBlocks(one, 1, sites);
          SCOPED_TRACE(fmt::format("ratio {} support {} amplitude {} blocks {}",
                                   ratio, support, amplitude, sites[0]));
          expectRight(p);
          EXPECT_EQ(p.mesh, one.mesh); // bit for bit
        }
}

TEST(Scatter, BoxesLargerThanACacheAreHalvedOrPaintedInPlace) {
  // Two particles at opposite ends of the mesh. In blocks of all sites along
  // the last dim, halving separates them; single sites cannot be halved.
  for (int64_t sites : {1, 64}) {
    Paint p(64, 2, 2, 0.2);
    for (int64_t i = 0; i < 64 * 64 * 64; i += 997)
      p.u[2][size_t(i)] += 3e6f;
    runInBlocks(p, 2, {16, 16, sites});
    expectRight(p);
  }
}

TEST(Scatter, BlocksRefusePositionsThatAreNotFinite) {
  for (float bad : {NAN, INFINITY, 1e20f}) {
    Paint p(34, 1, 2, 0.5);
    p.u[1][777] = bad;
    EXPECT_EQ(messageOf([&] { runInBlocks(p, 2, {16, 16, 64}); }),
              "position is not finite, or too large");
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
                pmrt_scatter(context.get(), nullptr, 0, "paint", &bodies, &p, 1,
                             meshes, 8, 8, 8, 2, ratio, 1);
              }),
              "position is not finite, or too large (in step 3 of 5)");
  }
}

TEST(Scatter, WrongPlanesAreCaught) {
  Paint p(24, 1, 2, 0.5);
  auto context = makeContext({24, 24, 24});
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  const double ratio[2] = {1, 1};
  pmrt_scatter_bodies broken = bodies;
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
  pmrt_scatter(context.get(), nullptr, 0, "paint", &bodies, nullptr, 1, meshes,
               0, 0, 0, 2, ratio, 1);
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
            "position is not finite, or too large");
}
