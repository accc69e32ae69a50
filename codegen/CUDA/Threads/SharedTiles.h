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

/// The tiles of a paint's meshes (ParticleTiles.h). What a tile got is added to
/// the mesh, neighbors along the last dim side by side, each cell once a
/// particle block.
class SharedTiles {
public:
  /// On the host, before the kernel is created.
  SharedTiles(SharedTileShape shape, Paint &paint, DeviceKernel &kernel);

  /// On the host: threads that find work.
  mlir::Value getItems(mlir::OpBuilder &host) const {
    return loops.getItems(host, paint.getExtents());
  }

  using Flush =
      llvm::function_ref<void(Emit &emit, size_t mesh, mlir::Value place,
                              mlir::Value cell, mlir::Value sum)>;
  /// In the kernel: calls `particle` for every element of the domain, i of the
  /// body's row, and `flush` for every cell that a tile has a sum of: the place
  /// of its row in the mesh, or the view, as a stencil has it, and its index
  /// there.
  void forParticleBlocks(Body &body, ParticleTiles::Particle particle,
                         Flush flush);

  /// For `particle`: the particle's stencil as places in the tiles, and whether
  /// all of it is there.
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
  llvm::SmallVector<mlir::Value> tiles; ///< in the kernel, one each mesh
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_SHAREDTILES_H
