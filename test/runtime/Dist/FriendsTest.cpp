//===- FriendsTest.cpp - Friends of friends over ranks --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Ranks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <random>

using namespace pmrt;
using namespace pmrt::test;

namespace {

using Coordinates = std::array<std::vector<double>, 3>;

struct FriendsCase {
  int axes;
  double length;
  std::array<double, 3> box; ///< 0: not periodic
  int clumps = 40;
};

constexpr int64_t rows = 7;

/// Returns clumps of different sizes, and single points. Some clumps cross the
/// edges of a box with the side 10. Some points are outside of the box.
Coordinates coordinatesOf(const FriendsCase &one, int64_t points = rows * 83,
                          double side = 10) {
  // The same clumps in every run.
  std::mt19937_64 random(5); // NOLINT(bugprone-random-generator-seed)
  std::uniform_real_distribution<double> uniform(-0.3 * side, 1.3 * side);
  std::normal_distribution<double> normal(0, 0.15);
  Coordinates all;
  for (auto &axis : all)
    axis.assign(size_t(points), 0.0);
  std::vector<std::array<double, 3>> centers(size_t(one.clumps) + 1);
  for (auto &center : centers)
    for (double &x : center)
      x = uniform(random);
  centers[0] = {side, 0, side};
  for (size_t i = 0; i < size_t(points); ++i) {
    const size_t clump = random() % (2 * centers.size());
    for (size_t d = 0; d < size_t(one.axes); ++d)
      all[d][i] = clump < centers.size() ? centers[clump][d] + normal(random)
                                         : uniform(random);
  }
  return all;
}

/// Finds the groups by comparing all pairs of points.
std::vector<int64_t> expectedGroups(const FriendsCase &one,
                                    const Coordinates &at) {
  const size_t points = at[0].size();
  const auto areFriends = [&](size_t a, size_t b) {
    double sum = 0;
    for (size_t d = 0; d < size_t(one.axes); ++d) {
      double away = at[d][a] - at[d][b];
      if (one.box[d] > 0)
        away -= one.box[d] * std::round(away / one.box[d]);
      sum += away * away;
      if (sum > one.length * one.length)
        return false;
    }
    return true;
  };
  // Each point refers to a lower one of its group, or to itself.
  std::vector<int64_t> label(points);
  std::iota(label.begin(), label.end(), 0);
  const auto leastOf = [&](size_t a) {
    while (label[a] != int64_t(a))
      a = size_t(label[a]);
    return a;
  };
  for (size_t a = 0; a < points; ++a)
    for (size_t b = 0; b < a; ++b)
      if (areFriends(a, b)) {
        const size_t one = leastOf(a), other = leastOf(b);
        label[std::max(one, other)] = int64_t(std::min(one, other));
      }
  for (size_t a = 0; a < points; ++a)
    label[a] = label[size_t(label[a])];
  return label;
}

template <typename T>
std::vector<int64_t> found(const FriendsCase &one, const Coordinates &at,
                           const Extents &mesh, int threads) {
  const auto points = int64_t(at[0].size());
  Dims dims;
  const std::vector<std::vector<std::string>> axes = {
      mesh.empty() ? std::vector<std::string>{}
                   : std::vector<std::string>{"row"},
      mesh.size() > 1 ? std::vector<std::string>{"col"}
                      : std::vector<std::string>{}};
  const std::vector<int32_t> list = {dims.dim(rows, axes[0]),
                                     dims.dim(points / rows, axes[1])};
  Settings settings;
  settings.threads = threads;
  std::vector<int64_t> all(size_t(points), -1);
  onRanks(mesh, dims.program, settings, [&](pmrt_context &ctx) {
    std::vector<std::vector<T>> local(size_t(one.axes));
    std::vector<pmrt_array> arrays(size_t(one.axes));
    std::vector<const pmrt_array *> pointers;
    for (size_t d = 0; d < arrays.size(); ++d) {
      const std::vector<T> whole(at[d].begin(), at[d].end());
      arrays[d] =
          arrayOver(nullptr, sizeof(T) == 4 ? PMRT_F32 : PMRT_F64, list);
      local[d] = part(ctx, whole, arrays[d]);
      arrays[d].data = local[d].data();
      pointers.push_back(&arrays[d]);
    }
    std::vector<int64_t> out(local[0].size());
    const pmrt_array to = arrayOver(out.data(), PMRT_I64, list);
    std::vector<double> numbers = {one.length};
    numbers.insert(numbers.end(), one.box.begin(), one.box.end());
    pmrt_friends(&ctx, nullptr, 0, one.axes, pointers.data(), numbers.data(),
                 &to);
    std::vector<int64_t> places(static_cast<size_t>(points));
    std::iota(places.begin(), places.end(), 0);
    const std::vector<int64_t> own = part(ctx, places, to);
    for (size_t i = 0; i < own.size(); ++i)
      all[size_t(own[i])] = out[i];
  });
  return all;
}

const std::vector<FriendsCase> cases = {
    {3, 0.2, {10, 10, 10}},  {3, 0.5, {10, 10, 10}},   {3, 0.3, {0, 0, 0}},
    {3, 0.3, {10, 0, 20}},   {3, 3, {10, 10, 10}},     {3, 25, {10, 10, 10}},
    {3, 1e-3, {10, 10, 10}}, {2, 0.2, {10, 10, 0}},    {2, 0.1, {0, 0, 0}},
    {1, 0.01, {10, 0, 0}},   {1, 0.003, {0, 0, 0}, 2}, {3, 1, {10, 10, 10}, 0}};

} // namespace

TEST(Friends, GroupsOfAllPairs) {
  for (const FriendsCase &one : cases) {
    const Coordinates at = coordinatesOf(one);
    const auto expected = expectedGroups(one, at);
    const auto check = [&](const Extents &mesh, int threads) {
      SCOPED_TRACE(fmt::format("{} axes, length {}, mesh of {}, {} threads",
                               one.axes, one.length, ranksOf(mesh), threads));
      EXPECT_EQ(found<double>(one, at, mesh, threads), expected);
    };
    check({}, 1);
    check({}, 3);
    check({2}, 2);
    for (const Extents &mesh : std::vector<Extents>{{5}, {9}, {2, 3}})
      check(mesh, 1);
  }
}

/// The number of points that fill several tiles along each axis.
TEST(Friends, ManyTiles) {
  constexpr int64_t points = rows * 2200;
  const std::vector<FriendsCase> large = {
      {3, 0.5, {40, 40, 40}}, {3, 1, {0, 40, 0}}, {2, 0.1, {40, 40, 0}}};
  for (const FriendsCase &one : large) {
    const Coordinates at = coordinatesOf(one, points, 40);
    const auto expected = expectedGroups(one, at);
    SCOPED_TRACE(fmt::format("{} axes, length {}", one.axes, one.length));
    EXPECT_EQ(found<double>(one, at, {}, 1), expected);
    EXPECT_EQ(found<double>(one, at, {}, 3), expected);
    EXPECT_EQ(found<double>(one, at, {3}, 2), expected);
  }
}

/// Columns of cells in the clumps contain hundreds of points. If the linking
/// length is short, the columns are wider than it.
TEST(Friends, CrowdedColumns) {
  constexpr int64_t points = rows * 2000;
  const std::vector<FriendsCase> crowded = {{3, 0.2, {10, 10, 10}, 2},
                                            {3, 0.02, {10, 0, 10}, 2},
                                            {3, 0.003, {10, 10, 10}, 2},
                                            {2, 0.002, {10, 10, 0}, 2}};
  for (const FriendsCase &one : crowded) {
    const Coordinates at = coordinatesOf(one, points);
    SCOPED_TRACE(fmt::format("{} axes, length {}", one.axes, one.length));
    EXPECT_EQ(found<double>(one, at, {}, 1), expectedGroups(one, at));
  }
}

/// Most points are at one place. Therefore some ranks, between the ranks of
/// this place and those of its neighbors, have no points.
TEST(Friends, RanksWithoutPoints) {
  constexpr int64_t points = rows * 83;
  const FriendsCase open = {1, 0.01, {0, 0, 0}},
                    periodic = {1, 0.01, {10, 0, 0}};
  for (const double crowd : {0.001, 3.0, 5.0, 9.999}) {
    Coordinates at;
    at[0].assign(size_t(points), crowd);
    // Chains of friends on both sides, and at the ends of the box.
    for (size_t i = 0; i < 40; ++i)
      at[0][7 * i] = crowd + 0.009 * (double(i) - 20);
    at[0][1] = 0;
    at[0][2] = 10;
    for (const FriendsCase &one : {open, periodic}) {
      const auto expected = expectedGroups(one, at);
      for (const Extents &mesh : std::vector<Extents>{{2}, {5}, {9}, {2, 3}}) {
        SCOPED_TRACE(fmt::format("most points at {}, box {}, {} ranks", crowd,
                                 one.box[0], ranksOf(mesh)));
        EXPECT_EQ(found<double>(one, at, mesh, 1), expected);
      }
    }
  }
}

TEST(Friends, SinglePrecision) {
  const FriendsCase one = {3, 0.4, {10, 10, 10}};
  Coordinates at = coordinatesOf(one);
  for (auto &axis : at)
    for (double &x : axis)
      x = double(float(x));
  const auto expected = expectedGroups(one, at);
  EXPECT_EQ(found<float>(one, at, {}, 2), expected);
  EXPECT_EQ(found<float>(one, at, {3}, 1), expected);
}

TEST(Friends, OneClumpAndEqualPositions) {
  const FriendsCase one = {3, 0.5, {10, 10, 10}};
  Coordinates at;
  for (auto &axis : at)
    axis.assign(rows * 83, 9.99);
  const std::vector<int64_t> expected(at[0].size(), 0);
  EXPECT_EQ(found<double>(one, at, {}, 2), expected);
  EXPECT_EQ(found<double>(one, at, {4}, 1), expected);
  const FriendsCase open = {3, 0.5, {0, 0, 0}};
  EXPECT_EQ(found<double>(open, at, {4}, 1), expected);
}

TEST(Friends, WrongNumbers) {
  const Coordinates at = coordinatesOf({3, 1, {10, 10, 10}});
  const auto message = [&](const FriendsCase &one, const Coordinates &where,
                           const Extents &mesh) -> std::string {
    try {
      found<double>(one, where, mesh, 1);
    } catch (const std::exception &e) {
      return e.what();
    }
    return "";
  };
  for (const Extents &mesh : std::vector<Extents>{{}, {3}}) {
    EXPECT_NE(message({3, 0, {10, 10, 10}}, at, mesh)
                  .find("the linking length is 0, expected a number above 0"),
              std::string::npos);
    EXPECT_NE(message({3, 1, {10, -1, 10}}, at, mesh)
                  .find("a side of the box is -1, expected a number above 0"),
              std::string::npos);
    EXPECT_NE(message({3, 1e-12, {10, 10, 10}}, at, mesh)
                  .find("the linking length 1e-12 is too short for positions "
                        "from 0 to 10"),
              std::string::npos);
    Coordinates bad = at;
    bad[1][500] = std::nan("");
    EXPECT_NE(message({3, 1, {10, 10, 10}}, bad, mesh)
                  .find("the position of element 500 is not finite"),
              std::string::npos);
  }
}
