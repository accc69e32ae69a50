//===- FriendTile.h - Friends of friends in a tile of the box ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This class finds the groups of the points in one tile, a small part of a box.
// A tile is small enough for the caches of a processor.
//
// A bitmap of cells, which are at least as wide as the linking length, finds
// points without another point in their cell and in the 26 cells around. Such a
// point has no friends, and is left out. The other points are sorted into cells
// whose diagonal is about the linking length. Therefore all points of a cell
// are friends. Two times two cells make a column along the last axis. The
// columns of two friends differ by at most one along each of the first two
// axes, and their cells by at most two along the last axis.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_FRIENDTILE_H
#define PMRT_PARTICLES_FRIENDTILE_H

#include "runtime/Core/RadixSort.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace pmrt {

/// A point: its coordinates, and its number among the points of all ranks.
struct FriendPoint {
  std::array<double, 3> at;
  int64_t number;
};

/// The box that contains the points, and the linking length.
struct FriendBox {
  /// The period of an axis that is not periodic.
  static constexpr double open = std::numeric_limits<double>::infinity();

  double length = 0;                         ///< the linking length
  std::array<double, 3> low = {}, high = {}; ///< bounds of the coordinates
  std::array<double, 3> period = {open, open, open};

  /// Slightly more than the linking length, because coordinates are rounded.
  double reach() const { return length * (1 + 2e-6); }
};

/// A point in a tile, or the image of a point one period above.
struct TilePoint {
  /// Bit `above + d` of `place` is set for an image along axis d. Bit `shared`
  /// is set if other tiles contain the point, too.
  static constexpr unsigned shared = 59, above = 60;
  static constexpr int64_t indexMask = (int64_t(1) << shared) - 1;

  std::array<double, 3> at; ///< coordinates of the point, not of the image
  int64_t place;            ///< the index of the point, and bits
};

class FriendTile {
public:
  /// `sides`: the sides of all tiles. Coordinates in a tile are up to a side
  /// and the reach above its corner.
  FriendTile(const FriendBox &box, const std::array<double, 3> &sides);

  /// The size of the memory for a tile with this number of points.
  static int64_t bytes(int64_t points) {
    return (points + 2) * bytesOfPoint + bytesOfTile;
  }
  /// Finds the groups of the points of a tile. Calls unite(place, least) for
  /// each point in a group whose index is not the least one, `least`. `corner`:
  /// the lower corner of the tile.
  template <typename Unite>
  void run(char *memory, const TilePoint *tilePoints, int64_t count,
           const std::array<double, 3> &corner, const Unite &unite) {
    points = tilePoints;
    findCandidates(memory, count, corner);
    linkColumns();
    for (int64_t e = 0; e < size; ++e) {
      const int64_t own = parents[parents[e]]; // the root, because e increases
      const int64_t index = sorted[e].place & TilePoint::indexMask;
      parents[e] = own;
      least[own] = e == own ? index : std::min(least[own], index);
    }
    for (int64_t e = 0; e < size; ++e) {
      const int64_t place = sorted[e].place, lowest = least[parents[e]];
      if ((place & TilePoint::indexMask) != lowest)
        unite(place, lowest);
    }
  }

private:
  /// A run of entries with equal keys.
  struct Cell {
    int64_t height; ///< along the last axis
    int64_t first;  ///< the index of its first entry
  };
  /// A run of cells with equal coordinates along the first two axes.
  struct Column {
    uint64_t number;
    int64_t first; ///< the index of its first cell
  };
  struct Pair {
    int64_t a, b;
  };
  /// Coordinates, and a 0 so that vectors of four numbers hold them.
  using Place = std::array<double, 4>;
  /// A bitmap has 64 × 64 words. Bit x of word 64 y + z is a cell. The cells at
  /// the ends of each axis are empty. Points are often in the order of a
  /// lattice whose last axis is z. Therefore consecutive
  /// points rarely change the same word, for which the second one would wait.
  static constexpr int64_t wordsOfBitmap = 1 << 12;
  /// The largest number of columns, including empty ones, that an array lists.
  static constexpr uint64_t mostListed = 1 << 13;
  static constexpr int64_t sizeOfBuffer = 1 << 10;
  static constexpr int64_t bytesOfTile =
      2 * wordsOfBitmap * int64_t(sizeof(uint64_t)) +
      int64_t(mostListed + 2) * int64_t(sizeof(uint32_t)) +
      (3 * sizeOfBuffer + 1) * int64_t(sizeof(Pair));
  static constexpr int64_t bytesOfPoint = 2 * sizeof(SortEntry) + sizeof(Cell) +
                                          sizeof(Column) + sizeof(Place) +
                                          2 * sizeof(int64_t);

  void findCandidates(char *memory, int64_t count,
                      const std::array<double, 3> &corner);
  int64_t findCloseCells(const std::array<double, 3> &corner, int64_t count);
  std::array<double, 3> offset(const TilePoint &point,
                               const std::array<double, 3> &corner) const;
  uint64_t keyOf(const std::array<double, 3> &offset) const;
  void linkColumns();
  int64_t columnFrom(uint64_t number) const;
  void pairCells(int64_t cell, int64_t from, int64_t end);
  void pairColumns(int64_t a, int64_t b);
  void linkPairs();
  void linkCells(const Pair &pair);
  bool areFriends(const Place &a, const Place &b) const;
  int64_t root(int64_t entry);
  void unite(int64_t a, int64_t b);

  const FriendBox &box;
  Place periods;                    ///< of the box
  const double cellsOfUnit;         ///< the reciprocal of the side of a cell
  std::array<double, 3> bitsOfUnit; ///< the same for the cells of bitmaps
  std::array<uint64_t, 3> strides = {};
  int columnShift = 0;      ///< the number of a column is key >> columnShift
  uint64_t columnCount = 0; ///< including empty columns
  int64_t size = 0, cellEnd = 0, columnEnd = 0, pairCount = 0;

  const TilePoint *points = nullptr;
  uint64_t *once = nullptr;    ///< the bits of cells with a point
  uint64_t *twice = nullptr;   ///< the bits of cells with several points
  uint32_t *listed = nullptr;  ///< the first column from each number on
  Pair *pairs = nullptr;       ///< cells that may contain friends
  Pair *friends = nullptr;     ///< entries that are friends
  Pair *others = nullptr;      ///< cells whose first points are not friends
  SortEntry *sorted = nullptr; ///< key and place of each entry
  Cell *cells = nullptr;       ///< and an end marker
  Column *columns = nullptr;   ///< and an end marker
  Place *places = nullptr;     ///< coordinates of each entry
  int64_t *parents = nullptr;  ///< parent of each entry
  int64_t *least = nullptr;    ///< least index in the group of a root
};

} // namespace pmrt

#endif // PMRT_PARTICLES_FRIENDTILE_H
