//===- Window.h - The cells that a window touches ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_WINDOW_H
#define PMC_CODEGEN_CPU_WINDOW_H

#include "codegen/CPU/Chunk.h"

namespace pmc::codegen {

/// The cells around one position: along each mesh dim, where they are in the
/// mesh or a view of it (index times stride) and their weights.
struct Stencil {
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> offsets, weights;

  using Visit = llvm::function_ref<void(mlir::Value place, mlir::Value weight)>;
  /// Calls `body` for every row of cells along the last dim with its place and
  /// the product of its weights; both null where the mesh has no other dim.
  void forEachRow(Emit &emit, Visit body) const;
  /// Calls `body` for every cell of a row with its index along the last dim and
  /// its weight, `weight` being the row's.
  void forEachCell(Emit &emit, mlir::Value weight, Visit body) const;
};

/// Where particles of a domain stand on a mesh.
class Placement {
public:
  /// `isFree`: offsets are positions; else they count from the particle's own
  /// site on the lattice that the domain is.
  Placement(pm::Window window, bool isFree, llvm::ArrayRef<pm::DimAttr> mesh,
            llvm::ArrayRef<pm::DimAttr> domain)
      : window(window), isFree(isFree), mesh(mesh), domain(domain) {}

  /// The cells at `u`, the offsets in mesh cells; the particle has the given
  /// local coordinates in the domain. Whatever u is, cells are in the mesh. Of
  /// a split mesh, they are in the view of its halo, if u is one of the
  /// positions whose reach the halo has.
  Stencil getStencil(Emit &emit, KernelExtents &extents, mlir::Value halo,
                     llvm::ArrayRef<mlir::Value> coordinates,
                     llvm::ArrayRef<mlir::Value> u, mlir::Type weight) const;
  /// The first cell's index along mesh dim d, in the mesh or the view, as an
  /// integer.
  mlir::Value getFirstCell(Emit &emit, KernelExtents &extents, mlir::Value halo,
                           llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                           mlir::Value u) const;
  /// The first cell's index, before wrapping, f64.
  mlir::Value getUnwrappedCell(Emit &emit, KernelExtents &extents,
                               llvm::ArrayRef<mlir::Value> coordinates,
                               unsigned d, mlir::Value u) const;
  /// The first cell's index, before wrapping, minus the particle's own cell,
  /// f64.
  mlir::Value getFirstOffset(Emit &emit, mlir::Value u) const;

  llvm::ArrayRef<pm::DimAttr> getMesh() const { return mesh; }
  unsigned getSupport() const { return pm::getSupport(window); }
  /// Indices into the mesh: i32 where they fit.
  mlir::Type getIndexType() const;
  /// Mesh cells a lattice cell along dim d.
  int64_t getRatio(unsigned d) const;

private:
  struct Cell {
    mlir::Value first;    // before wrapping, f64
    mlir::Value distance; // of the particle from the window's middle cell
  };
  Cell locate(Emit &emit, mlir::Value u) const;
  unsigned latticeDim(unsigned d) const;
  mlir::Value addSite(Emit &emit, KernelExtents &extents, mlir::Value halo,
                      llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                      mlir::Value first) const;
  mlir::Value wrap(Emit &emit, unsigned d, mlir::Value cell) const;
  mlir::Value getStride(Emit &emit, KernelExtents &extents, mlir::Value halo,
                        unsigned d) const;
  llvm::SmallVector<mlir::Value> getWeights(Emit &emit,
                                            mlir::Value distance) const;

  pm::Window window;
  bool isFree;
  llvm::ArrayRef<pm::DimAttr> mesh, domain;
};

/// A chunk's stencils.
class StencilChunk {
public:
  StencilChunk(LoweringContext &context, mlir::OpBuilder &builder,
               const Placement &placement, mlir::Type weight);
  void store(Emit &emit, const Stencil &stencil, mlir::Value i);
  Stencil load(Emit &emit, mlir::Value i);

  /// Whether all cells of the first `size` stencils, which are in the view, are
  /// this rank's own, i1: then their places are offsets of the mesh's cells
  /// from now on, as in a view that is whole.
  mlir::Value moveToMesh(mlir::OpBuilder &builder, mlir::Location loc,
                         const HaloView &view, mlir::Value size);

private:
  /// The lowest and the highest place along the first dim.
  std::pair<mlir::Value, mlir::Value> getRange(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::Value start,
                                               mlir::Value size);

  int64_t rowLength;
  llvm::SmallVector<llvm::SmallVector<ChunkArray>> offsets, weights;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_WINDOW_H
