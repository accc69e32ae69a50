//===- FriendGroups.h - Friends of friends in one rank's memory -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This class finds groups of points. Two points are friends if their distance
// is at most the linking length. A group contains all points that a chain of
// friends connects. The points are sorted into cells whose side is about half
// of the linking length. Therefore all points of a cell are friends. Two times
// two cells make a column along the last axis. The columns of two friends
// differ by at most one along each of the first two axes, and their cells by at
// most two along the last axis. Each group is a tree of a union-find structure,
// which all threads update concurrently. The groups do not depend on the order
// of these updates.
//
// This class exchanges no messages between ranks. Dist/Friends.cpp does.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_FRIENDGROUPS_H
#define PMRT_PARTICLES_FRIENDGROUPS_H

#include "runtime/Base/Threads.h"
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

/// The box that contains the points, and the test whether two points are
/// friends.
struct FriendBox {
  /// The period of an axis that is not periodic.
  static constexpr double open = std::numeric_limits<double>::infinity();

  double length = 0;                         ///< the linking length
  std::array<double, 3> low = {}, high = {}; ///< bounds of the coordinates
  std::array<double, 3> period = {open, open, open};

  /// The square of the distance between a and b. It has the same bits if a and
  /// b are exchanged.
  double square(const std::array<double, 3> &a,
                const std::array<double, 3> &b) const {
    double sum = 0;
    for (size_t d = 0; d < 3; ++d) {
      const double along = std::abs(a[d] - b[d]);
      const double least = std::min(along, period[d] - along);
      sum += least * least;
    }
    return sum;
  }
  bool areFriends(const std::array<double, 3> &a,
                  const std::array<double, 3> &b) const {
    return square(a, b) <= length * length;
  }
};

class FriendGroups {
public:
  /// The last `lifted` points are treated as images: their positions are one
  /// period above their coordinates along the axis `slabs`. If ranks divide the
  /// points along this axis, `hasImages` is false there, because the ranks have
  /// made these images already.
  FriendGroups(Threads &threads, const FriendBox &box,
               const std::array<bool, 3> &hasImages, const FriendPoint *points,
               int64_t count, int64_t lifted = 0, size_t slabs = 0);

  /// Whether the number of every cell fits into 62 bits.
  static bool hasCells(const FriendBox &box);
  /// The size of the memory that `run` requires.
  int64_t bytes() const { return entries * bytesOfEntry; }
  /// Finds the groups. groups[i]: index in labels() of the group of point i.
  void run(char *memory, int64_t *groups);
  /// The label of each group, which is the least number of its points. The
  /// labels are stored in the memory of `run`.
  int64_t *labels() const { return least; }

private:
  struct Cell {
    uint64_t key;
    int64_t first; ///< the index of its first entry
  };
  /// The entries [from, to) of a cell. Each point or image is one entry.
  struct Members {
    int64_t from, to;
  };
  using Numbers = std::array<int64_t, 3>;
  static constexpr int64_t bytesOfEntry =
      2 * sizeof(SortEntry) + sizeof(std::array<double, 3>) + sizeof(int64_t);
  /// This bit is set in `SortEntry::place` if the entry is an image.
  static constexpr int64_t imageBit = int64_t(1) << 62;

  static double sideOf(const FriendBox &box);
  uint64_t keyOf(const std::array<double, 3> &at) const;
  unsigned nearEnds(const std::array<double, 3> &at) const;
  template <typename Visit> void forImages(int64_t point, Visit visit) const;
  void sortEntries();
  void findCells();
  void linkCells(int64_t from, int64_t to);
  void linkCells(const Members &a, const Members &b);
  void linkColumn(int64_t from, int64_t to, uint64_t column);
  void linkAhead(int64_t cell, int64_t first, uint64_t column);
  void linkImages();
  void findLabels(int64_t *groups);
  int64_t entryOf(int64_t point) const;
  Members members(int64_t cell) const {
    return {cells[cell].first, cells[cell + 1].first};
  }

  int64_t root(int64_t entry);
  void unite(int64_t a, int64_t b);

  Threads &threads;
  const FriendBox box;
  const FriendPoint *points;
  const int64_t count, firstLifted;
  const size_t slabs;
  std::array<uint64_t, 3> strides = {};
  const double cellsOfUnit; ///< the reciprocal of the side of a cell
  /// Points up to this distance from the lower end of each axis have images.
  std::array<double, 3> reaches;
  int64_t entries = 0, cellCount = 0;
  std::vector<int64_t> starts; ///< the first entry of each part of the points

  SortEntry *sorted = nullptr;             ///< key and point of each entry
  Cell *cells = nullptr;                   ///< and an end marker
  std::array<double, 3> *places = nullptr; ///< coordinates of each entry
  int64_t *parents = nullptr;              ///< parent of each entry
  int64_t *least = nullptr;                ///< label of each root
};

} // namespace pmrt

#endif // PMRT_PARTICLES_FRIENDGROUPS_H
