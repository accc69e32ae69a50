//===- FriendGroups.cpp - Friends of friends in one rank's memory ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/FriendGroups.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

using namespace pmrt;

namespace {

/// A column of cells along the last axis: its offsets from another column along
/// the first two axes.
struct Column {
  int64_t x, y;
};

/// Half of the other columns that may contain friends of a column's points, so
/// that each pair of columns is visited once.
constexpr std::array<Column, 4> columnsAhead = {
    {{0, 1}, {1, -1}, {1, 0}, {1, 1}}};

/// The largest difference between the cells of two friends along the last axis,
/// and between their columns along the other two.
constexpr int64_t reachOfCells = 2, reachOfColumns = 1;

/// Each column is divided into two cells along each of the first two axes. The
/// lowest bits of a key are the number of the cell among these four.
constexpr uint64_t cellsOfColumn = 4;

/// The number of cells that one job processes, and the least number of points
/// that one thread processes.
constexpr int64_t cellsOfJob = 1 << 13;

/// The number of cells that are compared with a column before the cells in
/// reach are linked.
constexpr int64_t cellsOfBlock = 1 << 9;

} // namespace

double FriendGroups::sideOf(const FriendBox &box) {
  // Columns are slightly wider than the linking length, because coordinates are
  // rounded.
  return box.length / 2 * (1 + 1e-6);
}

bool FriendGroups::hasCells(const FriendBox &box) {
  double cells = 1;
  for (size_t d = 0; d < 3; ++d) {
    const double along = (box.high[d] - box.low[d] + box.length) / sideOf(box);
    cells *= along + 2 * double(reachOfCells) + 2;
    if (!(along < 0x1p31))
      return false;
  }
  return cells < 0x1p61;
}

FriendGroups::FriendGroups(Threads &threads, const FriendBox &box,
                           const std::array<bool, 3> &hasImages,
                           const FriendPoint *points, int64_t count,
                           int64_t lifted, size_t slabs)
    : threads(threads), box(box), points(points), count(count),
      firstLifted(count - lifted), slabs(slabs), cellsOfUnit(1 / sideOf(box)) {
  const double side = sideOf(box);
  for (size_t d = 0; d < 3; ++d)
    reaches[d] = hasImages[d] ? box.length : -FriendBox::open;
  uint64_t stride = cellsOfColumn;
  for (size_t d = 3; d-- > 0;) {
    strides[d] = stride;
    const auto last = uint64_t((box.high[d] - box.low[d] + box.length) / side);
    stride *= d == 2 ? last + uint64_t(2 * reachOfCells + 1)
                     : last / 2 + uint64_t(2 * reachOfColumns + 1);
  }
  const int64_t parts = std::max<int64_t>(
      1, std::min<int64_t>(threads.count(), count / cellsOfJob));
  starts.assign(size_t(parts) + 1, 0);
  threads.team(parts, [&](int64_t part) {
    int64_t found = 0;
    for (int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i)
      found += int64_t(1) << std::popcount(nearEnds(points[i].at));
    starts[size_t(part) + 1] = found;
  });
  for (size_t part = 1; part < starts.size(); ++part)
    starts[part] += starts[part - 1];
  entries = starts.back() + 1; // one more, for the end marker of the cells
}

uint64_t FriendGroups::keyOf(const std::array<double, 3> &at) const {
  uint64_t key = 0;
  for (size_t d = 0; d < 3; ++d) {
    const auto cell = uint64_t((at[d] - box.low[d]) * cellsOfUnit);
    key += d == 2 ? strides[d] * (cell + uint64_t(reachOfCells))
                  : strides[d] * (cell / 2 + uint64_t(reachOfColumns)) +
                        (cell % 2 << d);
  }
  return key;
}

/// Returns the axes along which a point has images: bit d is axis d.
unsigned FriendGroups::nearEnds(const std::array<double, 3> &at) const {
  unsigned axes = 0;
  for (size_t d = 0; d < 3; ++d)
    axes |= unsigned(at[d] - box.low[d] <= reaches[d]) << d;
  return axes;
}

/// Calls visit(key, isImage) for the point, and for each of its images one
/// period above. Such an image may be a friend of points near the upper ends of
/// the box.
template <typename Visit>
void FriendGroups::forImages(int64_t point, Visit visit) const {
  std::array<double, 3> at = points[point].at;
  if (point >= firstLifted)
    at[slabs] += box.period[slabs];
  const unsigned near = nearEnds(points[point].at);
  visit(keyOf(at), false);
  for (unsigned image = 1; image <= near; ++image) {
    if (image & ~near)
      continue;
    std::array<double, 3> moved = at;
    for (size_t d = 0; d < 3; ++d)
      if (image >> d & 1)
        moved[d] += box.period[d];
    visit(keyOf(moved), true);
  }
}

void FriendGroups::run(char *memory, int64_t *groups) {
  auto *first = reinterpret_cast<SortEntry *>(memory);
  SortEntry *second = first + entries;
  places = reinterpret_cast<std::array<double, 3> *>(second + entries);
  parents = reinterpret_cast<int64_t *>(places + entries);
  sorted = first;
  sortEntries();
  // The second buffer of the sort is free: it stores the cells, and then the
  // labels.
  SortEntry *spare = sorted == first ? second : first;
  cells = reinterpret_cast<Cell *>(spare);
  least = reinterpret_cast<int64_t *>(spare);
  findCells();
  threads.forEach((cellCount + cellsOfJob - 1) / cellsOfJob, [&](int64_t job) {
    linkCells(job * cellsOfJob, std::min(cellCount, (job + 1) * cellsOfJob));
  });
  linkImages();
  findLabels(groups);
}

void FriendGroups::sortEntries() {
  const auto parts = int64_t(starts.size()) - 1;
  threads.team(parts, [&](int64_t part) {
    int64_t next = starts[size_t(part)];
    for (int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i)
      forImages(i, [&](uint64_t key, bool isImage) {
        sorted[next++] = {key, isImage ? i | imageBit : i};
      });
  });
  const int64_t size = entries - 1;
  sorted = radixSort(&threads, sorted, sorted + entries, size);
  threads.forRange(size, [&](int64_t from, int64_t to) {
    for (int64_t e = from; e < to; ++e)
      places[e] = points[sorted[e].place & ~imageBit].at;
  });
}

/// Finds the cells, which are the runs of entries with equal keys. The points
/// of a cell are friends. Therefore the first entry is the parent of the
/// others.
void FriendGroups::findCells() {
  const int64_t size = entries - 1;
  for (int64_t e = 0; e < size; ++e) {
    if (e == 0 || sorted[e].key != sorted[e - 1].key)
      cells[cellCount++] = {sorted[e].key, e};
    parents[e] = cells[cellCount - 1].first;
  }
  cells[cellCount] = {~uint64_t(0), size};
}

int64_t FriendGroups::root(int64_t entry) {
  using Parent = std::atomic_ref<int64_t>;
  constexpr auto relaxed = std::memory_order_relaxed;
  int64_t parent = Parent(parents[entry]).load(relaxed);
  while (parent != entry) {
    const int64_t above = Parent(parents[parent]).load(relaxed);
    if (above != parent)
      Parent(parents[entry]).store(above, relaxed);
    entry = parent;
    parent = above;
  }
  return entry;
}

/// Unites the trees of two entries. The root with the lower index becomes the
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

/// Unites two cells if they contain a pair of friends.
void FriendGroups::linkCells(const Members &a, const Members &b) {
  if (root(a.from) == root(b.from))
    return;
  for (int64_t i = a.from; i < a.to; ++i)
    for (int64_t j = b.from; j < b.to; ++j)
      if (box.areFriends(places[i], places[j])) {
        unite(i, j);
        return;
      }
}

/// Links each cell in [from, to) with later cells of its column, and with the
/// cells of `columnsAhead`.
void FriendGroups::linkCells(int64_t from, int64_t to) {
  for (int64_t c = from; c < to; ++c)
    linkAhead(c, c + 1, 0);
  for (const Column &column : columnsAhead)
    linkColumn(from, to,
               uint64_t(column.x) * strides[0] +
                   uint64_t(column.y) * strides[1]);
}

/// The least key of the cells at the height of a key, in its column.
static uint64_t heightOf(uint64_t key) { return key & ~(cellsOfColumn - 1); }

/// Links a cell with the cells from `first` on that are in its reach, in the
/// column with the distance `column` in keys.
void FriendGroups::linkAhead(int64_t cell, int64_t first, uint64_t column) {
  const uint64_t end = heightOf(cells[cell].key) + column +
                       (uint64_t(reachOfCells) + 1) * cellsOfColumn;
  for (; cells[first].key < end; ++first)
    linkCells(members(cell), members(first));
}

/// Links each cell in [from, to) with the cells in its reach in the column with
/// the distance `column` in keys. The keys of the cells increase. Therefore the
/// first cell in reach only moves forward. Most cells have no other cell in
/// reach. A loop without branches finds the cells that have one, because the
/// processor cannot predict such branches.
void FriendGroups::linkColumn(int64_t from, int64_t to, uint64_t column) {
  constexpr uint64_t below = uint64_t(reachOfCells) * cellsOfColumn,
                     all = 2 * below + cellsOfColumn;
  const auto leastOf = [&](uint64_t key) {
    return heightOf(key) + column - below;
  };
  int64_t first =
      std::lower_bound(
          cells + from, cells + cellCount, leastOf(cells[from].key),
          [](const Cell &cell, uint64_t key) { return cell.key < key; }) -
      cells;
  struct Found {
    int64_t cell, first;
  };
  std::array<Found, cellsOfBlock + 1> found;
  while (from < to) {
    const int64_t end = std::min(to, from + cellsOfBlock);
    size_t count = 0;
    while (from < end) {
      // The difference is large if `first` is not yet in reach.
      const uint64_t least = leastOf(cells[from].key), key = cells[first].key;
      found[count] = {from, first};
      count += size_t(key - least < all);
      const bool isBelow = key < least;
      first += int64_t(isBelow);
      from += int64_t(!isBelow);
    }
    for (size_t i = 0; i < count; ++i)
      linkAhead(found[i].cell, found[i].first, column);
  }
}

int64_t FriendGroups::entryOf(int64_t point) const {
  uint64_t key = 0;
  forImages(point, [&](uint64_t found, bool isImage) {
    if (!isImage)
      key = found;
  });
  const Cell *cell = std::lower_bound(
      cells, cells + cellCount, key,
      [](const Cell &cell, uint64_t key) { return cell.key < key; });
  int64_t entry = cell->first;
  while (sorted[entry].place != point)
    ++entry;
  return entry;
}

/// Unites each image with its point.
void FriendGroups::linkImages() {
  threads.forRange(entries - 1, [&](int64_t from, int64_t to) {
    for (int64_t e = from; e < to; ++e)
      if (sorted[e].place & imageBit)
        unite(e, entryOf(sorted[e].place & ~imageBit));
  });
}

void FriendGroups::findLabels(int64_t *groups) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const int64_t size = entries - 1;
  threads.forRange(size, [&](int64_t from, int64_t to) {
    std::fill(least + from, least + to, std::numeric_limits<int64_t>::max());
  });
  threads.forRange(size, [&](int64_t from, int64_t to) {
    for (int64_t e = from; e < to; ++e) {
      if (sorted[e].place & imageBit)
        continue;
      const int64_t own = root(e), number = points[sorted[e].place].number;
      groups[sorted[e].place] = own;
      const std::atomic_ref<int64_t> label(least[own]);
      int64_t found = label.load(relaxed);
      while (number < found &&
             !label.compare_exchange_weak(found, number, relaxed)) {
      }
    }
  });
}
