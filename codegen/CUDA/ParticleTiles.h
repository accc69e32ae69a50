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
/// tile has the cells around the middle particle of the particle block:
/// particles near each other move together, so most stay in the tile, whatever
/// the distance.
class ParticleTiles {
public:
  /// `offsets`: values of the body, the particle's offsets. `halo`: the view of
  /// one of the meshes, if they are split.
  ParticleTiles(SharedTileShape shape, const ParticleWindow &particleWindow,
                llvm::ArrayRef<pm::DimAttr> domain,
                llvm::ArrayRef<mlir::Value> offsets, mlir::Value halo,
                DeviceKernel &kernel, mlir::Location loc);

  const SharedTileShape &getShape() const { return shape; }
  const ParticleWindow &getWindow() const { return particleWindow; }

  /// On the host: threads that find work.
  mlir::Value getItems(mlir::OpBuilder &host, Extents &extents) const;

  /// In the kernel: calls `body` for every particle block of this block of
  /// threads, with its first element. All threads meet there.
  using Block = llvm::function_ref<void(mlir::OpBuilder &,
                                        llvm::ArrayRef<mlir::Value> first)>;
  void forParticleBlocks(Body &body, Block block);
  /// Puts the tile around the middle particle. Every thread looks at it, which
  /// costs no barrier.
  void place(mlir::OpBuilder &builder, Body &body,
             llvm::ArrayRef<mlir::Value> first);
  /// Calls `particle` for this thread's elements of the particle block, i of
  /// the body's row.
  using Particle = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value i)>;
  void forParticles(mlir::OpBuilder &builder, Body &body,
                    llvm::ArrayRef<mlir::Value> first, Particle particle);

  /// What of `count` things of a block of threads is this thread's.
  void forOwn(mlir::OpBuilder &builder, int64_t count, Particle body);

  /// A cell of the tile.
  struct Cell {
    mlir::Value number; ///< in the tile, counted row by row
    mlir::Value place; ///< of its row, in the mesh or the view, as in a stencil
    mlir::Value index; ///< along the row, in the mesh or the view
    mlir::Value exists; ///< i1, whether the view has it; null: yes
  };
  using VisitCell = llvm::function_ref<void(Emit &, const Cell &)>;
  /// Calls `visit` for this thread's cells of the tile: neighboring threads
  /// take neighboring cells of a row. `extents`: cells of the view along each
  /// mesh dim, i64, null where it has all; none if it has all cells.
  void forCells(mlir::OpBuilder &builder, Body &body,
                llvm::ArrayRef<mlir::Value> extents, VisitCell visit);

  /// Where the first cell of a window is in the tile along each mesh dim, i32,
  /// and whether all cells that the particle needs are in the tile.
  struct Spot {
    llvm::SmallVector<mlir::Value> first;
    mlir::Value isInside;
  };
  Spot find(Emit &emit, const Stencil &stencil) const;
  /// From a cell of the tile to the next one along mesh dim d.
  int64_t getStride(size_t d) const;

private:
  mlir::Value countParticleBlocks(Emit &emit, mlir::Value extent,
                                  size_t d) const;
  struct Rows;
  /// A row of the tile, whose indices along the first `dims` mesh dims are
  /// known.
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
