//===- RadixSort.h - Stable sorts by unsigned keys --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys of real numbers and ints whose order as unsigned numbers is the order of
// the values, and sorts by such keys. The result does not depend on threads.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_SORTING_RADIXSORT_H
#define PMRT_CORE_SORTING_RADIXSORT_H

#include "runtime/Base/Threads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace pmrt {

/// The key of a value. That of NaN is the largest, in either order; -0 comes
/// before 0.
template <typename T> struct SortKey {
  static constexpr bool isReal = std::floating_point<T>;
  using Key = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static constexpr Key sign = Key(1) << (8 * sizeof(T) - 1);

  static Key of(T value, bool descending) {
    if constexpr (isReal)
      if (std::isnan(value))
        return ~Key(0);
    auto bits = std::bit_cast<Key>(value);
    bits = isReal && (bits & sign) ? ~bits : bits ^ sign;
    return descending ? ~bits : bits;
  }
  static T value(Key key, bool descending) {
    if constexpr (isReal)
      if (key == ~Key(0))
        return std::numeric_limits<T>::quiet_NaN();
    const Key bits = descending ? ~key : key;
    return std::bit_cast<T>(isReal && !(bits & sign) ? ~bits : bits ^ sign);
  }
};

/// A key, and where its element is.
struct SortEntry {
  uint64_t key;
  int64_t place;
};

inline uint32_t keyOf(uint32_t key) { return key; }
inline uint64_t keyOf(uint64_t key) { return key; }
inline uint64_t keyOf(const SortEntry &entry) { return entry.key; }

/// Sorts by the keys, and leaves equal ones in their order. Returns where the
/// sorted items are: at `items`, or at `spare`, which has the same size. With
/// `threads`, long arrays are cut into pieces.
template <typename Item>
Item *radixSort(Threads *threads, Item *items, Item *spare, int64_t size) {
  constexpr int64_t few = 64, leastPiece = 1 << 16, digits = 256;
  constexpr int bits = 8 * sizeof(keyOf(std::declval<Item>()));
  if (size < few) {
    for (int64_t i = 1; i < size; ++i) {
      const Item item = items[i];
      int64_t to = i;
      for (; to > 0 && keyOf(item) < keyOf(items[to - 1]); --to)
        items[to] = items[to - 1];
      items[to] = item;
    }
    return items;
  }
  const int64_t pieces =
      threads ? std::clamp<int64_t>(size / leastPiece, 1, threads->count()) : 1;
  const auto forPieces = [&](const auto &body) {
    const auto run = [&](int64_t piece) {
      body(piece, piece * size / pieces, (piece + 1) * size / pieces);
    };
    if (pieces == 1)
      run(0);
    else
      threads->team(pieces, run);
  };
  // A digit that all keys share requires no pass.
  using Key = decltype(keyOf(std::declval<Item>()));
  std::vector<Key> differing(static_cast<size_t>(pieces));
  forPieces([&](int64_t piece, int64_t from, int64_t to) {
    Key differs = 0;
    for (int64_t i = from; i < to; ++i)
      differs |= keyOf(items[i]) ^ keyOf(items[0]);
    differing[size_t(piece)] = differs;
  });
  const Key differs = std::accumulate(differing.begin(), differing.end(),
                                      Key(0), std::bit_or<Key>());
  std::vector<std::array<int64_t, digits>> slots(static_cast<size_t>(pieces));
  for (int shift = 0; shift < bits; shift += 8) {
    if (!(differs >> shift & (digits - 1)))
      continue;
    const auto digitOf = [&](const Item &item) {
      return size_t(keyOf(item) >> shift) & (digits - 1);
    };
    forPieces([&](int64_t piece, int64_t from, int64_t to) {
      std::array<int64_t, digits> counts{};
      for (int64_t i = from; i < to; ++i)
        ++counts[digitOf(items[i])];
      slots[size_t(piece)] = counts;
    });
    int64_t sum = 0;
    for (size_t digit = 0; digit < digits; ++digit)
      for (auto &counts : slots)
        sum += std::exchange(counts[digit], sum);
    forPieces([&](int64_t piece, int64_t from, int64_t to) {
      std::array<int64_t, digits> next = slots[size_t(piece)];
      for (int64_t i = from; i < to; ++i)
        spare[next[digitOf(items[i])]++] = items[i];
    });
    std::swap(items, spare);
  }
  return items;
}

} // namespace pmrt

#endif // PMRT_CORE_SORTING_RADIXSORT_H
