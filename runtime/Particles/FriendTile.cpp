//===- FriendTile.cpp - Friends of friends in a tile of the box -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/FriendTile.h"
#include "runtime/Particles/LatticeBox.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>
#include <utility>

using namespace pmrt;

namespace {

/// The largest difference between the cells of two friends along the last axis,
/// and between their columns along the other two.
constexpr int64_t reachOfCells = 2, reachOfColumns = 1;

/// A column is compared with itself and with half of the columns around.
constexpr int64_t columnsInReach = 5;

/// The largest number of entries in these columns for which all distances are
/// computed.
constexpr int64_t mostNear = 1024;

/// The largest rounding error of an offset, in cells. Offsets in a tile are of
/// type float if the tile has at most `mostExact` cells along each
/// axis.
constexpr double rounding = 2e-4;
constexpr uint64_t mostExact = 512;

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

/// A number whose bits are those of the elements of a vector that are not 0.
template <typename Vector>
[[gnu::always_inline]] static inline uint32_t bitsOf(const Vector &vector) {
  constexpr int count = sizeof vector / sizeof vector[0];
#ifdef __clang__
  using Bools = bool __attribute__((ext_vector_type(count)));
  return std::bit_cast<uint16_t>(__builtin_convertvector(vector, Bools));
#else
  uint32_t bits = 0;
  for (int i = 0; i < count; ++i)
    bits |= uint32_t(vector[i] & 1) << i;
  return bits;
#endif
}

/// The side of a cell. Its diagonal is slightly less than the linking length,
/// because coordinates are rounded.
static double sideOf(const FriendBox &box) {
  return box.length / std::numbers::sqrt3 * (1 - rounding);
}

FriendTile::FriendTile(const FriendBox &box, const std::array<double, 3> &sides)
    : box(box), periods(box.period), cellsOfUnit(1 / sideOf(box)) {
  std::array<uint64_t, 3> last;
  double longest = 0;
  for (size_t d = 0; d < 3; ++d) {
    const double width = sides[d] + box.reach();
    // One cell remains free, because coordinates are rounded.
    bitsOfUnit[d] =
        std::min(1 / box.reach(), (cellsOfBitmap - 1) / width) * (1 - rounding);
    last[d] = uint64_t(width * cellsOfUnit) + 1;
    longest = std::max(longest, width);
  }
  isShort = std::ranges::max(last) <= mostExact;
  // Columns become wider along the longer axis until an array can list them.
  const auto columnsAlong = [&](size_t d) {
    return (last[d] >> columnShifts[d]) + uint64_t(2 * reachOfColumns + 1);
  };
  while (columnsAlong(0) * columnsAlong(1) > mostListed)
    ++columnShifts[columnsAlong(0) > columnsAlong(1) ? 0 : 1];
  columnsOfRow = columnsAlong(1);
  columnCount = columnsAlong(0) * columnsOfRow;
  subShift = columnShifts[0] + columnShifts[1];
  keyShift = int(
      std::bit_width((last[2] + uint64_t(2 * reachOfCells + 1)) << subShift));
  // Two offsets and their products are rounded to numbers of type float.
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  const double error = 4 * epsilon * (longest / box.length + 1);
  mostSquare = float((1 + error) * (1 + error));
  sureSquare = error < 1 ? float((1 - error) * (1 - error)) : -1;
}

void FriendTile::takeMemory(char *memory, int64_t count) {
  const auto take = [&](auto *&array, int64_t elements) {
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(memory);
    memory += elements * int64_t(sizeof *array);
  };
  take(once, wordsOfBitmap);
  take(twice, wordsOfBitmap);
  take(nearPoints, sizeOfBuffer);
  take(keys, count);
  take(places, count);
  take(least, count);
  take(heights, count);
  take(listed, int64_t(mostListed) + 2);
  for (float *&axis : offsets)
    take(axis, count + lanes);
  for (float *&axis : sorted)
    take(axis, count + lanes);
  take(bits, count);
  take(candidates, count + 1);
  take(order, count);
  take(parents, count);
  take(cells, count + 2);
}

/// Computes the offsets, bits and keys of points. Offsets are in units of the
/// linking length.
template <typename Real, typename Key>
[[gnu::always_inline]] inline void
FriendTile::numberCells(const std::array<const double *, 3> &away,
                        int64_t first, int64_t number, Key *to) {
  using Int = std::make_signed_t<Key>;
  const std::array<Real, 3> ofBit = {Real(bitsOfUnit[0]), Real(bitsOfUnit[1]),
                                     Real(bitsOfUnit[2])};
  const auto ofCell = Real(cellsOfUnit), ofLength = Real(1 / box.length);
  const Key mask0 = (Key(1) << columnShifts[0]) - 1,
            mask1 = (Key(1) << columnShifts[1]) - 1;
  const Key row = Key(columnsOfRow);
  const int shift0 = columnShifts[0], shift1 = columnShifts[1], sub = subShift,
            top = keyShift;
  for (int64_t i = 0; i < number; ++i) {
    const auto x = Real(away[0][i]), y = Real(away[1][i]), z = Real(away[2][i]);
    offsets[0][first + i] = float(x * ofLength);
    offsets[1][first + i] = float(y * ofLength);
    offsets[2][first + i] = float(z * ofLength);
    bits[first + i] = (((uint32_t(int32_t(y * ofBit[1])) + 1) << shiftOfY) +
                       uint32_t(int32_t(z * ofBit[2])) + 1) *
                          bitsOfWord +
                      uint32_t(int32_t(x * ofBit[0])) + 1;
    const auto a = Key(Int(x * ofCell)), b = Key(Int(y * ofCell)),
               c = Key(Int(z * ofCell));
    const Key column = ((a >> shift0) + Key(reachOfColumns)) * row +
                       (b >> shift1) + Key(reachOfColumns);
    to[i] = (column << top) + ((c + Key(reachOfCells)) << sub) +
            ((a & mask0) << shift1) + (b & mask1);
  }
}

/// Stores the offsets, bits and keys of all points.
PMRT_CLONES void FriendTile::readPoints(int64_t count,
                                        const std::array<double, 3> &corner) {
  constexpr int64_t block = 128;
  std::array<std::array<double, block>, 3> away;
  std::array<uint32_t, block> small;
  const std::array<const double *, 3> from = {away[0].data(), away[1].data(),
                                              away[2].data()};
  for (int64_t first = 0; first < count; first += block) {
    const int64_t number = std::min(block, count - first);
    const TilePoint *of = points + first;
    for (int64_t i = 0; i < number; ++i) {
      std::array<double, 3> at = of[i].at;
      if (of[i].place >> TilePoint::above)
        for (size_t d = 0; d < 3; ++d)
          if (of[i].place >> (TilePoint::above + d) & 1)
            at[d] += box.period[d];
      // Rounding may make offsets negative.
      for (size_t d = 0; d < 3; ++d)
        away[d][size_t(i)] = std::max(at[d] - corner[d], 0.0);
    }
    if (!isShort) {
      numberCells<double>(from, first, number, keys + first);
      continue;
    }
    numberCells<float>(from, first, number, small.data());
    for (int64_t i = 0; i < number; ++i)
      keys[first + i] = small[size_t(i)];
  }
}

/// Stores the points that have another point in their cell of the bitmap or in
/// the cells around.
PMRT_CLONES void FriendTile::findCandidates(int64_t count) {
  std::fill_n(once, 2 * wordsOfBitmap, 0);
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t word = bits[i] / bitsOfWord;
    const uint64_t mask = uint64_t(1) << (bits[i] % bitsOfWord);
    twice[word] |= once[word] & mask;
    once[word] |= mask;
  }
  size = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bit = bits[i] % bitsOfWord;
    const uint64_t *row = once + bits[i] / bitsOfWord;
    const uint64_t mask = uint64_t(1) << bit;
    uint64_t around = *row & ~mask;
    for (const int64_t away : wordsAround)
      around |= row[away];
    const uint64_t close =
        (around >> (bit - 1) & 7) | (row[twice - once] & mask);
    candidates[size] = uint32_t(i);
    size += int64_t(close != 0);
  }
}

/// Sorts the candidates by their columns. `listed` becomes the end of each
/// column. Only cells require that the entries of a column are sorted.
void FriendTile::sortCandidates() {
  std::fill_n(listed, columnCount + 1, 0);
  for (int64_t e = 0; e < size; ++e)
    ++listed[keys[candidates[e]] >> keyShift];
  uint32_t sum = 0, most = 0;
  for (uint64_t column = 0; column <= columnCount; ++column) {
    most = std::max(most, listed[column]);
    sum += std::exchange(listed[column], sum);
  }
  for (int64_t e = 0; e < size; ++e)
    order[listed[keys[candidates[e]] >> keyShift]++] = candidates[e];
  if (most * columnsInReach > mostNear)
    for (uint64_t column = 0; column < columnCount; ++column)
      std::sort(order + (column == 0 ? 0 : listed[column - 1]),
                order + listed[column], [&](uint32_t a, uint32_t b) {
                  return std::pair(keys[a], a) < std::pair(keys[b], b);
                });
  for (int64_t e = 0; e < size; ++e) {
    const uint32_t point = order[e];
    parents[e] = uint32_t(e);
    places[e] = points[point].place;
    for (size_t d = 0; d < 3; ++d)
      sorted[d][e] = offsets[d][point];
  }
}

/// Whether the distance of two points in the periodic box is at most the
/// linking length. The result is the same if the points are exchanged.
bool FriendTile::areFriends(int64_t a, int64_t b) const {
  const std::array<double, 3> &from = points[order[a]].at,
                              &to = points[order[b]].at;
  std::array<double, 3> squares;
  for (size_t d = 0; d < squares.size(); ++d) {
    const double along = std::abs(from[d] - to[d]);
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
  a = root(a);
  b = root(b);
  parents[std::max(a, b)] = uint32_t(std::min(a, b));
}

/// Stores which of the points [from, end) are near another point. The points
/// are entries, or the first entries of cells; `at` has their offsets. Returns
/// the new number of elements in the buffer.
[[gnu::always_inline]] inline int64_t
FriendTile::findNear(const std::array<float *, 3> &at, float square,
                     int64_t point, int64_t from, int64_t end, int64_t found) {
  using Floats [[gnu::vector_size(lanes * sizeof(float))]] = float;
  const float x = at[0][point], y = at[1][point], z = at[2][point];
  for (int64_t first = from; first < end; first += lanes) {
    Floats u, v, w;
    std::memcpy(&u, at[0] + first, sizeof u);
    std::memcpy(&v, at[1] + first, sizeof v);
    std::memcpy(&w, at[2] + first, sizeof w);
    u -= x;
    v -= y;
    w -= z;
    const Floats squares = u * u + v * v + w * w;
    const uint32_t inside = (uint32_t(1) << std::min(end - first, lanes)) - 1;
    const uint32_t near = bitsOf(squares <= square) & inside;
    nearPoints[found] = {uint32_t(point), uint32_t(first), uint16_t(near),
                         uint16_t(bitsOf(squares <= mostSquare)),
                         uint16_t(bitsOf(squares <= sureSquare))};
    found += int64_t(near != 0);
  }
  return found;
}

/// Calls visit(a, b, isClose, isSure) for the pairs in the buffer: points a and
/// b, whether they may be friends, and whether they are friends, whatever the
/// rounding.
template <typename Visit>
[[gnu::always_inline]] inline void FriendTile::forNear(int64_t count,
                                                       const Visit &visit) {
  for (int64_t i = 0; i < count; ++i) {
    const Near &one = nearPoints[i];
    for (uint32_t left = one.near; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      visit(int64_t(one.point), int64_t(one.first) + bit,
            (one.close >> bit & 1) != 0, (one.sure >> bit & 1) != 0);
    }
  }
}

/// Unites the entries in the buffer with those that are friends.
PMRT_CLONES void FriendTile::linkNear(int64_t count) {
  forNear(count, [&](int64_t a, int64_t b, bool, bool isSure) {
    if (parents[a] != parents[b] && (isSure || areFriends(a, b)))
      unite(a, b);
  });
}

/// Makes cells of the sorted entries, and unites the entries of each cell.
void FriendTile::makeCells() {
  const uint64_t mask = (uint64_t(1) << keyShift) - 1;
  for (int64_t e = 0; e < size; ++e) {
    const uint64_t key = keys[order[e]];
    if (e > 0 && key == keys[order[e - 1]]) {
      unite(cells[cellEnd - 1], e);
      continue;
    }
    // The offsets of points are not used any more.
    for (size_t d = 0; d < 3; ++d)
      offsets[d][cellEnd] = sorted[d][e];
    heights[cellEnd] = int64_t((key & mask) >> subShift);
    cells[cellEnd++] = uint32_t(e);
  }
  cells[cellEnd] = uint32_t(size);
}

/// Unites two cells if they contain a pair of friends. `isClose`: whether their
/// first points may be friends.
void FriendTile::linkCells(int64_t a, int64_t b, bool isClose) {
  const int64_t firstA = cells[a], firstB = cells[b], endA = cells[a + 1],
                endB = cells[b + 1];
  if ((!isClose && endA - firstA + endB - firstB == 2) ||
      root(firstA) == root(firstB))
    return;
  for (int64_t i = firstA; i < endA; ++i)
    for (int64_t j = firstB; j < endB; ++j) {
      float square = 0;
      for (const float *offset : sorted)
        square += (offset[i] - offset[j]) * (offset[i] - offset[j]);
      if (square <= sureSquare || (square <= mostSquare && areFriends(i, j)))
        return unite(i, j);
    }
}

/// Unites the cells in the buffer that contain friends.
void FriendTile::linkNearCells(int64_t count) {
  forNear(count, [&](int64_t a, int64_t b, bool isClose, bool isSure) {
    if (parents[cells[a]] == parents[cells[b]])
      return;
    if (isSure)
      unite(cells[a], cells[b]);
    else
      linkCells(a, b, isClose);
  });
}

/// Links the cells of a column with those of the same columns as linkEntries.
PMRT_CLONES void FriendTile::linkColumn(uint64_t column) {
  if (cellEnd == 0)
    makeCells();
  // The points of a cell are friends of its first point.
  constexpr float farthest = 3.01F;
  const float square = farthest * farthest * mostSquare;
  const auto cellFrom = [&](uint64_t number) {
    return std::lower_bound(cells, cells + cellEnd, listed[number - 1]) - cells;
  };
  const int64_t from = cellFrom(column), end = cellFrom(column + 1);
  const uint64_t below = column + columnsOfRow;
  int64_t found = 0;
  for (const uint64_t number :
       {column, column + 1, below - 1, below, below + 1}) {
    int64_t first = cellFrom(number), last = first;
    const int64_t lastCell = cellFrom(number + 1);
    for (int64_t cell = from; cell < end; ++cell) {
      while (first < lastCell && heights[first] < heights[cell] - reachOfCells)
        ++first;
      while (last < lastCell && heights[last] <= heights[cell] + reachOfCells)
        ++last;
      for (int64_t at = number == column ? cell + 1 : first; at < last;
           at += mostNear) {
        if (found + mostNear / lanes >= sizeOfBuffer)
          linkNearCells(std::exchange(found, 0));
        found = findNear(offsets, square, cell, at,
                         std::min(at + mostNear, last), found);
      }
    }
  }
  linkNearCells(found);
}

/// Links each entry with later ones of its column, and with those in half of
/// the columns around: the next one along the second axis, and three columns
/// that are one after another in the next row.
PMRT_CLONES void FriendTile::linkEntries() {
  constexpr int64_t mostFound = mostNear / lanes + 2;
  int64_t found = 0;
  cellEnd = 0;
  for (int64_t from = 0; from < size;) {
    const uint64_t column = keys[order[from]] >> keyShift,
                   below = column + columnsOfRow;
    const int64_t end = listed[column], endHere = listed[column + 1],
                  fromNext = listed[below - 2], endNext = listed[below + 1];
    if (endHere - from + endNext - fromNext > mostNear) {
      linkNear(std::exchange(found, 0)); // cells use the same buffer
      linkColumn(column);
      from = end;
      continue;
    }
    for (; from < end; ++from) {
      if (found + mostFound >= sizeOfBuffer)
        linkNear(std::exchange(found, 0));
      found = findNear(sorted, mostSquare, from, from + 1, endHere, found);
      found = findNear(sorted, mostSquare, from, fromNext, endNext, found);
    }
  }
  linkNear(found);
}
