//===- SharedTileShape.h - How paints are cut for shared memory -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_SHAREDTILESHAPE_H
#define PMC_CODEGEN_CUDA_SHAREDTILESHAPE_H

#include "codegen/Particles/Window.h"

namespace pmc::codegen {

/// A block of threads takes a particle block of a paint. It keeps a tile of
/// mesh cells in shared memory: the cells around the middle particle of the
/// block.
struct SharedTileShape {
  /// Elements of the domain, and cells of the mesh, along each dim. No tile is
  /// larger than the mesh.
  llvm::SmallVector<int64_t> particleBlock, cells;

  int64_t countParticles() const;
  int64_t countCells() const;
  /// How far before the middle particle's first cell the tile begins, along
  /// mesh dim d.
  int64_t getMargin(unsigned d, unsigned support) const {
    return (cells[d] - int64_t(support) + 1) / 2;
  }
};

/// The shape for a paint whose meshes have `bytes` a cell, all of them
/// together. None if shared memory, or the mesh, is too small for a tile of
/// use.
std::optional<SharedTileShape>
chooseSharedTileShape(const ParticleWindow &particleWindow,
                      llvm::ArrayRef<pm::DimAttr> domain, int64_t bytes,
                      const ScheduleSizes &sizes);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_SHAREDTILESHAPE_H
