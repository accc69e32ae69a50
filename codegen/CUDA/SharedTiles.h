//===- SharedTiles.h - Paints that add in shared memory first ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_SHAREDTILES_H
#define PMC_CODEGEN_CUDA_SHAREDTILES_H

#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/CUDA/SharedTileShape.h"
#include "codegen/Elements/Paint.h"

namespace pmc::codegen {

/// The tiles of a paint's meshes: every block takes particle blocks of the
/// domain, one after the other, and has the cells around the particle block's
/// middle particle in shared memory. Particles near each other move together,
/// so most stay in the tile, whatever the distance. What a tile got is added to
/// the mesh, neighbors along the last dim side by side, each cell once a
/// particle block.
class SharedTiles {
public:
  /// On the host, before the kernel is created.
  SharedTiles(SharedTileShape shape, Paint &paint, DeviceKernel &kernel);

  /// On the host: threads that find work.
  mlir::Value getItems(mlir::OpBuilder &host) const;

  using Particle = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value i)>;
  using Flush =
      llvm::function_ref<void(Emit &emit, size_t mesh, mlir::Value place,
                              mlir::Value cell, mlir::Value sum)>;
  /// In the kernel: calls `particle` for every element of the domain, i of the
  /// body's row, and `flush` for every cell that a tile has a sum of: the place
  /// of its row in the mesh, or the view, as a stencil has it, and its index
  /// there.
  void forParticleBlocks(Body &body, Particle particle, Flush flush);

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
  using OwnBody = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value)>;
  void forOwn(mlir::OpBuilder &builder, int64_t count, OwnBody body);
  mlir::Value countParticleBlocks(Emit &emit, mlir::Value extent,
                                  size_t d) const;
  void placeTile(mlir::OpBuilder &builder, Body &body,
                 llvm::ArrayRef<mlir::Value> first);
  void forParticles(mlir::OpBuilder &builder, Body &body,
                    llvm::ArrayRef<mlir::Value> first, Particle particle);
  struct Rows;
  /// A row of a tile, whose indices along the first `dims` mesh dims are known.
  struct TileRow {
    unsigned dims = 0;
    mlir::Value number; ///< the number of the row in the tile; null: 0
    mlir::Value place;  ///< the offset in the mesh or the view, as in a stencil
    mlir::Value cell;   ///< the index of a cell along the row, in the mesh
    mlir::Value lane;   ///< the index of the cell along the row, in the tile
  };
  mlir::Value getMeshCell(Emit &emit, unsigned d, mlir::Value number) const;
  void flushTile(mlir::OpBuilder &builder, Body &body, Flush flush);
  void forTileRows(mlir::OpBuilder &builder, Body &body, const Rows &rows,
                   mlir::Value group, const TileRow &row, Flush flush);
  void flushCell(Emit &emit, const TileRow &row, Flush flush);

  SharedTileShape shape;
  Paint &paint;
  int64_t meshes;
  mlir::Type element;
  llvm::ArrayRef<pm::DimAttr> domain;
  const ParticleWindow &particleWindow;
  mlir::Value halo; ///< the view of one of the meshes, if they are split
  DeviceKernel &kernel;
  mlir::Location loc;
  // In the kernel.
  llvm::SmallVector<mlir::Value> tiles;  ///< addresses, of each mesh
  llvm::SmallVector<mlir::Value> origin; ///< the tile's first cell, i32
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_SHAREDTILES_H
