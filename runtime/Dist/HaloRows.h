//===- HaloRows.h - Addresses of the rows of a halo -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by kernels, too (CUDA/Kernels.h). No library header.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DIST_HALOROWS_H
#define PMRT_DIST_HALOROWS_H

namespace pmrt {

/// The rows of a view along its last dim (HaloShape.h). The other dims are
/// outer dims. Rows of own cells are in the mesh. The other rows are in `side`,
/// in one slab for each outer dim. Slab d contains the rows whose index is that
/// of an own cell along the dims before d, but not along d. If the view is a
/// copy, all rows are in `side`.
struct HaloRows {
  static constexpr int most = 12;

  int outer; ///< the number of outer dims
  bool isCopy;
  char *mesh, *side;
  long long rowBytes;
  /// For each outer dim: the cells of the view, cells below the own cells, and
  /// own cells.
  long long extent[most], below[most], own[most];
};

/// The address of row `row`, counted along the outer dims, the last one
/// fastest.
inline char *rowAddress(const HaloRows &rows, long long row) {
  if (rows.isCopy)
    return rows.side + row * rows.rowBytes;
  long long at[HaloRows::most];
  for (int d = rows.outer; d-- > 0; row /= rows.extent[d])
    at[d] = row % rows.extent[d];
  auto isOwn = [&](int d) {
    return at[d] >= rows.below[d] && at[d] < rows.below[d] + rows.own[d];
  };
  int slab = 0;
  while (slab < rows.outer && isOwn(slab))
    ++slab;
  long long first = 0, index = 0;
  for (int s = 0; s < slab && slab < rows.outer; ++s) {
    long long size = 1;
    for (int d = 0; d < rows.outer; ++d)
      size *= d < s    ? rows.own[d]
              : d == s ? rows.extent[d] - rows.own[d]
                       : rows.extent[d];
    first += size;
  }
  for (int d = 0; d < rows.outer; ++d) {
    const bool isBelow = at[d] < rows.below[d];
    if (d < slab)
      index = index * rows.own[d] + at[d] - rows.below[d];
    else if (d == slab)
      index = index * (rows.extent[d] - rows.own[d]) + at[d] -
              (isBelow ? 0 : rows.own[d]);
    else
      index = index * rows.extent[d] + at[d];
  }
  return (slab == rows.outer ? rows.mesh : rows.side) +
         (first + index) * rows.rowBytes;
}

} // namespace pmrt

#endif // PMRT_DIST_HALOROWS_H
