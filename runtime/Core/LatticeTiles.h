//===- LatticeTiles.h - Coloring of lattice tiles -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_LATTICETILES_H
#define PMRT_CORE_LATTICETILES_H

#include <cstdint>
#include <vector>

namespace pmrt {

/// Cells [start, start + length) of a periodic dim of `cells`, start in
/// [0, cells), length at most `cells`.
struct Interval {
  int64_t start = 0;
  int64_t length = 0;
};

/// The cells from `first` to `last`, both included and not wrapped yet. All of
/// them if the numbers make no sense.
Interval wrap(double first, double last, int64_t cells);

bool overlap(const Interval &a, const Interval &b, int64_t cells);

/// Rows [begin0, end0) x [begin1, end1) of a lattice, and the mesh cells that
/// their particles touch: a box, given along the first two dims.
struct LatticeTile {
  int64_t begin0 = 0, end0 = 0, begin1 = 0, end1 = 0;
  Interval touched[2];
};

/// Groups of tiles such that two tiles of a group touch no common cell. Depends
/// on the arguments only. A tile goes into the first group without
/// a conflict.
std::vector<std::vector<int32_t>> colour(const std::vector<LatticeTile> &tiles,
                                         const int64_t cells[2]);

/// Into how many tiles a lattice dim is cut.
int64_t tilesAlong(int64_t rows);
/// The same if tiles are painted in blocks of so many sites along the dim: a
/// part of a block touches more cells for each of its particles.
int64_t tilesAlong(int64_t rows, int64_t sites);

} // namespace pmrt

#endif // PMRT_CORE_LATTICETILES_H
