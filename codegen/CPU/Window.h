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
/// mesh (index times stride) and their weights.
struct Stencil {
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> offsets, weights;

  /// Calls `body` with the linear index and the weight of every cell.
  void
  forEachCell(Emit &emit,
              llvm::function_ref<void(mlir::Value index, mlir::Value weight)>
                  body) const;
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
  /// local coordinates in the domain. Whatever u is, cells are in the mesh.
  Stencil getStencil(Emit &emit, KernelExtents &extents,
                     llvm::ArrayRef<mlir::Value> coordinates,
                     llvm::ArrayRef<mlir::Value> u, mlir::Type weight) const;
  /// The first cell's index along mesh dim d, in the mesh, as an integer.
  mlir::Value getFirstCell(Emit &emit, KernelExtents &extents,
                           llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                           mlir::Value u) const;
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
  mlir::Value wrap(Emit &emit, KernelExtents &extents,
                   llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                   mlir::Value first) const;
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

private:
  llvm::SmallVector<llvm::SmallVector<ChunkArray>> offsets, weights;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_WINDOW_H
