//===- Region.h - A box of memory -------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a message carries: a box of an array, given by strides, so that no rank
// has to pack it if both ends can see the memory.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_MEMORY_REGION_H
#define PMRT_BASE_MEMORY_REGION_H

#include "pmrt/pmrt.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pmrt {

class Threads;

/// Elements of `size` bytes at base + sum over d of index[d] * strides[d]. In
/// order, the last dim fastest, they are the bytes of the message.
struct Region {
  char *base = nullptr;
  int64_t size = 1;
  std::vector<int64_t> counts;
  std::vector<int64_t> strides; ///< bytes

  /// `bytes` contiguous bytes.
  static Region flat(const void *data, int64_t bytes);

  int64_t elements() const;
  int64_t bytes() const { return size * elements(); }
  /// The same bytes with as few dims as possible. `runs`: dense runs become the
  /// elements, which is for copying only.
  Region merged(bool runs) const;
  /// The same elements, dense, from `place` on.
  Region denseAt(char *place) const;
  /// Whether the bytes are contiguous.
  bool dense() const { return merged(true).counts.empty(); }
};

/// What arrives either replaces what is there or is combined with it.
enum class Combine { Replace, Add, Min, Max };

/// Copies or combines between two boxes of equal counts. `element` is what is
/// combined.
void transfer(Threads &threads, const Region &from, const Region &to,
              Combine combine, pmrt_element element);

/// Two boxes of equal counts, with as few dims as both allow. Throws if their
/// counts differ. `runs`: as for Region::merged.
struct RegionPair {
  Region from, to;
};
RegionPair mergedPair(const Region &from, const Region &to, bool runs);

/// Copies bytes [begin, end) of a region to or from `buffer`. To combine,
/// begin and end must be multiples of the element's size.
void pack(const Region &region, int64_t begin, int64_t end, char *buffer);
void unpack(const Region &region, int64_t begin, int64_t end,
            const char *buffer, Combine combine, pmrt_element element);

} // namespace pmrt

#endif // PMRT_BASE_MEMORY_REGION_H
