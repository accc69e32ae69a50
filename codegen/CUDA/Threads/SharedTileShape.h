//===- SharedTileShape.h - Tiles and particle blocks ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_SHAREDTILESHAPE_H
#define PMC_CODEGEN_CUDA_THREADS_SHAREDTILESHAPE_H

#include "codegen/Particles/Window.h"

namespace pmc::codegen {

/// Cells that a particle needs before and behind its window along each mesh
/// dim.
struct TileReach {
  llvm::SmallVector<int64_t> below, above;

  bool isWide() const {
    auto isPositive = [](int64_t cells) { return cells > 0; };
    return llvm::any_of(below, isPositive) || llvm::any_of(above, isPositive);
  }
};

/// A block of threads takes a particle block of a paint or a readout. It keeps
/// a tile of mesh cells in shared memory: the cells around the middle particle
/// of the block.
struct SharedTileShape {
  /// Elements of the domain, and cells of the mesh, along each dim. No tile is
  /// larger than the mesh.
  llvm::SmallVector<int64_t> particleBlock, cells;
  TileReach reach;

  int64_t countParticles() const;
  int64_t countCells() const;
  /// Cells that one particle needs along mesh dim d.
  int64_t getWidth(const ParticleWindow &particleWindow, unsigned d) const {
    return reach.below[d] + int64_t(particleWindow.getSupport(d)) +
           reach.above[d];
  }
  /// The number of cells between the start of the tile and the first cell of
  /// the middle particle, along mesh dim d.
  int64_t getMargin(const ParticleWindow &particleWindow, unsigned d) const {
    return (cells[d] - getWidth(particleWindow, d) + 1) / 2 + reach.below[d];
  }
};

/// The shape for a paint or readout. All of its meshes together have `bytes`
/// per cell. None if shared memory or the mesh is too small for a useful tile.
std::optional<SharedTileShape>
chooseSharedTileShape(const ParticleWindow &particleWindow,
                      llvm::ArrayRef<pm::DimAttr> domain, int64_t bytes,
                      const ScheduleSizes &sizes, TileReach reach);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_SHAREDTILESHAPE_H
