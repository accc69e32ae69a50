//===- CachedPaint.h - Paint in copies of boxes of cells --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_CACHEDPAINT_H
#define PMRT_PARTICLES_CACHEDPAINT_H

#include "runtime/Particles/LatticeBox.h"

#include "pmrt/particles.h"

namespace pmrt {

/// Deposits blocks of lattice particles in copies of the boxes of cells that
/// they touch, and adds these to the meshes. Which blocks may be painted at the
/// same time is decided elsewhere (Scatter.cpp).
///
/// Of one mesh there are as many copies as a window has cells along the last
/// dim, rounded up to a power of two. A particle adds a vector of so many cells
/// to the copy in which its first cell is aligned. In a single copy, vectors of
/// neighbors would overlap in part, and a processor would have to wait for each
/// addition before the next one. Several meshes are interleaved in one copy: a
/// vector has the elements of one cell, which never overlap in part.
///
/// With a stencil, other fields are deposited than the meshes. The cells of a
/// box are then written field by field, with zeros around each row, and the
/// stencil gives the rows that are added to the meshes.
class CachedPaint {
public:
  static constexpr int32_t mostMeshes = 16;

  /// `count`: at most `mostMeshes`. `cells`: of the mesh along each dim. They
  /// must outlive it, like the meshes.
  /// `boxes`: null, or what knows the limits of blocks.
  CachedPaint(const pmrt_scatter_blocks &blocks, void *args, int32_t count,
              const pmrt_array *const *meshes,
              const std::vector<int64_t> &cells, SharedBoxes *boxes);

  struct Block {
    Sites sites;
    CellBox box;
  };
  /// What is known of a part of the lattice.
  struct Part {
    std::vector<Block> blocks;
    /// The first cells of all its particles.
    BoxLimits limits;
    /// Whether all boxes fit into a cache. If not, `blocks` is of no use.
    bool fits = true;
    bool isFinite = true;
  };

  /// Cuts rows [begin0, end0) x [begin1, end1) of the lattice into blocks.
  Part cut(int64_t begin0, int64_t end0, int64_t begin1, int64_t end1) const;
  /// Prepares `memory`, `roomBytes` of the calling thread, for these parts.
  void clear(const std::vector<Part> &parts, char *memory) const;
  /// Uses memory that is prepared, and leaves it so.
  void paint(const Part &part, char *memory) const;
  int64_t roomBytes() const;

  bool hasStencil() const { return blocks.stencil; }
  /// Cells that are changed along a mesh dim by particles whose first cells are
  /// between these.
  std::pair<double, double> touched(size_t d, double low, double high) const;

private:
  void measure(const Sites &sites, Part &part) const;
  void append(const Sites &sites, const BoxLimits &limits, Part &part) const;
  template <typename Real> void add(const CellBox &box, Real *from) const;
  template <typename Real>
  void forParts(const CellBox &box, const auto &at, auto add) const;
  template <typename Real>
  void writeFields(const CellBox &box, const CellBox &field, Real *from,
                   Real *to) const;
  template <typename Real>
  void addStencil(const CellBox &box, Real *memory) const;
  BoxLayout fieldLayout() const;
  int64_t marginOf(size_t d) const { return blocks.below[d] + blocks.above[d]; }

  const pmrt_scatter_blocks &blocks;
  void *args;
  int32_t count;  ///< of meshes
  int32_t fields; ///< that are deposited
  const pmrt_array *const *meshes;
  const std::vector<int64_t> &cells;
  SharedBoxes *boxes;
  BoxLayout layout;
};

} // namespace pmrt

#endif // PMRT_PARTICLES_CACHEDPAINT_H
