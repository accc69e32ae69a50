//===- SharedTiles.h - Paints that add in shared memory first ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_SHAREDTILES_H
#define PMC_CODEGEN_CUDA_THREADS_SHAREDTILES_H

#include "codegen/CUDA/ParticleTiles.h"
#include "codegen/Elements/Paint.h"

namespace pmc::codegen {

/// The tiles of a paint's meshes (ParticleTiles.h). After each particle block,
/// the sums of a tile are added to the mesh, each cell once. Neighboring
/// threads add neighboring cells along the last dim.
class SharedTiles {
public:
  /// On the host, before the kernel is created.
  SharedTiles(SharedTileShape shape, Paint &paint, DeviceKernel &kernel);

  /// The number of threads that have work. For code on the host.
  mlir::Value getItems(mlir::OpBuilder &host) const {
    return loops.getItems(host, paint.getExtents());
  }

  using Flush =
      llvm::function_ref<void(Emit &emit, size_t mesh, mlir::Value place,
                              mlir::Value cell, mlir::Value sum)>;
  /// In the kernel: calls `particle` for every element i of the body's row, and
  /// `flush` for every cell with a sum in a tile. `place` is the row of the
  /// cell in the mesh or the view, as in a stencil, and `cell` its index in the
  /// row.
  void forParticleBlocks(Body &body, ParticleTiles::Particle particle,
                         Flush flush);

  /// For `particle`: the particle's stencil as places in the tiles, and whether
  /// all of its cells are in the tiles.
  struct Spot {
    mlir::Value isInside;
    Stencil stencil;
  };
  Spot find(Emit &emit, const Stencil &stencil) const;
  /// The tile of each mesh.
  llvm::SmallVector<MeshRows> getRows() const;

private:
  void flushTile(mlir::OpBuilder &builder, Body &body, Flush flush);

  Paint &paint;
  int64_t meshes;
  mlir::Type element;
  DeviceKernel &kernel;
  mlir::Location loc;
  ParticleTiles loops;
  llvm::SmallVector<mlir::Value> tiles; ///< in the kernel, one for each mesh
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_SHAREDTILES_H
