//===- SharedBoxes.h - Boxes of blocks that loops share ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_SHAREDBOXES_H
#define PMRT_CORE_SHAREDBOXES_H

#include "pmrt/pmrt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace pmrt {

/// The first cells of a block's particles along each mesh dim, not wrapped:
/// the least and the largest of each.
using BoxLimits = std::array<double, size_t(2) * PMRT_MAX_RANK>;

/// The limits of the blocks of a lattice, for loops that look at the same
/// particles at the same positions one after the other. Each block's limits
/// are computed once, by the loop that first needs them.
class SharedBoxes {
public:
  /// The first of the loops calls this. Discards all limits, unless a loop has
  /// renewed them. `extent`: the sites of the lattice along each of `dims`
  /// dims. `sites`: the sites of a block.
  void reset(int dims, const int64_t *extent, const int64_t *sites) {
    if (std::exchange(isRenewed, false) && fits(dims, extent, sites))
      return;
    lattice.assign(extent, extent + dims);
    block.assign(sites, sites + dims);
    size_t count = 1;
    for (int d = 0; d < dims; ++d)
      count *= size_t((extent[d] + sites[d] - 1) / sites[d]);
    limits.resize(count);
    known.assign(count, 0);
  }

  /// Whether the limits are those of this lattice and of these blocks.
  bool fits(int dims, const int64_t *extent, const int64_t *sites) const {
    return std::equal(lattice.begin(), lattice.end(), extent, extent + dims) &&
           std::equal(block.begin(), block.end(), sites, sites + dims);
  }

  /// The result of `compute(limits)` for the sites [range[2d], range[2d + 1]).
  /// For whole blocks, it is stored for later calls. Threads ask for different
  /// blocks.
  template <typename Compute>
  BoxLimits get(const int64_t *range, const Compute &compute) {
    const size_t i = indexOf(range);
    if (!isWhole(range)) {
      BoxLimits some{};
      compute(some);
      return some;
    }
    if (!known[i]) {
      limits[i] = {};
      compute(limits[i]);
      known[i] = 1;
    }
    return limits[i];
  }

  /// Discards the limits of the block that begins with these sites, because its
  /// particles are about to move.
  void forget(const int64_t *range) { known[indexOf(range)] = 0; }

  /// Adds the limits of new positions: those of a block after `forget`, or of a
  /// part of it. The caller adds all parts of the block.
  void include(const int64_t *range, const BoxLimits &some) {
    const size_t i = indexOf(range);
    if (!known[i]) {
      limits[i] = some;
      known[i] = 1;
      return;
    }
    for (size_t d = 0; d < some.size(); d += 2) {
      limits[i][d] = extreme(limits[i][d], some[d], std::less<>());
      limits[i][d + 1] =
          extreme(limits[i][d + 1], some[d + 1], std::greater<>());
    }
  }

  /// The next call of `reset` keeps the limits.
  void renew() { isRenewed = true; }

private:
  size_t indexOf(const int64_t *range) const {
    size_t i = 0;
    for (size_t d = 0; d < lattice.size(); ++d)
      i = i * size_t((lattice[d] + block[d] - 1) / block[d]) +
          size_t(range[2 * d] / block[d]);
    return i;
  }
  bool isWhole(const int64_t *range) const {
    for (size_t d = 0; d < lattice.size(); ++d) {
      const int64_t begin = range[2 * d], end = range[2 * d + 1];
      if (begin % block[d] != 0 ||
          end != std::min(lattice[d], begin + block[d]))
        return false;
    }
    return true;
  }
  /// NaN if one of them is.
  template <typename Order>
  static double extreme(double a, double b, const Order &isBefore) {
    return std::isnan(a) || isBefore(a, b) ? a : b;
  }

  std::vector<int64_t> lattice, block;
  std::vector<BoxLimits> limits;
  std::vector<char> known; ///< a byte each, so that threads write separately
  bool isRenewed = false;
};

} // namespace pmrt

#endif // PMRT_CORE_SHAREDBOXES_H
