//===- Scatter.h - What paints have in common -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PARTICLES_SCATTER_H
#define PMC_CODEGEN_PARTICLES_SCATTER_H

#include "codegen/Lowering/Halo.h"
#include "codegen/Particles/Window.h"

#include "llvm/ADT/MapVector.h"

namespace pmc::codegen {

/// The positions of a pm.scatter's particles on its mesh.
ParticleWindow getParticleWindow(pm::ScatterOp op);

/// On the host: zeroes the meshes. Returns the views that split meshes are
/// painted in, which pm.halo_reduce closes; none where meshes are whole.
llvm::SmallVector<mlir::Value>
openMeshes(pm::ScatterOp op, LoweringContext &context, mlir::OpBuilder &host);

/// Whether the offsets are finite, and small enough for exact cells.
mlir::Value isValid(Emit &emit, llvm::ArrayRef<mlir::Value> offsets);

/// How a particle's weights go to the cells around it.
class Deposit {
public:
  explicit Deposit(pm::ScatterOp op);

  llvm::ArrayRef<WindowOrders> getOrders() const { return orders; }
  /// One weight, of the window as it is, is part of the stencil.
  bool hasOneWeight() const;

  /// The cells around a particle, `values` being the scatter's: offsets and
  /// weights.
  Stencil getStencil(Emit &emit, const ParticleWindow &particleWindow,
                     KernelExtents &extents, mlir::Value halo,
                     llvm::ArrayRef<mlir::Value> coordinates,
                     llvm::ArrayRef<mlir::Value> values,
                     mlir::Type element) const;

  /// Calls `add` for every cell of every mesh with the cell's row, its offset
  /// there and what is to be added. `weights`: the particle's; none if there is
  /// one. `steps`: of an exact scatter, one a mesh. All rows are looked up
  /// first: they cannot be kept over additions. Of wide windows it is in loops.
  using Add = llvm::function_ref<void(Emit &emit, const MeshRow &row,
                                      mlir::Value cell, mlir::Value weight)>;
  void forEachCell(Emit &emit, const Stencil &stencil,
                   llvm::ArrayRef<MeshRows> meshes,
                   llvm::ArrayRef<mlir::Value> weights,
                   llvm::ArrayRef<mlir::Value> steps, Add add) const;

private:
  /// Factors of a row's cells: one for each order along the last dim.
  using Factors = llvm::SmallMapVector<int64_t, mlir::Value, 4>;
  Factors getFactors(Emit &emit, size_t mesh, size_t meshes,
                     llvm::ArrayRef<mlir::Value> products,
                     llvm::ArrayRef<mlir::Value> weights) const;

  void forEachWideCell(Emit &emit, const WideStencil &stencil,
                       llvm::ArrayRef<MeshRows> meshes,
                       llvm::ArrayRef<mlir::Value> weights,
                       llvm::ArrayRef<mlir::Value> steps, Add add) const;

  llvm::SmallVector<WindowOrders> orders;
  size_t words; ///< meshes of one sum
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PARTICLES_SCATTER_H
