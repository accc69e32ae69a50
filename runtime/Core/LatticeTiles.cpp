//===- LatticeTiles.cpp - Coloring of lattice tiles -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/LatticeTiles.h"

#include <algorithm>
#include <cmath>

using namespace pmrt;

Interval pmrt::wrap(double first, double last, int64_t cells) {
  constexpr double sane = 1e15;
  const bool good = std::abs(first) < sane && std::abs(last) < sane;
  if (!good || last - first + 1 >= double(cells))
    return {0, cells};
  if (last < first)
    return {0, 0};
  const int64_t rest = int64_t(first) % cells;
  return {rest < 0 ? rest + cells : rest, int64_t(last) - int64_t(first) + 1};
}

bool pmrt::overlap(const Interval &a, const Interval &b, int64_t cells) {
  const int64_t ahead = b.start - a.start;
  const int64_t forward = ahead < 0 ? ahead + cells : ahead;
  const int64_t backward = forward == 0 ? 0 : cells - forward;
  return (forward < a.length && b.length > 0) ||
         (backward < b.length && a.length > 0);
}

std::vector<std::vector<int32_t>>
pmrt::colour(const std::vector<LatticeTile> &tiles, const int64_t cells[2]) {
  std::vector<std::vector<int32_t>> groups;
  for (size_t i = 0; i < tiles.size(); ++i) {
    auto meets = [&](int32_t other) {
      for (int d = 0; d < 2; ++d)
        if (!overlap(tiles[i].touched[d], tiles[size_t(other)].touched[d],
                     cells[d]))
          return false;
      return true;
    };
    auto place = std::find_if(groups.begin(), groups.end(), [&](auto &group) {
      return std::none_of(group.begin(), group.end(), meets);
    });
    if (place == groups.end())
      place = groups.emplace(groups.end());
    place->push_back(int32_t(i));
  }
  return groups;
}

int64_t pmrt::tilesAlong(int64_t rows) {
  // Wide tiles reuse the mesh cells in the cache, narrow ones let more threads
  // work at a time.
  return std::min(std::clamp<int64_t>(rows / 16, 16, 32),
                  std::max<int64_t>(1, rows / 2));
}

int64_t pmrt::tilesAlong(int64_t rows, int64_t sites) {
  return std::min(
      std::clamp<int64_t>(rows / std::max<int64_t>(sites, 1), 8, 32),
      std::max<int64_t>(1, rows / 2));
}
