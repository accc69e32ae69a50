//===- Scatter.h - What paints have in common -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_SCATTER_H
#define PMC_CODEGEN_COMMON_SCATTER_H

#include "codegen/Common/Window.h"

namespace pmc::codegen {

/// Where the particles of a pm.scatter stand on its mesh.
Placement getPlacement(pm::ScatterOp op);

/// On the host: zeroes the mesh. Returns the view that a split mesh is painted
/// in, which pm.halo_reduce closes; null if there is none.
mlir::Value openMesh(pm::ScatterOp op, LoweringContext &context,
                     mlir::OpBuilder &host);

/// Whether the offsets are finite, and small enough for exact cells.
mlir::Value isValid(Emit &emit, llvm::ArrayRef<mlir::Value> offsets);

/// The cells around a particle with their weights, `values` being the
/// scatter's: offsets and the particle's weight.
Stencil getStencil(Emit &emit, const Placement &placement,
                   KernelExtents &extents, mlir::Value halo,
                   llvm::ArrayRef<mlir::Value> coordinates,
                   llvm::ArrayRef<mlir::Value> values, mlir::Type element);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_SCATTER_H
