//===- CachedPaint.h - Paint in copies of boxes of cells --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_CACHEDPAINT_H
#define PMC_CODEGEN_CPU_CACHEDPAINT_H

#include "codegen/CPU/Blocks/LatticeBlock.h"
#include "codegen/Elements/Paint.h"

namespace pmc::codegen {

/// The kernels that paint blocks of a lattice in copies of the boxes of cells
/// that they touch (`pmrt_scatter_blocks`).
///
/// Each addition is one of a vector. The elements of a vector are the cells of
/// the window along the last dim or, of several meshes, those of one cell.
class CachedPaint {
public:
  /// Whether each mesh gets one weight of the window itself, and all particles
  /// of a large lattice are painted.
  static bool canPaint(Paint &paint);

  /// `deposit` has the arguments of pmrt_scatter_blocks::deposit.
  CachedPaint(Paint &paint, Kernel &deposit);

  void emit();

private:
  void prepare(mlir::OpBuilder &builder, mlir::Value size, Body &body);
  void deposit(mlir::OpBuilder &builder, mlir::Value size);
  void store(Emit &emit, const Stencil &stencil,
             llvm::ArrayRef<mlir::Value> weights, mlir::Value i);
  mlir::Value chooseCopy(Emit &emit, mlir::Value cell);

  Paint &paint;
  Kernel &kernel;
  mlir::Location loc;
  mlir::Type element;
  /// Elements of an addition.
  int64_t width;
  bool isInterleaved;
  llvm::SmallVector<mlir::Value> first, strides; ///< i32
  mlir::Value copyStep; ///< from one copy to the next, i32
  /// Where the rows of a stencil begin, from its first one on; i64.
  llvm::SmallVector<mlir::Value> rows;

  /// Of each particle of a chunk: its place, the factors of its rows (of its
  /// cells, if meshes are interleaved), and the vector that they multiply.
  ChunkArray place;
  llvm::SmallVector<ChunkArray> factors;
  ChunkArray vectors;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_CACHEDPAINT_H
