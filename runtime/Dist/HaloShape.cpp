//===- HaloShape.cpp - Where the cells of a halo view lie -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Dist/HaloShape.h"

#include <algorithm>

using namespace pmrt;

HaloShape::HaloShape(Box own, const std::vector<int64_t> &cells,
                     const std::vector<int64_t> &lo,
                     const std::vector<int64_t> &hi)
    : mine(std::move(own)), total(cells) {
  for (size_t d = 0; d < cells.size(); ++d) {
    const Shard &side = mine.sides[d];
    // A view that goes around has every cell once.
    const int64_t remaining = cells[d] - side.extent;
    const int64_t below = std::min(lo[d], remaining);
    const int64_t above = std::min(hi[d], remaining - below);
    lower.push_back(below);
    window.sides.push_back(
        {(side.offset - below + cells[d]) % std::max<int64_t>(1, cells[d]),
         below + side.extent + above});
  }
  copy =
      !cells.empty() && window.sides.back().extent != mine.sides.back().extent;
}

std::vector<int64_t> HaloShape::slabShape(size_t slab) const {
  std::vector<int64_t> shape;
  for (size_t d = 0; d < total.size(); ++d)
    shape.push_back(d < slab    ? mine.sides[d].extent
                    : d == slab ? window.sides[d].extent - mine.sides[d].extent
                                : window.sides[d].extent);
  return shape;
}

static int64_t product(const std::vector<int64_t> &shape) {
  int64_t cells = 1;
  for (int64_t extent : shape)
    cells *= extent;
  return cells;
}

int64_t HaloShape::sideCells() const {
  if (copy)
    return window.cells();
  int64_t cells = 0;
  for (size_t d = 0; d < total.size(); ++d)
    cells += product(slabShape(d));
  return cells;
}

std::vector<HaloPiece> HaloShape::pieces(const Box &theirs) const {
  // Along a dim: at most two runs, as the view may hold the end of a shard and
  // begin in it again.
  struct Run {
    Shard inView, inMesh;
  };
  std::vector<HaloPiece> all(1);
  for (size_t d = 0; d < total.size(); ++d) {
    const int64_t n = total[d], extent = window.sides[d].extent;
    const Shard &owner = theirs.sides[d];
    const int64_t start = (owner.offset - window.sides[d].offset + n) % n;
    std::vector<Run> runs;
    if (const int64_t length = std::min(start + owner.extent, extent) - start;
        length > 0)
      runs.push_back({{start, length}, {owner.offset, length}});
    if (const int64_t length = std::min(start + owner.extent - n, extent);
        length > 0)
      runs.push_back({{0, length}, {owner.offset + n - start, length}});
    std::vector<HaloPiece> next;
    for (const HaloPiece &piece : all)
      for (const Run &run : runs) {
        HaloPiece longer = piece;
        longer.inView.sides.push_back(run.inView);
        longer.inMesh.sides.push_back(run.inMesh);
        next.push_back(std::move(longer));
      }
    all = std::move(next);
  }
  return all;
}

Region HaloShape::region(void *mesh, void *side, int64_t size,
                         const Box &inView) const {
  const size_t rank = total.size();
  auto whole = [](const std::vector<int64_t> &shape) {
    Box box;
    for (int64_t extent : shape)
      box.sides.push_back({0, extent});
    return box;
  };
  if (copy)
    return regionOf(side, size, whole(window.shape()), inView);
  size_t slab = 0;
  while (slab < rank && isOwn(slab, inView.sides[slab]))
    ++slab;
  // From the view's indices to those of the slab.
  Box part = inView;
  for (size_t d = 0; d < std::min(rank, slab + 1); ++d) {
    Shard &at = part.sides[d];
    if (d < slab)
      at.offset -= lower[d];
    else if (at.offset >= lower[d])
      at.offset -= mine.sides[d].extent;
  }
  if (slab == rank)
    return regionOf(mesh, size, whole(mine.shape()), part);
  int64_t offset = 0;
  for (size_t d = 0; d < slab; ++d)
    offset += product(slabShape(d));
  return regionOf(static_cast<char *>(side) + offset * size, size,
                  whole(slabShape(slab)), part);
}
