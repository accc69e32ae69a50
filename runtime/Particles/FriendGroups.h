//===- FriendGroups.h - Friends of friends in one rank's memory -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This class finds groups of points. Two points are friends if their distance
// is at most the linking length. A group contains all points that a chain of
// friends connects. The box is divided into tiles. A tile gets its points, and
// copies (ghosts) of the points of tiles above that may be friends of its
// points. In a periodic box, ghosts of tiles below the upper end are images.
// Therefore each pair of friends is in at least one tile. FriendTile finds the
// pairs of a tile. Each group is a tree of a union-find structure, which all
// threads update concurrently. The groups do not depend on the order of these
// updates.
//
// This class exchanges no messages between ranks. Dist/Friends.cpp does.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_FRIENDGROUPS_H
#define PMRT_PARTICLES_FRIENDGROUPS_H

#include "runtime/Base/Threads.h"
#include "runtime/Particles/FriendTile.h"

#include <vector>

namespace pmrt {

/// The coordinates of points.
class FriendPositions {
public:
  static constexpr int64_t blockSize = 256;
  /// The coordinates of some points along each axis.
  using Block = std::array<std::array<double, blockSize>, 3>;

  virtual ~FriendPositions() = default;
  /// Stores the coordinates of the points from `first` on.
  virtual void read(int64_t first, int64_t count, Block &to) const = 0;
};

class FriendGroups {
public:
  /// The last `lifted` points are treated as images: their positions are one
  /// period above their coordinates along the axis `slabs`. If ranks divide the
  /// points along this axis, `hasImages` is false there, because the ranks have
  /// made these images already.
  /// `groups`: the array that `run` fills. It stores the tiles of points first.
  FriendGroups(Threads &threads, const FriendBox &box,
               const std::array<bool, 3> &hasImages,
               const FriendPositions &positions, int64_t count, int64_t *groups,
               int64_t lifted = 0, size_t slabs = 0);

  /// Whether cells of a tile can be numbered, whatever the size of the tile.
  static bool hasCells(const FriendBox &box);
  /// The size of the memory that `run` requires.
  int64_t bytes() const;
  /// Finds the groups. groups[i] becomes the least index of the points in the
  /// group of point i.
  void run(char *memory);

private:
  void chooseTiles();
  void countTiles();
  template <typename Visit> void forBlocks(int64_t part, Visit visit) const;
  void lift(int64_t first, int64_t size, FriendPositions::Block &at) const;
  void findTiles(const FriendPositions::Block &at, int64_t size,
                 int64_t *found) const;
  template <typename Visit> void forGhosts(int64_t found, Visit visit) const;
  void fillTiles();
  void linkTile(char *memory, int64_t tile);

  int64_t root(int64_t point);
  void unite(int64_t a, int64_t b);

  Threads &threads;
  const FriendBox box;
  const std::array<bool, 3> hasImages;
  const FriendPositions &positions;
  const int64_t count, firstLifted;
  const size_t slabs;
  std::array<double, 3> low = {}, extents = {}; ///< of the points and images
  std::array<int64_t, 3> tiles = {1, 1, 1};     ///< along each axis
  std::array<double, 3> sides = {}, tilesOfUnit = {};
  /// The points of a tile up to this distance from its lower end are ghosts of
  /// the tile below; the same for the first tile along each axis.
  double reach;
  std::array<double, 3> reachOfFirst;

  int64_t parts = 1; ///< the number of parts of the points
  /// The number of points of each tile in each part, and then the index of the
  /// next one in `inTiles`.
  std::vector<int64_t> next;
  std::vector<int64_t> starts; ///< the first point of each tile, and the end
  int64_t largest = 0, largestShared = 0;

  TilePoint *inTiles = nullptr;
  /// The tile of each point with bits for ghosts and images, and then the
  /// parent of the point.
  int64_t *parents;
};

} // namespace pmrt

#endif // PMRT_PARTICLES_FRIENDGROUPS_H
