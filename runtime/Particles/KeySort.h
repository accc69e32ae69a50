//===- KeySort.h - Stable sorts by small keys -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting sorts. Elements are counted in a fixed number of pieces, so that the
// order depends neither on the threads nor on their number.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_KEYSORT_H
#define PMRT_PARTICLES_KEYSORT_H

#include "runtime/Core/Sorting/SortWorkspace.h"

#include <algorithm>
#include <utility>

namespace pmrt {

/// Calls put(slot, i) for each i in [0, size) with a key, the slots in the
/// order of key(i), from [0, keys), and of i where keys are equal; those with a
/// negative key are left out. `counts`: memory for keys * SortWorkspace::pieces
/// counters.
template <typename Key, typename Put>
void sortByKey(Threads &threads, int64_t size, int64_t keys, int64_t *counts,
               const Key &key, const Put &put) {
  constexpr int64_t pieces = SortWorkspace::pieces;
  const auto forPieces = [&](const auto &body) {
    threads.forRange(pieces, [&](int64_t from, int64_t to) {
      for (int64_t piece = from; piece < to; ++piece)
        for (int64_t i = piece * size / pieces,
                     stop = (piece + 1) * size / pieces;
             i < stop; ++i)
          if (const int64_t k = key(i); k >= 0)
            body(counts[k * pieces + piece], i);
    });
  };
  std::fill_n(counts, keys * pieces, 0);
  forPieces([](int64_t &count, int64_t) { ++count; });
  int64_t sum = 0;
  for (int64_t i = 0; i < keys * pieces; ++i)
    sum += std::exchange(counts[i], sum);
  forPieces([&](int64_t &slot, int64_t i) { put(slot++, i); });
}

/// After that: the first slot of a key; of `keys`, the number of slots taken.
inline int64_t firstSlot(const int64_t *counts, int64_t key) {
  return key == 0 ? 0 : counts[key * SortWorkspace::pieces - 1];
}

/// The elements [0, size) in the order of their cell blocks, in `order`;
/// `spare` has the same size. False if a block is out of range.
bool sortByCellBlock(Threads &threads, int64_t size, const int32_t *cellBlocks,
                     int64_t *counts, int32_t *order, int32_t *spare);

} // namespace pmrt

#endif // PMRT_PARTICLES_KEYSORT_H
