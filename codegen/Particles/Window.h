//===- Window.h - The cells that a window touches ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PARTICLES_WINDOW_H
#define PMC_CODEGEN_PARTICLES_WINDOW_H

#include "codegen/Particles/WideStencil.h"

namespace pmc::codegen {

/// How often a window is differentiated along each mesh dim.
using WindowOrders = llvm::SmallVector<int64_t, 3>;

/// `rank` orders for each of `count` windows; null stands for zeros.
llvm::SmallVector<WindowOrders> getWindowOrders(mlir::DenseI64ArrayAttr orders,
                                                size_t count, size_t rank);

/// The cells around one position: along each mesh dim, where they are in the
/// mesh or a view of it (index times stride) and their weights. A wide window's
/// cells are not listed: it has `wide` instead, or, as long as the weights are
/// not in memory, `first`.
struct Stencil {
  using Values = llvm::SmallVector<mlir::Value>;
  llvm::SmallVector<Values> offsets;
  /// Indices of the first cells along each mesh dim, i32. Empty for a wide
  /// window, and for a stencil that was loaded from the memory of a chunk.
  Values cells;
  /// Of a wide window, along each dim: where its cells begin.
  llvm::SmallVector<TapRange> first;
  std::optional<WideStencil> wide;
  /// Of each dim, those of the window differentiated 0, 1, ... times; none
  /// where a derivative is not asked for.
  llvm::SmallVector<llvm::SmallVector<Values>> weights;

  bool isWide() const { return wide || !first.empty(); }
  WideStencil widen() const;

  using VisitRow = llvm::function_ref<void(
      mlir::Value place, llvm::ArrayRef<mlir::Value> weights)>;
  using VisitCell =
      llvm::function_ref<void(mlir::Value place, mlir::Value weight)>;
  /// Calls `body` for every row of cells along the last dim with its place and,
  /// for each of `orders`, the product of its weights; places and products are
  /// null where the mesh has no other dim.
  void forEachRow(Emit &emit, llvm::ArrayRef<WindowOrders> orders,
                  VisitRow body) const;
  /// Calls `body` for every cell of a row with its index along the last dim and
  /// its weight times `weight`, which may be null; the window is differentiated
  /// `order` times along the last dim.
  void forEachCell(Emit &emit, mlir::Value weight, int64_t order,
                   VisitCell body) const;
};

/// The window of the particles of a domain on a mesh.
class ParticleWindow {
public:
  /// `isFree`: offsets are positions; else they count from the particle's own
  /// site on the lattice that the domain is. `hasIntegerCells`: indices of
  /// cells are computed with integers if the cells are near, because f64 is
  /// slow on most GPUs.
  ParticleWindow(pm::WindowAttr window, bool isFree,
                 llvm::ArrayRef<pm::DimAttr> mesh,
                 llvm::ArrayRef<pm::DimAttr> domain, bool hasIntegerCells)
      : window(window), isFree(isFree), hasIntegerCells(hasIntegerCells),
        mesh(mesh), domain(domain) {}

  /// The cells at `u`, the offsets in mesh cells; the particle has the given
  /// local coordinates in the domain. Whatever u is, cells are in the mesh. Of
  /// a split mesh, they are in the view of its halo, if u is one of the
  /// positions within the displacement bound of the halo.
  Stencil getStencil(Emit &emit, KernelExtents &extents, mlir::Value halo,
                     llvm::ArrayRef<mlir::Value> coordinates,
                     llvm::ArrayRef<mlir::Value> u, mlir::Type weight,
                     llvm::ArrayRef<WindowOrders> orders) const;
  /// The same in a copy of the box of cells that starts at `first`, whose cells
  /// are `strides` apart: integers of 32 bits, one each mesh dim. The cells
  /// must be in the box.
  Stencil getBoxStencil(Emit &emit, KernelExtents &extents,
                        llvm::ArrayRef<mlir::Value> first,
                        llvm::ArrayRef<mlir::Value> strides,
                        llvm::ArrayRef<mlir::Value> coordinates,
                        llvm::ArrayRef<mlir::Value> u, mlir::Type weight,
                        llvm::ArrayRef<WindowOrders> orders) const;
  /// The first cell's index along mesh dim d, in the mesh or the view, as an
  /// integer.
  mlir::Value getFirstCell(Emit &emit, KernelExtents &extents, mlir::Value halo,
                           llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                           mlir::Value u) const;
  /// The first cell's index, before wrapping, f64.
  mlir::Value getUnwrappedCell(Emit &emit, KernelExtents &extents,
                               llvm::ArrayRef<mlir::Value> coordinates,
                               unsigned d, mlir::Value u) const;
  /// The window's middle cell along mesh dim d, before wrapping, of the type of
  /// u. In f32 it is exact below 2^24.
  mlir::Value getMiddleCell(Emit &emit, KernelExtents &extents,
                            llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                            mlir::Value u) const;
  /// Cells of a window before its middle cell.
  int64_t getBefore(unsigned d) const { return (getSupport(d) - 1) / 2; }
  /// The first cell's index, before wrapping, minus the particle's own cell,
  /// f64.
  mlir::Value getFirstOffset(Emit &emit, unsigned d, mlir::Value u) const;
  /// The domain's dim of which mesh dim d is a part of the lattice.
  unsigned latticeDim(unsigned d) const;

  /// The weights along dim d of the window differentiated `order` times: of a
  /// particle at this distance from the window's middle cell. At a kink it is
  /// the right-hand derivative, as cells are found by rounding down.
  llvm::SmallVector<mlir::Value>
  getWeights(Emit &emit, unsigned d, mlir::Value distance, int64_t order) const;
  /// Whether these are numbers, whatever the distance.
  bool hasConstantWeights(unsigned d, int64_t order) const;

  llvm::ArrayRef<pm::DimAttr> getMesh() const { return mesh; }
  unsigned getSupport(unsigned d) const { return window.getSupport(d); }
  /// The largest of all dims.
  unsigned getMostSupport() const;
  /// Cells are gone through in loops, not written out.
  bool isWide() const;
  /// Indices into the mesh: i32 where they fit.
  mlir::Type getIndexType() const;
  /// Mesh cells a lattice cell along dim d.
  int64_t getRatio(unsigned d) const;
  /// Whether elements of `domain` should be gone through in the order of the
  /// cell blocks where they are: they may be anywhere, and touch many rows
  /// of a mesh that no cache holds.
  bool wantsCellBlocks() const;
  /// Which cell block along the dims from `from` on the window's first
  /// cell is in, i32 below 2^22; neighbors have near numbers.
  mlir::Value getCellBlock(Emit &emit, KernelExtents &extents, mlir::Value halo,
                           llvm::ArrayRef<mlir::Value> coordinates,
                           unsigned from, llvm::ArrayRef<mlir::Value> u) const;
  /// Cells of a cell block of all mesh dims along each: powers of two.
  llvm::SmallVector<int64_t> getCellBlockExtents() const;
  /// From one cell along dim d to the next, in places of the mesh or the view.
  mlir::Value getStride(Emit &emit, KernelExtents &extents, mlir::Value halo,
                        unsigned d) const;

private:
  /// Logarithms of a cell block's cells along the mesh dims from that one on,
  /// so that the number of cell blocks stays small.
  llvm::SmallVector<unsigned> getCellBlockShape(unsigned from) const;
  struct Cell {
    mlir::Value middle;   // the window's middle cell, of the type of u
    mlir::Value distance; // of the particle from it
  };
  Cell locate(Emit &emit, unsigned d, mlir::Value u) const;
  mlir::Value getNode(Emit &emit, KernelExtents &extents,
                      llvm::ArrayRef<mlir::Value> coordinates,
                      unsigned d) const;
  void addWeights(Emit &emit, unsigned d, mlir::Value distance,
                  llvm::ArrayRef<WindowOrders> orders, Stencil &stencil) const;
  mlir::Value addSite(Emit &emit, KernelExtents &extents, mlir::Value halo,
                      llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                      mlir::Value first) const;
  mlir::Value wrap(Emit &emit, unsigned d, mlir::Value cell) const;
  mlir::Value wrapInteger(Emit &emit, unsigned d, mlir::Value cell) const;
  llvm::SmallVector<mlir::Value>
  getIntegerMiddles(Emit &emit, unsigned d,
                    llvm::ArrayRef<mlir::Value> middles) const;
  /// The first cells along mesh dims from d on, one for each offset.
  llvm::SmallVector<mlir::Value>
  getFirstCells(Emit &emit, KernelExtents &extents, mlir::Value halo,
                llvm::ArrayRef<mlir::Value> coordinates, unsigned d,
                llvm::ArrayRef<mlir::Value> offsets) const;

  /// Along a dim: pcs is the largest spline. And in all.
  static constexpr unsigned mostWrittenOut = 4, mostCellsWrittenOut = 256;

  pm::WindowAttr window;
  bool isFree, hasIntegerCells;
  llvm::ArrayRef<pm::DimAttr> mesh, domain;
};

/// A chunk's stencils.
class StencilChunk {
public:
  /// `particleWindow` outlives it.
  StencilChunk(mlir::OpBuilder &builder, const ParticleWindow &particleWindow,
               mlir::Type weight, llvm::ArrayRef<WindowOrders> orders);
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

  using Arrays = llvm::SmallVector<ChunkArray>;
  /// The weights of one dim and one order.
  struct Weights {
    bool wanted = false;
    Arrays arrays; ///< none if they are constant
  };
  const ParticleWindow &particleWindow;
  mlir::Type weight;
  int64_t rowLength;
  std::optional<WideChunk> wide;
  llvm::SmallVector<Arrays> offsets;
  llvm::SmallVector<llvm::SmallVector<Weights>> weights;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PARTICLES_WINDOW_H
