//===- HaloShape.h - Where the cells of a halo view lie ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view has the owned cells in the middle and others' around them. Others' lie
// in slabs: slab d has what is beyond the owned cells along dim d, own along
// the dims before it, and everything along the dims after it. So each cell is
// in one slab, and what a peer owns of the view is a few boxes, each in one
// slab.
//
// A halo along the last dim would cut rows apart: then the view is a dense
// copy.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DIST_HALOSHAPE_H
#define PMRT_DIST_HALOSHAPE_H

#include "runtime/Dist/Layout.h"

namespace pmrt {

/// A box of a view, in the view's indices, and the same cells in the mesh.
struct HaloPiece {
  Box inView, inMesh;
};

/// The geometry of one rank's view.
class HaloShape {
public:
  /// Around `own` of a mesh of `cells`: `lo` and `hi` more, at most all.
  HaloShape(Box own, const std::vector<int64_t> &cells,
            const std::vector<int64_t> &lo, const std::vector<int64_t> &hi);

  const Box &own() const { return mine; }
  /// The view's cells along each dim: offset (global) and extent.
  const Box &view() const { return window; }
  int64_t below(size_t dim) const { return lower[dim]; }
  bool dense() const { return copy; }
  /// Cells besides the mesh's own.
  int64_t sideCells() const;

  /// What a rank that owns `theirs` has of this view.
  std::vector<HaloPiece> pieces(const Box &theirs) const;

  /// Where a box of the view lies, which must not reach from own rows to
  /// others: in `mesh` (dense `own`) or `side`.
  Region region(void *mesh, void *side, int64_t size, const Box &inView) const;

private:
  bool isOwn(size_t dim, const Shard &side) const {
    return side.offset >= lower[dim] &&
           side.offset + side.extent <= lower[dim] + mine.sides[dim].extent;
  }
  /// Extents of slab `slab`.
  std::vector<int64_t> slabShape(size_t slab) const;

  Box mine, window;
  std::vector<int64_t> total, lower;
  bool copy = false;
};

} // namespace pmrt

#endif // PMRT_DIST_HALOSHAPE_H
