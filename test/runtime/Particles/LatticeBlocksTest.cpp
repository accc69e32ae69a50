//===- LatticeBlocksTest.cpp - Readings in blocks of a lattice ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/Particles/LatticeBox.h"
#include "test/runtime/Support.h"

#include "pmrt/particles.h"

#include <atomic>
#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

namespace {

constexpr int64_t n0 = 37, n1 = 20, n2 = 70;

/// Reads the cells around each site of a lattice, of `count` meshes. A site's
/// result is a hash of them, so that a wrong cell is noticed.
struct Reading {
  int32_t count;
  std::vector<std::vector<float>> meshes;
  std::vector<double> offset; ///< of each site, along all dims
  std::vector<double> result;
  std::atomic<int64_t> inBlocks = 0, inRows = 0;

  Reading(int32_t count, double spread) : count(count) {
    for (int32_t m = 0; m < count; ++m)
      fillNormal(uint64_t(m) + 1, 0, n0 * n1 * n2,
                 meshes.emplace_back(size_t(n0 * n1 * n2)).data());
    std::vector<float> noise(size_t(n0 * n1 * n2));
    fillNormal(99, 0, n0 * n1 * n2, noise.data());
    for (float x : noise)
      offset.push_back(std::floor(spread * double(x)));
    result.assign(offset.size(), NAN);
  }

  static int64_t index(int64_t i, int64_t j, int64_t k) {
    return (i * n1 + j) * n2 + k;
  }

  /// `at(m, c)`: cell c of mesh m, not wrapped.
  template <typename At>
  double read(int64_t i, int64_t j, int64_t k, const At &at) const {
    const auto u = int64_t(offset[size_t(index(i, j, k))]);
    double sum = 0;
    for (int32_t m = 0; m < count; ++m)
      for (int64_t c = 0; c < 8; ++c)
        sum += double(1 + m) * double(1 + c) *
               at(m, std::array<int64_t, 3>{i + u + c / 4, j + u + c / 2 % 2,
                                            k + u + c % 2});
    return sum;
  }

  double fromMeshes(int64_t i, int64_t j, int64_t k) const {
    const auto wrap = [](int64_t c, int64_t n) { return ((c % n) + n) % n; };
    return read(i, j, k, [&](int32_t m, const std::array<int64_t, 3> &c) {
      return double(meshes[size_t(m)][size_t(
          index(wrap(c[0], n0), wrap(c[1], n1), wrap(c[2], n2)))]);
    });
  }
};

void box(void *args, const int64_t *range, double *cells) {
  const auto &r = *static_cast<Reading *>(args);
  for (int d = 0; d < 3; ++d) {
    cells[2 * d] = INFINITY;
    cells[2 * d + 1] = -INFINITY;
  }
  for (int64_t i = range[0]; i < range[1]; ++i)
    for (int64_t j = range[2]; j < range[3]; ++j)
      for (int64_t k = range[4]; k < range[5]; ++k) {
        const int64_t site[3] = {i, j, k};
        const double u = r.offset[size_t(Reading::index(i, j, k))];
        for (int d = 0; d < 3; ++d) {
          cells[2 * d] = std::isnan(u)
                             ? NAN
                             : std::fmin(cells[2 * d], double(site[d]) + u);
          cells[2 * d + 1] = std::fmax(cells[2 * d + 1], double(site[d]) + u);
        }
        if (std::isnan(u))
          return;
      }
}

void block(void *args, const int64_t *range, const int64_t *first,
           const int64_t *stride, void *memory) {
  auto &r = *static_cast<Reading *>(args);
  EXPECT_EQ(stride[2], r.count == 3 ? 4 : r.count);
  EXPECT_EQ(stride[1] * 4 % 64, 0) << "rows are whole cache lines";
  for (int64_t i = range[0]; i < range[1]; ++i)
    for (int64_t j = range[2]; j < range[3]; ++j)
      for (int64_t k = range[4]; k < range[5]; ++k) {
        r.result[size_t(Reading::index(i, j, k))] =
            r.read(i, j, k, [&](int32_t m, const std::array<int64_t, 3> &c) {
              int64_t place = m;
              for (size_t d = 0; d < 3; ++d)
                place += (c[d] - first[d]) * stride[d];
              return double(static_cast<float *>(memory)[place]);
            });
        ++r.inBlocks;
      }
}

/// Reads a mesh, and moves each element by its own number of cells.
void move(void *args, const int64_t *range, const int64_t *first,
          const int64_t *stride, void *memory) {
  block(args, range, first, stride, memory);
  auto &r = *static_cast<Reading *>(args);
  for (int64_t i = range[0]; i < range[1]; ++i)
    for (int64_t j = range[2]; j < range[3]; ++j)
      for (int64_t k = range[4]; k < range[5]; ++k)
        r.offset[size_t(Reading::index(i, j, k))] +=
            double((7 * i + 3 * j + k) % 9 - 4);
}

void rows(void *args, int64_t begin, int64_t end) {
  auto &r = *static_cast<Reading *>(args);
  for (int64_t row = begin; row < end; ++row)
    for (int64_t k = 0; k < n2; ++k) {
      const int64_t i = row / n1, j = row % n1;
      const bool isNumber =
          !std::isnan(r.offset[size_t(Reading::index(i, j, k))]);
      r.result[size_t(Reading::index(i, j, k))] =
          isNumber ? r.fromMeshes(i, j, k) : 0;
      ++r.inRows;
    }
}

constexpr pmrt_block_bodies bodies = {box, block, rows, nullptr, 0, 0};

/// Field f of two meshes: an element two cells further along dim f, and one of
/// the other mesh a cell before along all dims.
template <typename At>
float compute(int32_t f, const std::array<int64_t, 3> &c, const At &at) {
  std::array<int64_t, 3> further = c;
  further[size_t(f)] += 2;
  return at(0, further) - 2 * at(1, {c[0] - 1, c[1] - 1, c[2] - 1});
}

void fill(void *, int64_t size, const int64_t *stride, const void *source,
          void *out) {
  for (int64_t i = 0; i < size; ++i)
    for (int32_t f = 0; f < 3; ++f)
      static_cast<float *>(out)[4 * i + f] = compute(
          f, {0, 0, i}, [&](int32_t m, const std::array<int64_t, 3> &c) {
            int64_t place = m * stride[3];
            for (size_t d = 0; d < 3; ++d)
              place += c[d] * stride[d];
            return static_cast<const float *>(source)[place];
          });
}

constexpr pmrt_block_bodies filled = {box, block, nullptr, fill, 0, 0};
constexpr int64_t below[] = {1, 1, 1}, above[] = {2, 2, 2};

/// The fields of `fill`, stored.
std::vector<std::vector<float>>
computeAll(const std::vector<std::vector<float>> &meshes) {
  const auto wrap = [](int64_t c, int64_t n) { return ((c % n) + n) % n; };
  std::vector<std::vector<float>> fields(3);
  for (int32_t f = 0; f < 3; ++f)
    for (int64_t i = 0; i < n0; ++i)
      for (int64_t j = 0; j < n1; ++j)
        for (int64_t k = 0; k < n2; ++k)
          fields[size_t(f)].push_back(compute(
              f, {i, j, k}, [&](int32_t m, const std::array<int64_t, 3> &c) {
                return meshes[size_t(m)][size_t(Reading::index(
                    wrap(c[0], n0), wrap(c[1], n1), wrap(c[2], n2)))];
              }));
  return fields;
}

constexpr std::array<int64_t, 3> extent = {n0, n1, n2},
                                 blockSites = {16, 16, 64};

void call(pmrt_context &context, Reading &r, const pmrt_block_bodies &bodies) {
  std::vector<pmrt_array> arrays;
  for (auto &mesh : r.meshes)
    arrays.push_back(array(mesh, PMRT_F32, 0, 3));
  std::vector<const pmrt_array *> meshes;
  for (const pmrt_array &one : arrays)
    meshes.push_back(&one);
  const int64_t support[] = {2, 2, 2};
  pmrt_parallel_blocks(&context, nullptr, 0, "readout", &bodies, &r, 3,
                       extent.data(), blockSites.data(), support,
                       int32_t(meshes.size()), meshes.data(), nullptr, r.count,
                       below, above, 16);
}

void run(Reading &r, int threads, const pmrt_block_bodies &bodies = ::bodies) {
  auto context = makeContext({n0, n1, n2}, threads);
  call(*context, r, bodies);
}

void expectRight(const Reading &r) {
  for (int64_t i = 0; i < n0; ++i)
    for (int64_t j = 0; j < n1; ++j)
      for (int64_t k = 0; k < n2; ++k) {
        const auto at = size_t(Reading::index(i, j, k));
        ASSERT_EQ(r.result[at],
                  std::isnan(r.offset[at]) ? 0 : r.fromMeshes(i, j, k))
            << i << " " << j << " " << k;
      }
}

} // namespace

TEST(LatticeBlocks, ReadsTheCellsOfEveryMesh) {
  for (int32_t count : {1, 2, 3, 4, 8})
    for (double spread : {0.0, 1.0, 3.0}) {
      SCOPED_TRACE(fmt::format("{} meshes, spread {}", count, spread));
      Reading r(count, spread);
      run(r, 2);
      expectRight(r);
      EXPECT_EQ(r.inBlocks + r.inRows, n0 * n1 * n2);
      if (count < 8)
        EXPECT_EQ(r.inRows, 0);
    }
}

TEST(LatticeBlocks, BlocksWithLargeBoxesAreHalvedOrReadInRows) {
  // 16 meshes: a cell takes a cache line, and a whole block does not fit.
  Reading halved(16, 0.0);
  run(halved, 2);
  expectRight(halved);
  EXPECT_EQ(halved.inBlocks, n0 * n1 * n2);

  Reading wide(3, 40.0);
  run(wide, 2);
  expectRight(wide);
  EXPECT_GT(wide.inRows, 0);
}

TEST(LatticeBlocks, ANaNSendsItsColumnToRows) {
  Reading r(3, 1.0);
  r.offset[size_t(Reading::index(20, 3, 65))] = NAN;
  run(r, 3);
  expectRight(r);
  // Sites [16, 32) x [0, 16) along all of the last dim.
  EXPECT_EQ(r.inRows, 16 * 16 * n2);
  EXPECT_EQ(r.inBlocks + r.inRows, n0 * n1 * n2);
}

TEST(LatticeBlocks, WholeBoxesFitMeshesThatGoAround) {
  // All sites read around one cell, behind the end of the mesh.
  Reading r(3, 0.0);
  for (int64_t i = 0; i < n0; ++i)
    for (int64_t j = 0; j < n1; ++j)
      for (int64_t k = 0; k < n2; ++k)
        r.offset[size_t(Reading::index(i, j, k))] = double(3 * n2);
  run(r, 1);
  expectRight(r);
  EXPECT_EQ(r.inRows, 0);
}

TEST(LatticeBlocks, CellsAreComputedWhereTheyAreRead) {
  // Blocks that fit, blocks that are halved, and boxes of single sites.
  for (double spread : {1.0, 12.0, 60.0}) {
    SCOPED_TRACE(fmt::format("spread {}", spread));
    Reading r(3, spread);
    r.meshes.pop_back();
    run(r, 2, filled);
    EXPECT_EQ(r.inBlocks, n0 * n1 * n2);
    r.meshes = computeAll(r.meshes);
    expectRight(r);
  }
}

TEST(LatticeBlocks, APositionThatIsNotFiniteIsRefusedWithoutRows) {
  for (double bad : {double(NAN), double(INFINITY), 1e30}) {
    Reading r(3, 1.0);
    r.offset[size_t(Reading::index(20, 3, 65))] = bad;
    EXPECT_THROW(run(r, 2, filled), std::exception);
  }
}

TEST(LatticeBlocks, BoxesAreRenewedWhereParticlesMove) {
  // Whole blocks; blocks in parts; a column in rows, whose boxes are unknown.
  for (const auto &[count, spread] :
       {std::pair(3, 1.0), std::pair(16, 0.0), std::pair(3, 40.0)}) {
    SCOPED_TRACE(fmt::format("{} meshes, spread {}", count, spread));
    Reading r(count, spread);
    auto context = makeContext({n0, n1, n2}, 2);
    pmrt_block_bodies moving = {box,         move, rows, nullptr, /*boxes=*/-1,
                                /*renews=*/1};
    call(*context, r, moving);
    const bool inBlocks = r.inRows == 0;
    const auto limitsOf = [&](const Sites &sites, int &computed) {
      SharedBoxes *boxes =
          findBoxes(*context, 1, 3, extent.data(), blockSites.data());
      return boxes->get(sites.range.data(), [&](BoxLimits &limits) {
        ++computed;
        box(&r, sites.range.data(), limits.data());
      });
    };
    ASSERT_NE(findBoxes(*context, -1, 3, extent.data(), blockSites.data()),
              nullptr);
    int computed = 0;
    for (int64_t i = 0; i < n0; i += 16)
      for (int64_t j = 0; j < n1; j += 16)
        for (int64_t k = 0; k < n2; k += 64) {
          Sites sites;
          sites.set(0, i, std::min(n0, i + 16));
          sites.set(1, j, std::min(n1, j + 16));
          sites.set(2, k, std::min(n2, k + 64));
          BoxLimits expected{};
          box(&r, sites.range.data(), expected.data());
          EXPECT_EQ(limitsOf(sites, computed), expected);
        }
    if (inBlocks)
      EXPECT_EQ(computed, 0);
    else
      EXPECT_GT(computed, 0);
  }
}
