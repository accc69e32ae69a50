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
// point has no friends, and is left out. The other points are entries, which
// are sorted into columns along the last axis. The columns of two friends
// differ by at most one along each of the other axes. Distances from an entry
// to all entries in the columns around are computed in type float. Where
// rounding may decide, the distance is computed again from the coordinates.
//
// Columns with many entries are divided into cells whose diagonal is about the
// linking length. Therefore all points of a cell are friends.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_FRIENDTILE_H
#define PMRT_PARTICLES_FRIENDTILE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

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

  /// The size of the memory for a tile with this number of points: whole cache
  /// lines, so that the memory of each thread is aligned if the first one is.
  static int64_t bytes(int64_t points) {
    constexpr int64_t line = 64;
    return ((points + 2) * bytesOfPoint + bytesOfTile + line - 1) / line * line;
  }
  /// Finds the groups of the points of a tile. Calls unite(place, least) for
  /// each point whose index is not the least index of its group, `least`.
  /// `corner`: the lower corner of the tile.
  template <typename Unite>
  void run(char *memory, const TilePoint *tilePoints, int64_t count,
           const std::array<double, 3> &corner, const Unite &unite) {
    points = tilePoints;
    takeMemory(memory, count);
    readPoints(count, corner);
    findCandidates(count);
    sortCandidates();
    linkEntries();
    for (int64_t e = 0; e < size; ++e) {
      const uint32_t own = parents[parents[e]]; // the root, because e increases
      const int64_t index = places[e] & TilePoint::indexMask;
      parents[e] = own;
      least[own] = e == own ? index : std::min(least[own], index);
    }
    for (int64_t e = 0; e < size; ++e) {
      const int64_t place = places[e], lowest = least[parents[e]];
      if ((place & TilePoint::indexMask) != lowest)
        unite(place, lowest);
    }
  }

private:
  /// The points that are near a point among `lanes` points from `first` on.
  /// Bit i of the other members is that of point `first` + i.
  struct Near {
    uint32_t point, first;
    uint16_t near;  ///< the point is near
    uint16_t close; ///< the points may be friends
    uint16_t sure;  ///< the points are friends, whatever the rounding
  };
  /// A bitmap has 64 × 64 words. Bit x of word 64 y + z is a cell. The cells at
  /// the ends of each axis are empty. Points are often in the order of a
  /// lattice whose last axis is z. Therefore consecutive points rarely change
  /// the same word, and no point waits for the word of the previous one.
  static constexpr int64_t wordsOfBitmap = 1 << 12;
  /// The largest number of columns, including empty ones.
  static constexpr uint64_t mostListed = 1 << 13;
  static constexpr int64_t sizeOfBuffer = 1 << 10;
  /// The number of distances that are computed at once.
  static constexpr int64_t lanes = 16;
  static constexpr int64_t bytesOfTile =
      2 * wordsOfBitmap * int64_t(sizeof(uint64_t)) +
      int64_t(mostListed + 2) * int64_t(sizeof(uint32_t)) +
      sizeOfBuffer * int64_t(sizeof(Near)) + 6 * lanes * int64_t(sizeof(float));
  static constexpr int64_t bytesOfPoint =
      sizeof(uint64_t) + 3 * sizeof(int64_t) + 6 * sizeof(float) +
      5 * sizeof(uint32_t);

  void takeMemory(char *memory, int64_t count);
  void readPoints(int64_t count, const std::array<double, 3> &corner);
  template <typename Real, typename Key>
  void numberCells(const std::array<const double *, 3> &away, int64_t first,
                   int64_t number, Key *to);
  void findCandidates(int64_t count);
  void sortCandidates();
  void linkEntries();
  int64_t findNear(const std::array<float *, 3> &at, float square,
                   int64_t point, int64_t from, int64_t end, int64_t found);
  template <typename Visit> void forNear(int64_t count, const Visit &visit);
  void linkNear(int64_t count);
  void makeCells();
  void linkColumn(uint64_t column);
  void linkNearCells(int64_t count);
  void linkCells(int64_t a, int64_t b, bool isClose);
  bool areFriends(int64_t a, int64_t b) const;
  int64_t root(int64_t entry);
  void unite(int64_t a, int64_t b);

  const FriendBox &box;
  std::array<double, 3> periods;    ///< of the box
  const double cellsOfUnit;         ///< the reciprocal of the side of a cell
  std::array<double, 3> bitsOfUnit; ///< the same for the cells of bitmaps
  /// Squares of rounded distances in units of the linking length: the largest
  /// one of friends, and the one up to which all entries are friends.
  float mostSquare = 0, sureSquare = 0;
  /// A column is 2^columnShifts cells wide. A key consists of the number of the
  /// column, from bit keyShift on; the height of the cell, from bit subShift
  /// on; and the place of the cell across the column.
  std::array<int, 2> columnShifts = {1, 1};
  int subShift = 0, keyShift = 0;
  uint64_t columnsOfRow = 0; ///< along the second axis, including empty columns
  uint64_t columnCount = 0;  ///< including empty columns
  bool isShort = false;      ///< whether offsets of type float are exact enough
  int64_t size = 0, cellEnd = 0;

  const TilePoint *points = nullptr;
  uint64_t *once = nullptr;   ///< the bits of cells with a point
  uint64_t *twice = nullptr;  ///< the bits of cells with several points
  Near *nearPoints = nullptr; ///< a buffer
  uint64_t *keys = nullptr;   ///< the key of each point
  int64_t *places = nullptr;  ///< the place of each entry's point
  int64_t *least = nullptr;   ///< least index in the group of a root
  int64_t *heights = nullptr; ///< the height of each cell
  uint32_t *listed = nullptr; ///< the end of each column: an entry
  std::array<float *, 3> offsets = {}; ///< of each point, and later cell
  std::array<float *, 3> sorted = {};  ///< the offsets of each entry
  uint32_t *bits = nullptr;            ///< where each point is in the bitmap
  uint32_t *candidates = nullptr;      ///< the points that may have friends
  uint32_t *order = nullptr;           ///< the point of each entry
  uint32_t *parents = nullptr;         ///< parent of each entry
  uint32_t *cells = nullptr; ///< the first entry of each cell, and the end
};

} // namespace pmrt

#endif // PMRT_PARTICLES_FRIENDTILE_H
