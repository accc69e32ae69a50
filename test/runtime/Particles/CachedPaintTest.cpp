//===- CachedPaintTest.cpp - Paint in copies of boxes of cells ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Particles/LatticePaint.h"

#include <array>
#include <bit>
#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

namespace {

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

/// Two fields, of the weight and of thrice the weight.
void depositTwo(void *args, const int64_t *range, const int64_t *first,
                const int64_t *stride, void *memory) {
  const auto &p = *static_cast<Paint *>(args);
  auto *cells = static_cast<float *>(memory);
  EXPECT_EQ(stride[2], 2);
  forParticles(p, range, [&](int64_t i) {
    int64_t place = 0;
    for (int d = 0; d < 3; ++d)
      place += (p.start(d, i) - first[d]) * stride[d];
    for (int64_t x = 0; x < p.support; ++x)
      for (int64_t y = 0; y < p.support; ++y)
        for (int64_t z = 0; z < p.support; ++z)
          for (int64_t f = 0; f < 2; ++f)
            cells[place + x * stride[0] + y * stride[1] + z * 2 + f] +=
                float(1 + 2 * f) * Paint::weight(i);
  });
}

/// Cell c is f0(c + (2, 0, -1)) - f1(c + (-1, 3, 2)) / 4 of depositTwo.
constexpr std::array<int64_t, 3> stencilBelow{1, 0, 1}, stencilAbove{2, 3, 2};
constexpr std::array<int64_t, 6> stencilRows{0, 2, 0, 1, -1, 3};
void stencilOfTwo(void *, int64_t count, int64_t, const int64_t *rows,
                  const void *memory, void *row) {
  const auto *from = static_cast<const float *>(memory);
  for (int64_t i = 0; i < count; ++i)
    static_cast<float *>(row)[i] =
        from[rows[0] + i - 1] - from[rows[1] + i + 2] / 4;
}

/// The same of the mesh that the particles paint without it.
std::vector<float> applyStencil(const Paint &p) {
  const int64_t n = p.cells();
  const auto at = [&](int64_t x, int64_t y, int64_t z) {
    const auto wrap = [n](int64_t c) { return (c + n) % n; };
    return p.mesh[size_t((wrap(x) * n + wrap(y)) * n + wrap(z))];
  };
  std::vector<float> result(p.mesh.size());
  for (int64_t x = 0; x < n; ++x)
    for (int64_t y = 0; y < n; ++y)
      for (int64_t z = 0; z < n; ++z)
        result[size_t((x * n + y) * n + z)] =
            at(x + 2, y, z - 1) - 3 * at(x - 1, y + 3, z + 2) / 4;
  return result;
}

/// Paints in blocks of so many sites.
void runInBlocks(Paint &p, int threads, std::array<int64_t, 3> sites,
                 bool hasStencil = false) {
  const std::array<int64_t, 3> extent{p.l, p.l, p.l};
  const std::array<int64_t, 3> support{p.support, p.support, p.support};
  pmrt_scatter_blocks blocks{};
  blocks.box = box;
  blocks.deposit = hasStencil ? depositTwo : depositBlock;
  blocks.dims = 3;
  blocks.extent = extent.data();
  blocks.sites = sites.data();
  blocks.support = support.data();
  if (hasStencil) {
    blocks.stencil = stencilOfTwo;
    blocks.fields = 2;
    blocks.below = stencilBelow.data();
    blocks.above = stencilAbove.data();
    blocks.tapRows = 2;
    blocks.taps = stencilRows.data();
    pmrt_scatter_bodies none{};
    none.blocks = &blocks;
    return run(p, threads, /*lattice=*/true, none);
  }
  const pmrt_scatter_bodies all = {bounds,  block,   planes, list,
                                   nullptr, nullptr, &blocks};
  run(p, threads, /*lattice=*/true, all);
}

} // namespace

TEST(CachedPaint, BlocksInCopiesOfTheirCells) {
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

TEST(CachedPaint, BoxesLargerThanACacheAreHalvedOrPaintedInPlace) {
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

TEST(CachedPaint, BlocksRefusePositionsThatAreNotFinite) {
  for (bool hasStencil : {false, true})
    for (float bad : {NAN, INFINITY, 1e20f}) {
      Paint p(34, 1, 2, 0.5);
      p.u[1][777] = bad;
      EXPECT_EQ(messageOf([&] { runInBlocks(p, 2, {16, 16, 64}, hasStencil); }),
                "position is not finite, or too large [PM9103]");
    }
  // Kernels do not find such cells exactly, and a stencil has no others.
  Paint p(34, 1, 2, 0.5);
  p.u[1][777] = 1e7F;
  EXPECT_EQ(messageOf([&] { runInBlocks(p, 2, {16, 16, 64}, true); }),
            "position is not finite, or too large [PM9103]");
}

TEST(CachedPaint, StencilsOfBlocksAreAddedInTheirPlace) {
  // Few particles, meshes smaller than a box, and blocks of which no two can be
  // painted at the same time.
  for (int64_t l : {3, 11, 26})
    for (int32_t support : {1, 2, 3})
      for (double amplitude : {0.0, 1.5, 40.0})
        for (std::array<int64_t, 3> sites :
             {std::array<int64_t, 3>{2, 3, 5}, {16, 16, 64}}) {
          Paint p(l, 1, support, amplitude), one = p, plain = p;
          runInBlocks(p, 3, sites, true);
          runInBlocks(one, 1, sites, true);
          for (int64_t i = 0; i < l * l * l; ++i)
            plain.deposit(i);
          const std::vector<float> expected = applyStencil(plain);
          for (size_t i = 0; i < p.mesh.size(); ++i)
            ASSERT_NEAR(p.mesh[i], expected[i], 1e-4 * (1 + plain.mesh[i]))
                << "l " << l << ", support " << support << ", amplitude "
                << amplitude << ", blocks " << sites[0];
          EXPECT_EQ(p.mesh, one.mesh); // bit for bit
        }
}

TEST(CachedPaint, BoxesOfStencilsAreHalvedDownToSites) {
  Paint p(34, 1, 2, 0.2), plain = p;
  for (Paint *some : {&p, &plain})
    for (int64_t i = 0; i < 34 * 34 * 34; i += 97)
      some->u[2][size_t(i)] += 3e6F;
  runInBlocks(p, 2, {16, 16, 64}, true);
  for (int64_t i = 0; i < 34 * 34 * 34; ++i)
    plain.deposit(i);
  const std::vector<float> expected = applyStencil(plain);
  for (size_t i = 0; i < p.mesh.size(); ++i)
    ASSERT_NEAR(p.mesh[i], expected[i], 1e-4 * (1 + plain.mesh[i]));
}
