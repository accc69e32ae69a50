//===- FriendGroups.h - Friends of friends in one rank's memory -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of points: two points are friends if their distance is at most the
// linking length, and a group has all points that friends connect. Points are
// sorted by cells whose diagonal is shorter than the linking length, so that
// points of one cell are friends, and friends are at most two cells apart
// (Creasey 2018). Groups are the trees of a union-find structure, to which all
// threads add at the same time. The groups do not depend on the order in which
// they do so.
//
// Messages between ranks are elsewhere (Dist/Friends.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_FRIENDGROUPS_H
#define PMRT_CORE_FRIENDGROUPS_H

#include "runtime/Base/Threads.h"
#include "runtime/Core/RadixSort.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace pmrt {

/// A point, and its number among all points of all ranks.
struct FriendPoint {
  std::array<double, 3> at;
  int64_t number;
};

/// Where points are, and which of them are friends.
struct FriendBox {
  /// Of an axis that is not periodic.
  static constexpr double open = std::numeric_limits<double>::infinity();

  double length = 0;                         ///< the linking length
  std::array<double, 3> low = {}, high = {}; ///< of coordinates
  std::array<double, 3> period = {open, open, open};

  /// The square of the distance. The same bits in both orders of the points.
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
  /// `lifted` of the points, the last ones, are images, one period above their
  /// coordinates along `slabs`. There, no further images are made
  /// (`hasImages` along this axis is false), unless all points are here.
  FriendGroups(Threads &threads, const FriendBox &box,
               const std::array<bool, 3> &hasImages, const FriendPoint *points,
               int64_t count, int64_t lifted = 0, size_t slabs = 0);

  /// Whether cells have numbers of 62 bits.
  static bool hasCells(const FriendBox &box);
  /// What `run` needs for its work.
  int64_t bytes() const { return entries * bytesOfEntry; }
  /// groups[i]: the place of point i's group among the labels.
  void run(char *memory, int64_t *groups);
  /// The least number of a point of each group, in the memory of `run`.
  int64_t *labels() const { return least; }

private:
  struct Cell {
    uint64_t key;
    int64_t first; ///< of its entries
  };
  /// A cell and its points, an entry each.
  struct Members {
    int64_t from, to;
  };
  using Numbers = std::array<int64_t, 3>;
  static constexpr int64_t bytesOfEntry =
      2 * sizeof(SortEntry) + sizeof(std::array<double, 3>) + sizeof(int64_t);
  /// Set in the place of an entry that is an image.
  static constexpr int64_t imageBit = int64_t(1) << 62;

  static double sideOf(const FriendBox &box);
  uint64_t keyOf(const std::array<double, 3> &at) const;
  unsigned nearEnds(const std::array<double, 3> &at) const;
  template <typename Visit> void forImages(int64_t point, Visit visit) const;
  void sortEntries();
  void findCells();
  void linkCells(int64_t from, int64_t to);
  void linkCells(const Members &a, const Members &b);
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
  const double cellsOfUnit;      ///< along a side
  std::array<double, 3> reaches; ///< from the lower ends, where images are made
  int64_t entries = 0, cellCount = 0;
  std::vector<int64_t> starts; ///< the first entry of each part of the points

  SortEntry *sorted = nullptr;             ///< key and point of each entry
  Cell *cells = nullptr;                   ///< with one more at the end
  std::array<double, 3> *places = nullptr; ///< of each entry
  int64_t *parents = nullptr;              ///< of each entry
  int64_t *least = nullptr;
};

} // namespace pmrt

#endif // PMRT_CORE_FRIENDGROUPS_H
