//===- LatticeTilesTest.cpp - Colouring tiles by what they touch ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/LatticeTiles.h"
#include "test/runtime/Support.h"

#include <cmath>
#include <set>

using namespace pmrt;
using namespace pmrt::test;

namespace {

std::set<int64_t> cellsOf(const Interval &interval, int64_t cells) {
  std::set<int64_t> all;
  for (int64_t i = 0; i < interval.length; ++i)
    all.insert((interval.start + i) % cells);
  return all;
}

} // namespace

TEST(LatticeTiles, WrapKeepsTheCells) {
  for (int64_t first : {-25, -3, 0, 7, 40})
    for (int64_t length : {1, 2, 9, 10, 11, 500}) {
      const Interval interval =
          wrap(double(first), double(first + length - 1), 10);
      std::set<int64_t> want;
      for (int64_t i = first; i < first + length; ++i)
        want.insert(((i % 10) + 10) % 10);
      EXPECT_EQ(cellsOf(interval, 10), want);
      EXPECT_GE(interval.start, 0);
      EXPECT_LT(interval.start, 10);
    }
  EXPECT_EQ(wrap(INFINITY, -INFINITY, 10).length, 10);
  EXPECT_EQ(wrap(NAN, 1, 10).length, 10);
  EXPECT_EQ(wrap(-1e300, 1e300, 10).length, 10);
  EXPECT_EQ(wrap(3, 2, 10).length, 0);
}

TEST(LatticeTiles, OverlapOfPeriodicIntervals) {
  const int64_t cells = 7;
  for (int64_t a = 0; a < cells; ++a)
    for (int64_t b = 0; b < cells; ++b)
      for (int64_t la = 0; la <= cells; ++la)
        for (int64_t lb = 0; lb <= cells; ++lb) {
          const Interval x{a, la}, y{b, lb};
          bool common = false;
          for (int64_t cell : cellsOf(x, cells))
            common = common || cellsOf(y, cells).contains(cell);
          ASSERT_EQ(overlap(x, y, cells), common)
              << a << "+" << la << " and " << b << "+" << lb;
        }
}

TEST(LatticeTiles, GroupsShareNoCellAndHoldEveryTile) {
  const int64_t cells[2] = {40, 30};
  uint64_t state = 3;
  auto random = [&](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int64_t((state >> 33) % uint64_t(below));
  };
  std::vector<LatticeTile> tiles(200);
  for (LatticeTile &tile : tiles)
    for (int d = 0; d < 2; ++d)
      tile.touched[d] = {random(cells[d]), random(12)};
  const auto groups = colour(tiles, cells);
  std::vector<int> seen(tiles.size(), 0);
  for (const auto &group : groups)
    for (size_t i = 0; i < group.size(); ++i) {
      ++seen[size_t(group[i])];
      for (size_t j = 0; j < i; ++j) {
        const LatticeTile &a = tiles[size_t(group[i])],
                          &b = tiles[size_t(group[j])];
        EXPECT_FALSE(overlap(a.touched[0], b.touched[0], cells[0]) &&
                     overlap(a.touched[1], b.touched[1], cells[1]));
      }
    }
  EXPECT_EQ(seen, std::vector<int>(tiles.size(), 1));
  EXPECT_LT(groups.size(), tiles.size() / 3);
}

TEST(LatticeTiles, CountsAreModest) {
  EXPECT_EQ(tilesAlong(1), 1);
  EXPECT_EQ(tilesAlong(3), 1);
  EXPECT_EQ(tilesAlong(16), 8);
  EXPECT_EQ(tilesAlong(128), 16);
  EXPECT_EQ(tilesAlong(512), 32);
  EXPECT_EQ(tilesAlong(4096), 32);
  // Blocks of 16 sites.
  EXPECT_EQ(tilesAlong(3, 16), 1);
  EXPECT_EQ(tilesAlong(64, 16), 8);
  EXPECT_EQ(tilesAlong(256, 16), 16);
  EXPECT_EQ(tilesAlong(4096, 16), 32);
}
