//===- BlockReading.h - Meshes are read from a block's cells ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_BLOCKREADING_H
#define PMC_CODEGEN_CPU_BLOCKREADING_H

#include "codegen/Elements/Body.h"

namespace pmc::codegen {

/// Reads meshes from a copy of the box of cells that a block of particles
/// needs, in which the meshes are interleaved (`pmrt_parallel_blocks`): one
/// vector has the cells of all meshes.
class BlockReading : public ChunkReader {
public:
  /// `first`, `strides`: views of i64, one each mesh dim. `memory`: the copy.
  BlockReading(Kernel &kernel, pm::InterpolateOp reading,
               llvm::ArrayRef<pm::DimAttr> domain, mlir::Value first,
               mlir::Value strides, mlir::Value memory);

  /// Whether the op reads meshes that can be interleaved, around the sites of
  /// the lattice that the domain is.
  static bool canRead(pm::InterpolateOp reading,
                      llvm::ArrayRef<pm::DimAttr> domain);
  /// The meshes, each once.
  static llvm::SmallVector<mlir::Value> getMeshes(pm::InterpolateOp reading);
  /// What the values are read of, each once: meshes, or what the reading's cell
  /// yields.
  static llvm::SmallVector<mlir::Value> getFields(pm::InterpolateOp reading);

  void prepare(Emit &emit, KernelExtents &extents,
               llvm::ArrayRef<mlir::Value> coordinates,
               llvm::ArrayRef<mlir::Value> u, mlir::Value i) override;
  llvm::SmallVector<mlir::Value> read(Emit &emit, mlir::Value i) override;

private:
  pm::InterpolateOp reading;
  ParticleWindow particleWindow;
  /// Those of the window that differ, and of each value which it is.
  llvm::SmallVector<WindowOrders> orders;
  llvm::SmallVector<size_t> order, lane;
  mlir::VectorType lanes;
  StencilChunk stencils;
  mlir::Value memory;
  llvm::SmallVector<mlir::Value> first, strides; // i32
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_BLOCKREADING_H
