//===- FriendGroups.cpp - Friends of friends in one rank's memory ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/FriendGroups.h"
#include "runtime/Particles/LatticeBox.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

using namespace pmrt;

namespace {

/// The mean number of points of a tile. Their work arrays fit into the caches
/// of a core.
constexpr double pointsOfTile = 1728;

/// The least side of a tile in units of the reach, so that few points are
/// ghosts.
constexpr double leastSide = 8;

/// Tiles with more points are processed one at a time, because each of them
/// requires much memory.
constexpr int64_t mostShared = 1 << 17;

/// The least number of points that one thread sorts into tiles.
constexpr int64_t leastPart = 1 << 13;

/// The bits that findTiles sets.
constexpr unsigned nearBit = 56, firstBit = 59;
constexpr int64_t tileMask = (int64_t(1) << nearBit) - 1;

} // namespace

bool FriendGroups::hasCells(const FriendBox &box) {
  double cells = 1;
  for (size_t d = 0; d < 3; ++d) {
    const double along =
        2 * (box.high[d] - box.low[d] + box.length) / box.length;
    cells *= along + 6;
    if (!(along < 0x1p31))
      return false;
  }
  return cells < 0x1p61;
}

FriendGroups::FriendGroups(Threads &threads, const FriendBox &box,
                           const std::array<bool, 3> &hasImages,
                           const FriendPositions &positions, int64_t count,
                           int64_t *groups, int64_t lifted, size_t slabs)
    : threads(threads), box(box), hasImages(hasImages), positions(positions),
      count(count), firstLifted(count - lifted), slabs(slabs),
      reach(box.reach()), parents(groups) {
  parts = std::max<int64_t>(
      1, std::min<int64_t>(threads.count(), count / leastPart));
  chooseTiles();
  countTiles();
}

/// Calls visit(first, count, coordinates) for blocks of the points of a part.
template <typename Visit>
void FriendGroups::forBlocks(int64_t part, Visit visit) const {
  FriendPositions::Block at;
  const int64_t end = (part + 1) * count / parts;
  for (int64_t first = part * count / parts; first < end;) {
    const int64_t number = std::min(FriendPositions::blockSize, end - first);
    positions.read(first, number, at);
    visit(first, number, at);
    first += number;
  }
}

/// Moves the lifted points of a block by one period, to their images.
void FriendGroups::lift(int64_t first, int64_t size,
                        FriendPositions::Block &at) const {
  for (int64_t i = std::max(firstLifted - first, int64_t(0)); i < size; ++i)
    at[slabs][size_t(i)] += box.period[slabs];
}

/// Divides the volume of the points into tiles that contain equal numbers of
/// points if the points are uniform.
void FriendGroups::chooseTiles() {
  using Bounds = std::array<std::array<double, 2>, 3>;
  std::vector<Bounds> bounds(size_t(parts),
                             {{{FriendBox::open, -FriendBox::open},
                               {FriendBox::open, -FriendBox::open},
                               {FriendBox::open, -FriendBox::open}}});
  if (!std::ranges::all_of(hasImages, std::identity()))
    threads.team(parts, [&](int64_t part) {
      forBlocks(part,
                [&](int64_t first, int64_t size, FriendPositions::Block &at) {
                  lift(first, size, at);
                  for (size_t d = 0; d < 3; ++d) {
                    auto &[least, most] = bounds[size_t(part)][d];
                    for (int64_t i = 0; i < size; ++i) {
                      least = std::min(least, at[d][size_t(i)]);
                      most = std::max(most, at[d][size_t(i)]);
                    }
                  }
                });
    });
  for (size_t d = 0; d < 3; ++d) {
    reachOfFirst[d] = hasImages[d] ? reach : -FriendBox::open;
    low[d] = box.low[d];
    double high = box.high[d];
    if (!hasImages[d] && count > 0) {
      low[d] = FriendBox::open;
      high = -FriendBox::open;
      for (const Bounds &one : bounds) {
        low[d] = std::min(low[d], one[d][0]);
        high = std::max(high, one[d][1]);
      }
    }
    extents[d] = high - low[d];
  }
  // Axes that are shorter than a tile are not divided.
  std::array<bool, 3> isDivided = {true, true, true};
  double side = 0;
  for (bool changed = true; changed;) {
    changed = false;
    double volume = pointsOfTile / double(std::max<int64_t>(count, 1));
    int axes = 0;
    for (size_t d = 0; d < 3; ++d)
      if (isDivided[d]) {
        volume *= extents[d];
        ++axes;
      }
    side =
        std::max(std::pow(volume, 1.0 / std::max(axes, 1)), leastSide * reach);
    for (size_t d = 0; d < 3; ++d)
      if (isDivided[d] && !(extents[d] >= 2 * side)) {
        isDivided[d] = false;
        changed = true;
      }
  }
  for (size_t d = 0; d < 3; ++d) {
    if (isDivided[d])
      tiles[d] = int64_t(extents[d] / side);
    sides[d] = extents[d] / double(tiles[d]);
    tilesOfUnit[d] = sides[d] > 0 ? 1 / sides[d] : 0;
  }
}

/// Stores the tile of each point of a block. Bit `nearBit + d` is set if the
/// tile below along axis d gets a ghost. Bit `firstBit + d` is set if this tile
/// is the last one, which gets an image.
PMRT_CLONES void FriendGroups::findTiles(const FriendPositions::Block &at,
                                         int64_t size, int64_t *found) const {
  std::fill_n(found, size, 0);
  for (size_t d = 0; d < 3; ++d) {
    const double start = low[d], scale = tilesOfUnit[d], side = sides[d];
    const double here = reach, inFirst = reachOfFirst[d];
    const auto last = int32_t(tiles[d] - 1);
    for (int64_t i = 0; i < size; ++i) {
      const double away = at[d][size_t(i)] - start;
      const int32_t number = std::min(int32_t(away * scale), last);
      const bool isFirst = number == 0;
      const bool isNear =
          away - double(number) * side <= (isFirst ? inFirst : here);
      const int64_t bits = int64_t(isNear) << (nearBit + d) |
                           int64_t(isNear & isFirst) << (firstBit + d);
      found[i] = ((found[i] & tileMask) * tiles[d] + number) |
                 (found[i] & ~tileMask) | bits;
    }
  }
}

/// Calls visit(tile, images) for each tile that gets a ghost of a point, where
/// findTiles found `found` for the point. Bit d of `images` is set if the ghost
/// is the image one period above along axis d.
template <typename Visit>
void FriendGroups::forGhosts(int64_t found, Visit visit) const {
  const std::array<int64_t, 3> strides = {tiles[1] * tiles[2], tiles[2], 1};
  constexpr unsigned axes = 7;
  const auto near = unsigned(found >> nearBit) & axes,
             first = unsigned(found >> firstBit) & axes;
  for (unsigned below = 1; below <= near; ++below) {
    if (below & ~near)
      continue;
    int64_t ghost = found & tileMask;
    for (size_t d = 0; d < 3; ++d)
      if (below >> d & 1)
        ghost += strides[d] * (first >> d & 1 ? tiles[d] - 1 : -1);
    visit(ghost, below & first);
  }
}

void FriendGroups::countTiles() {
  const int64_t all = tiles[0] * tiles[1] * tiles[2];
  next.assign(size_t(all * parts), 0);
  threads.team(parts, [&](int64_t part) {
    int64_t *counts = next.data() + part * all;
    forBlocks(part,
              [&](int64_t first, int64_t size, FriendPositions::Block &at) {
                lift(first, size, at);
                findTiles(at, size, parents + first);
                for (int64_t i = first; i < first + size; ++i) {
                  ++counts[parents[i] & tileMask];
                  if (parents[i] > tileMask)
                    forGhosts(parents[i],
                              [&](int64_t tile, unsigned) { ++counts[tile]; });
                }
              });
  });
  starts.assign(size_t(all) + 1, 0);
  int64_t sum = 0;
  for (int64_t tile = 0; tile < all; ++tile) {
    starts[size_t(tile)] = sum;
    for (int64_t part = 0; part < parts; ++part)
      sum += std::exchange(next[size_t(part * all + tile)], sum);
    const int64_t size = sum - starts[size_t(tile)];
    largest = std::max(largest, size);
    if (size <= mostShared)
      largestShared = std::max(largestShared, size);
  }
  starts.back() = sum;
}

int64_t FriendGroups::bytes() const {
  return starts.back() * int64_t(sizeof(TilePoint)) +
         std::max(FriendTile::bytes(largest),
                  FriendTile::bytes(largestShared) * threads.count());
}

void FriendGroups::run(char *memory) {
  inTiles = reinterpret_cast<TilePoint *>(memory);
  fillTiles();
  char *work = reinterpret_cast<char *>(inTiles + starts.back());
  const auto all = int64_t(starts.size()) - 1;
  const auto sizeOf = [&](int64_t tile) {
    return starts[size_t(tile) + 1] - starts[size_t(tile)];
  };
  for (int64_t tile = 0; tile < all; ++tile)
    if (sizeOf(tile) > mostShared)
      linkTile(work, tile);
  std::atomic<int64_t> tile = 0;
  threads.team(threads.count(), [&](int64_t thread) {
    char *own = work + thread * FriendTile::bytes(largestShared);
    for (int64_t i; (i = tile.fetch_add(1, std::memory_order_relaxed)) < all;)
      if (sizeOf(i) > 1 && sizeOf(i) <= mostShared)
        linkTile(own, i);
  });
  threads.forRange(count, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      std::atomic_ref(parents[i]).store(root(i), std::memory_order_relaxed);
  });
}

/// Sorts the points and ghosts by their tiles.
void FriendGroups::fillTiles() {
  const auto all = int64_t(starts.size()) - 1;
  threads.team(parts, [&](int64_t part) {
    int64_t *slots = next.data() + part * all;
    forBlocks(part, [&](int64_t first, int64_t size,
                        const FriendPositions::Block &at) {
      for (int64_t i = first; i < first + size; ++i) {
        const auto k = size_t(i - first);
        const int64_t found = std::exchange(parents[i], i);
        const int64_t lifted =
            i >= firstLifted ? int64_t(1) << (TilePoint::above + slabs) : 0;
        const bool isShared = found > tileMask;
        const TilePoint point = {{at[0][k], at[1][k], at[2][k]},
                                 i | lifted |
                                     int64_t(isShared) << TilePoint::shared};
        inTiles[slots[found & tileMask]++] = point;
        if (!isShared)
          continue;
        forGhosts(found, [&](int64_t tile, unsigned images) {
          TilePoint ghost = point;
          ghost.place |= int64_t(images) << TilePoint::above;
          inTiles[slots[tile]++] = ghost;
        });
      }
    });
  });
}

void FriendGroups::linkTile(char *memory, int64_t tile) {
  std::array<double, 3> corner;
  int64_t number = tile;
  for (size_t d = 3; d-- > 0; number /= tiles[d])
    corner[d] = low[d] + double(number % tiles[d]) * sides[d];
  const int64_t from = starts[size_t(tile)];
  FriendTile(box, sides)
      .run(memory, inTiles + from, starts[size_t(tile) + 1] - from, corner,
           [&](int64_t place, int64_t least) {
             const int64_t index = place & TilePoint::indexMask;
             if (place >> TilePoint::shared & 1)
               unite(index, least);
             else // no other thread knows the point
               std::atomic_ref(parents[index])
                   .store(root(least), std::memory_order_relaxed);
           });
}

int64_t FriendGroups::root(int64_t point) {
  using Parent = std::atomic_ref<int64_t>;
  constexpr auto relaxed = std::memory_order_relaxed;
  int64_t parent = Parent(parents[point]).load(relaxed);
  while (parent != point) {
    const int64_t above = Parent(parents[parent]).load(relaxed);
    if (above != parent)
      Parent(parents[point]).store(above, relaxed);
    point = parent;
    parent = above;
  }
  return point;
}

/// Unites the trees of two points. The root with the lower index becomes the
/// parent of the other one.
void FriendGroups::unite(int64_t a, int64_t b) {
  while (true) {
    a = root(a);
    b = root(b);
    if (a == b)
      return;
    if (a < b)
      std::swap(a, b);
    int64_t expected = a;
    if (std::atomic_ref<int64_t>(parents[a])
            .compare_exchange_strong(expected, b, std::memory_order_relaxed))
      return;
  }
}
