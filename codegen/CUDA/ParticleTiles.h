//===- ParticleTiles.h - Tiles of cells around particle blocks --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_PARTICLETILES_H
#define PMC_CODEGEN_CUDA_PARTICLETILES_H

#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/CUDA/Threads/SharedTileShape.h"
#include "codegen/Elements/Body.h"

namespace pmc::codegen {

/// Loops of blocks of threads over the particle blocks of a domain and over the
/// cells of a tile. Every block takes particle blocks, one after the other. The
/// tile has the cells around the middle particle of the particle block.
/// Particles near each other move together. Therefore most of them stay in the
/// tile, whatever the distance.
class ParticleTiles {
public:
  /// `offsets`: the values of the body that are the particle's offsets. `halo`:
  /// the view of one of the meshes, if they are split.
  ParticleTiles(SharedTileShape shape, const ParticleWindow &particleWindow,
                llvm::ArrayRef<pm::DimAttr> domain,
                llvm::ArrayRef<mlir::Value> offsets, mlir::Value halo,
                DeviceKernel &kernel, mlir::Location loc);

  const SharedTileShape &getShape() const { return shape; }
  const ParticleWindow &getWindow() const { return particleWindow; }

  /// The number of threads that have work. For code on the host.
  mlir::Value getItems(mlir::OpBuilder &host, Extents &extents) const;

  /// In the kernel: calls `body` for every particle block of this block of
  /// threads, with its first element. All threads of the block call it
  /// together, so that `body` may contain barriers.
  using Block = llvm::function_ref<void(mlir::OpBuilder &,
                                        llvm::ArrayRef<mlir::Value> first)>;
  void forParticleBlocks(Body &body, Block block);
  /// Places the tile around the middle particle. Every thread computes the
  /// place, so that no barrier is required.
  void place(mlir::OpBuilder &builder, Body &body,
             llvm::ArrayRef<mlir::Value> first);
  /// Calls `particle` for this thread's elements of the particle block. Element
  /// i is that of the body's row.
  using Particle = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value i)>;
  void forParticles(mlir::OpBuilder &builder, Body &body,
                    llvm::ArrayRef<mlir::Value> first, Particle particle);

  /// Calls `body` with those numbers below `count` that belong to this thread
  /// of the block.
  void forOwn(mlir::OpBuilder &builder, int64_t count, Particle body);

  /// A cell of the tile.
  struct Cell {
    mlir::Value number; ///< the number in the tile, row by row
    mlir::Value place;  ///< the row in the mesh or the view, as in a stencil
    mlir::Value index;  ///< the index along the row, in the mesh or the view
    mlir::Value exists; ///< i1, whether the view has the cell; null: yes
  };
  using VisitCell = llvm::function_ref<void(Emit &, const Cell &)>;
  /// Calls `visit` for this thread's cells of the tile. Neighboring threads
  /// take neighboring cells of a row. `extents`: the number of cells of the
  /// view along each mesh dim, i64, and null where the view has all of them.
  /// Empty if the view has all cells of the mesh.
  void forCells(mlir::OpBuilder &builder, Body &body,
                llvm::ArrayRef<mlir::Value> extents, VisitCell visit);

  /// The index in the tile of the first cell of a window along each mesh dim,
  /// i32, and whether all cells that the particle needs are in the tile.
  struct Spot {
    llvm::SmallVector<mlir::Value> first;
    mlir::Value isInside;
  };
  Spot find(Emit &emit, const Stencil &stencil) const;
  /// The distance from a cell of the tile to the next one along mesh dim d.
  int64_t getStride(size_t d) const;

private:
  mlir::Value countParticleBlocks(Emit &emit, mlir::Value extent,
                                  size_t d) const;
  struct Rows;
  /// A row of the tile. Its indices along the first `dims` mesh dims are
  /// already computed.
  struct TileRow {
    unsigned dims = 0;
    mlir::Value number; ///< the number of the row in the tile; null: 0
    mlir::Value lane;   ///< the index of the cell along the row, in the tile
    Cell cell;
  };
  mlir::Value getMeshCell(Emit &emit, unsigned d, mlir::Value number) const;
  void forTileRows(mlir::OpBuilder &builder, Body &body, const Rows &rows,
                   mlir::Value group, const TileRow &row,
                   llvm::ArrayRef<mlir::Value> extents, VisitCell visit);

  SharedTileShape shape;
  const ParticleWindow &particleWindow;
  llvm::ArrayRef<pm::DimAttr> domain;
  llvm::SmallVector<mlir::Value> offsets;
  mlir::Value halo;
  DeviceKernel &kernel;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> origin; ///< the tile's first cell, i32
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_PARTICLETILES_H
