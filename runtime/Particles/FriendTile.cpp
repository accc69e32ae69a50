//===- FriendTile.cpp - Friends of friends in a tile of the box -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/FriendTile.h"
#include "runtime/Particles/LatticeBox.h"

#include <bit>
#include <numbers>
#include <type_traits>

using namespace pmrt;

namespace {

/// The largest difference between the cells of two friends along the last axis,
/// and between their columns along the other two.
constexpr int64_t reachOfCells = 2, reachOfColumns = 1;

/// Each column is divided into two cells along each of the first two axes. The
/// lowest bits of a key are the number of the cell among these four.
constexpr uint64_t cellsOfColumn = 4;

/// A column forms pairs of cells with the columns around it. Up to this number
/// of pairs, the heights of all pairs are compared.
constexpr int64_t fewPairs = 256;

/// The largest number of cells of a bitmap along an axis, without the empty
/// cells at the ends.
constexpr double cellsOfBitmap = 62;

/// The number of bits of a word of a bitmap, and the shift from y to the index
/// of a word.
constexpr int bitsOfWord = 64, shiftOfY = 6;

/// The words around a word of a bitmap: differences of indices.
constexpr int64_t rowOfY = int64_t(1) << shiftOfY;
constexpr std::array<int64_t, 8> wordsAround = {
    -rowOfY - 1, -rowOfY, -rowOfY + 1, -1, 1, rowOfY - 1, rowOfY, rowOfY + 1};

} // namespace

/// The side of a cell. Its diagonal is slightly less than the linking length,
/// because coordinates are rounded.
static double sideOf(const FriendBox &box) {
  return box.length / std::numbers::sqrt3 * (1 - 4e-6);
}

FriendTile::FriendTile(const FriendBox &box, const std::array<double, 3> &sides)
    : box(box),
      periods{box.period[0], box.period[1], box.period[2], FriendBox::open},
      cellsOfUnit(1 / sideOf(box)) {
  std::array<uint64_t, 3> counts;
  for (size_t d = 0; d < 3; ++d) {
    const double width = sides[d] + box.reach();
    // One cell remains free, because coordinates are rounded.
    bitsOfUnit[d] = std::min(1 / box.reach(), (cellsOfBitmap - 1) / width);
    const auto last = uint64_t(width * cellsOfUnit) + 1;
    counts[d] = d == 2 ? last + uint64_t(2 * reachOfCells + 1)
                       : last / 2 + uint64_t(2 * reachOfColumns + 1);
  }
  // The column of a cell is its key divided by a power of two.
  columnShift = int(std::bit_width(counts[2] * cellsOfColumn));
  columnCount = counts[0] * counts[1];
  strides = {counts[1] << columnShift, uint64_t(1) << columnShift,
             cellsOfColumn};
}

/// The vector from the corner of the tile to a point or an image.
std::array<double, 3>
FriendTile::offset(const TilePoint &point,
                   const std::array<double, 3> &corner) const {
  std::array<double, 3> at = point.at;
  if (point.place >> TilePoint::above)
    for (size_t d = 0; d < 3; ++d)
      if (point.place >> (TilePoint::above + d) & 1)
        at[d] += box.period[d];
  std::array<double, 3> away;
  for (size_t d = 0; d < 3; ++d)
    away[d] = std::max(at[d] - corner[d], 0.0); // rounding may make it negative
  return away;
}

uint64_t FriendTile::keyOf(const std::array<double, 3> &offset) const {
  uint64_t key = 0;
  for (size_t d = 0; d < 3; ++d) {
    const auto cell = uint64_t(int64_t(offset[d] * cellsOfUnit));
    key += d == 2 ? strides[d] * (cell + uint64_t(reachOfCells))
                  : strides[d] * (cell / 2 + uint64_t(reachOfColumns)) +
                        (cell % 2 << d);
  }
  return key;
}

/// Stores the points that have another point in their cell of the bitmap or in
/// the cells around, with their keys, in `sorted`. Returns their number.
PMRT_CLONES int64_t
FriendTile::findCloseCells(const std::array<double, 3> &corner, int64_t count) {
  std::fill_n(once, 2 * wordsOfBitmap, 0);
  auto *where = reinterpret_cast<uint32_t *>(parents); // not in use yet
  for (int64_t i = 0; i < count; ++i) {
    const std::array<double, 3> away = offset(points[i], corner);
    std::array<uint32_t, 3> bit;
    for (size_t d = 0; d < 3; ++d)
      bit[d] = uint32_t(int32_t(away[d] * bitsOfUnit[d])) + 1;
    const uint32_t word = (bit[1] << shiftOfY) + bit[2];
    where[i] = word * bitsOfWord + bit[0];
    const uint64_t mask = uint64_t(1) << bit[0];
    twice[word] |= once[word] & mask;
    once[word] |= mask;
  }
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bit = where[i] % bitsOfWord;
    const uint64_t *row = once + where[i] / bitsOfWord;
    const uint64_t mask = uint64_t(1) << bit;
    uint64_t around = *row & ~mask;
    for (const int64_t away : wordsAround)
      around |= row[away];
    const uint64_t close =
        (around >> (bit - 1) & 7) | (row[twice - once] & mask);
    sorted[found].place = i;
    found += int64_t(close != 0);
  }
  return found;
}

/// Finds the points that may have friends, sorts them into cells, and makes
/// the first entry of a cell the parent of its other entries.
void FriendTile::findCandidates(char *memory, int64_t count,
                                const std::array<double, 3> &corner) {
  const auto take = [&](auto *&array, int64_t elements) {
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(memory);
    memory += elements * int64_t(sizeof *array);
  };
  SortEntry *spare = nullptr;
  take(once, wordsOfBitmap);
  take(twice, wordsOfBitmap);
  take(listed, int64_t(mostListed) + 2);
  take(pairs, sizeOfBuffer);
  take(friends, sizeOfBuffer);
  take(others, sizeOfBuffer);
  take(sorted, count + 1);
  take(spare, count + 1);
  take(cells, count + 1);
  take(columns, count + 2);
  take(places, count + 1);
  take(parents, count + 1);
  take(least, count + 1);
  size = findCloseCells(corner, count);
  for (int64_t e = 0; e < size; ++e)
    sorted[e].key = keyOf(offset(points[sorted[e].place], corner));
  sorted = radixSort(nullptr, sorted, spare, size);
  cellEnd = columnEnd = 0;
  const uint64_t heights = (uint64_t(1) << columnShift) - 1;
  uint64_t lastKey = ~uint64_t(0), lastColumn = ~uint64_t(0);
  for (int64_t e = 0; e < size; ++e) {
    const uint64_t key = sorted[e].key, column = key >> columnShift;
    cells[cellEnd] = {int64_t((key & heights) / cellsOfColumn), e};
    columns[columnEnd] = {column, cellEnd};
    cellEnd += int64_t(key != lastKey);
    columnEnd += int64_t(column != lastColumn);
    parents[e] = cells[cellEnd - 1].first;
    const TilePoint &point = points[sorted[e].place];
    places[e] = {point.at[0], point.at[1], point.at[2], 0};
    sorted[e].place = point.place;
    lastKey = key;
    lastColumn = column;
  }
  cells[cellEnd] = {0, size};
  columns[columnEnd] = {~uint64_t(0), cellEnd};
}

/// Whether the distance of two points in the periodic box is at most the
/// linking length. The result is the same if the points are exchanged.
[[gnu::always_inline]] inline bool
FriendTile::areFriends(const Place &a, const Place &b) const {
  Place squares;
  for (size_t d = 0; d < squares.size(); ++d) {
    const double along = std::abs(a[d] - b[d]);
    const double least = std::min(along, periods[d] - along);
    squares[d] = least * least;
  }
  return squares[0] + squares[1] + squares[2] <= box.length * box.length;
}

int64_t FriendTile::root(int64_t entry) {
  while (parents[entry] != entry) {
    parents[entry] = parents[parents[entry]];
    entry = parents[entry];
  }
  return entry;
}

/// Unites the trees of two entries. The root with the lower index becomes the
/// parent of the other one.
void FriendTile::unite(int64_t a, int64_t b) {
  if (parents[a] == parents[b])
    return;
  a = root(a);
  b = root(b);
  parents[std::max(a, b)] = std::min(a, b);
}

/// Unites two cells if they contain a pair of friends.
PMRT_CLONES void FriendTile::linkCells(const Pair &pair) {
  const int64_t endA = cells[pair.a + 1].first, endB = cells[pair.b + 1].first;
  if (root(cells[pair.a].first) == root(cells[pair.b].first))
    return;
  for (int64_t i = cells[pair.a].first; i < endA; ++i)
    for (int64_t j = cells[pair.b].first; j < endB; ++j)
      if (areFriends(places[i], places[j])) {
        unite(i, j);
        return;
      }
}

/// Unites the pairs of cells in the buffer that contain friends. Most cells
/// have one point. A loop without branches compares the first points of the
/// cells, because the processor cannot predict such branches.
PMRT_CLONES void FriendTile::linkPairs() {
  int64_t friendCount = 0, otherCount = 0;
  for (int64_t k = 0; k < pairCount; ++k) {
    const Pair pair = pairs[k];
    const int64_t i = cells[pair.a].first, j = cells[pair.b].first;
    const bool isLink = areFriends(places[i], places[j]);
    const bool hasOthers =
        cells[pair.a + 1].first - i + cells[pair.b + 1].first - j > 2;
    friends[friendCount] = {i, j};
    friendCount += int64_t(isLink);
    others[otherCount] = pair;
    otherCount += int64_t(hasOthers & !isLink);
  }
  for (int64_t k = 0; k < friendCount; ++k)
    unite(friends[k].a, friends[k].b);
  int64_t apart = 0; // the number of pairs that may be in two groups
  for (int64_t k = 0; k < otherCount; ++k) {
    const Pair pair = others[k];
    others[apart] = pair;
    apart +=
        int64_t(parents[cells[pair.a].first] != parents[cells[pair.b].first]);
  }
  for (int64_t k = 0; k < apart; ++k)
    linkCells(others[k]);
  pairCount = 0;
}

/// Adds the pairs of a cell with the cells in [from, end) whose heights are in
/// reach.
inline void FriendTile::pairCells(int64_t cell, int64_t from, int64_t end) {
  const int64_t lowest = cells[cell].height - reachOfCells;
  int64_t count = pairCount;
#pragma clang loop unroll(disable)
  for (int64_t other = from; other < end; ++other) {
    pairs[count] = {cell, other};
    count += int64_t(uint64_t(cells[other].height - lowest) <=
                     uint64_t(2 * reachOfCells));
  }
  pairCount = count;
}

/// Adds the pairs of cells of two columns whose heights are in reach, or those
/// of one column.
void FriendTile::pairColumns(int64_t a, int64_t b) {
  int64_t first = columns[b].first;
  for (int64_t i = columns[a].first; i < columns[a + 1].first; ++i) {
    const int64_t height = cells[i].height;
    while (first < columns[b + 1].first &&
           cells[first].height < height - reachOfCells)
      ++first;
    const int64_t from = a == b ? i + 1 : first;
    // The number of cells in reach has this limit.
    constexpr int64_t most = (2 * reachOfCells + 1) * int64_t(cellsOfColumn);
    if (pairCount + most >= sizeOfBuffer)
      linkPairs();
    pairCells(i, from, std::min(from + most, columns[b + 1].first));
  }
}

/// The index of the first column whose number is at least `number`.
int64_t FriendTile::columnFrom(uint64_t number) const {
  if (columnCount <= mostListed)
    return int64_t(listed[number]);
  return std::lower_bound(columns, columns + columnEnd, number,
                          [](const Column &column, uint64_t n) {
                            return column.number < n;
                          }) -
         columns;
}

/// Links each cell with later cells of its column, and with the cells of half
/// of the columns around: the next one along the second axis, and three columns
/// that are one after another in the next row.
void FriendTile::linkColumns() {
  if (columnCount <= mostListed) {
    uint64_t number = 0;
    for (int64_t c = 0; c < columnEnd; ++c)
      for (; number <= columns[c].number; ++number)
        listed[number] = uint32_t(c);
    std::fill(listed + number, listed + columnCount + 1, uint32_t(columnEnd));
  }
  pairCount = 0;
  const uint64_t row = strides[0] >> columnShift;
  for (int64_t c = 0; c < columnEnd; ++c) {
    const uint64_t number = columns[c].number;
    const int64_t from = columns[c].first, end = columns[c + 1].first;
    const int64_t endHere = columnFrom(number + 2),
                  fromNext = columnFrom(number + row - 1),
                  endNext = columnFrom(number + row + 2);
    const int64_t here = columns[endHere].first - from,
                  next = columns[endNext].first - columns[fromNext].first;
    if ((end - from) * (here + next) <= fewPairs) {
      if (pairCount + fewPairs >= sizeOfBuffer)
        linkPairs();
      for (int64_t i = from; i < end; ++i) {
        pairCells(i, i + 1, from + here);
        pairCells(i, columns[fromNext].first, columns[fromNext].first + next);
      }
      continue;
    }
    for (int64_t other = c; other < endHere; ++other)
      pairColumns(c, other);
    for (int64_t other = fromNext; other < endNext; ++other)
      pairColumns(c, other);
  }
  linkPairs();
}
