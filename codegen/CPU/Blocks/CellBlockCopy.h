//===- CellBlockCopy.h - The cells around a cell block ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_CELLBLOCKCOPY_H
#define PMC_CODEGEN_CPU_CELLBLOCKCOPY_H

#include "codegen/Elements/Paint.h"

namespace pmc::codegen {

/// The cells that particles of a cell block touch, in the kernel's frame, of
/// every mesh: particles of one cell block after the other add there, and the
/// copy is added to the meshes once. It is zero where it is not in use.
class CellBlockCopy {
public:
  /// Whether a paint is sorted by cell blocks that are one thread's each, and
  /// its copies are small enough for the caches, and thinner than the mesh.
  static bool isWanted(Paint &paint);

  CellBlockCopy(Paint &paint, Kernel &kernel);

  /// Notes the cell block of a chunk's particle; after all of them, `findRuns`.
  void setCellBlock(Emit &emit, mlir::Value cellBlock, mlir::Value i);
  void findRuns(mlir::OpBuilder &builder, mlir::Value size);

  /// Whether particle i adds to the copy, i1: it is of the copy's cell block.
  /// Before that, the copy goes to this cell block if enough of its particles
  /// follow, which empties it by `empty`.
  mlir::Value isHere(Emit &emit, const WideStencil &stencil, mlir::Value i,
                     llvm::function_ref<void(Emit &)> empty);
  /// A particle's cells in the copy.
  WideStencil getPlaces(Emit &emit, const WideStencil &stencil);
  llvm::ArrayRef<MeshRows> getRows() const { return rows; }

  /// Whether there is anything to add, i1.
  mlir::Value isInUse(Emit &emit);
  /// Adds the copy to the meshes, whose cells follow each other by `ranges`,
  /// and zeroes it.
  void addTo(Emit &emit, llvm::ArrayRef<MeshRows> meshes,
             llvm::ArrayRef<TapRange> ranges);

private:
  Paint &paint;
  mlir::Location loc;
  llvm::SmallVector<int64_t> cellBlock, extents, strides;
  ChunkArray cellBlocks, ends, current, origin;
  llvm::SmallVector<mlir::Value> memory; ///< a mesh's each
  llvm::SmallVector<MeshRows> rows;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_CELLBLOCKCOPY_H
