//===- Sums.h - Additions in any order, with the same bits ---- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_SUMS_H
#define PMC_CODEGEN_CUDA_SUMS_H

#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/Common/Paint.h"

namespace pmc::codegen {

/// The meshes of a paint as integers, a word or two a cell: sums of integers
/// are the same in any order. Weights are multiplied by a power of two that
/// no sum can overflow with.
class Sums {
public:
  /// On the host, the meshes being open: zeroes the sums.
  explicit Sums(const Paint &paint);

  void capture(DeviceKernel &kernel) const;
  /// In a kernel that captured them: of each mesh.
  llvm::SmallVector<MeshRows> getRows(DeviceKernel &kernel) const;
  void add(Emit &emit, DeviceKernel &kernel, const MeshRow &row,
           mlir::Value cell, mlir::Value weight) const;

  /// On the host, when all has been added: the meshes, or views, get the sums.
  void finish();

private:
  const Paint &paint;
  int64_t words; ///< a cell
  mlir::Value scale, rowLength;
  llvm::SmallVector<mlir::Value> sums; ///< of each mesh
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_SUMS_H
