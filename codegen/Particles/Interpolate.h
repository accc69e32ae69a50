//===- Interpolate.h - Reading meshes at positions --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PARTICLES_INTERPOLATE_H
#define PMC_CODEGEN_PARTICLES_INTERPOLATE_H

#include "codegen/Particles/Window.h"

namespace pmc::codegen {

/// Where a pm.interpolate of a body over `domain` reads its meshes.
ParticleWindow getParticleWindow(pm::InterpolateOp op,
                                 llvm::ArrayRef<pm::DimAttr> domain);

/// The type in which weights and sums of a pm.interpolate are computed.
mlir::Type getWeightType(pm::InterpolateOp op);

/// The view in which the op's stencils are, of the first mesh: all have the
/// same shape. Null where meshes are not split.
mlir::Value getHalo(pm::InterpolateOp op);

/// How often the window is differentiated of which each value is read.
llvm::SmallVector<WindowOrders> getOrders(pm::InterpolateOp op);

/// How a kernel reads each of the op's meshes. `whole`: their views are.
llvm::SmallVector<MeshRows> getMeshRows(pm::InterpolateOp op, Kernel &kernel,
                                        KernelExtents &extents, bool whole);

/// The values of the op's meshes: sums over the stencil's cells. The cells of
/// a mesh that several values are of are loaded once.
llvm::SmallVector<mlir::Value> readMeshes(Emit &emit, pm::InterpolateOp op,
                                          llvm::ArrayRef<MeshRows> meshes,
                                          const Stencil &stencil);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PARTICLES_INTERPOLATE_H
