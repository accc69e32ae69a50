//===- PaintStencil.h - Meshes computed from painted fields -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_PAINTSTENCIL_H
#define PMC_CODEGEN_CPU_PAINTSTENCIL_H

#include "codegen/Elements/Paint.h"

namespace pmc::codegen {

/// The kernel that computes rows of the meshes from the fields that a block of
/// particles has painted (`pmrt_scatter_blocks::stencil`), and what the runtime
/// must know of it.
class PaintStencil {
public:
  /// Of a paint that computes cells.
  explicit PaintStencil(Paint &paint);

  /// `kernel` has the arguments of pmrt_scatter_blocks::stencil.
  void emit(Kernel &kernel);

  int64_t getFields() const {
    return int64_t(paint.getDeposit().getOrders().size());
  }
  /// How far a cell reads along each mesh dim.
  llvm::ArrayRef<int64_t> getBelow() const { return below; }
  llvm::ArrayRef<int64_t> getAbove() const { return above; }
  /// The rows that are read: of each the number of a field, and an offset along
  /// each mesh dim but the last.
  llvm::SmallVector<int64_t> getRows() const;

private:
  using Row = std::pair<size_t, llvm::ArrayRef<int64_t>>;

  Paint &paint;
  llvm::SmallVector<pm::Tap> taps;
  llvm::SmallVector<Row> rows;
  llvm::SmallVector<size_t> rowOf; ///< of each tap
  llvm::SmallVector<int64_t> below, above;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_PAINTSTENCIL_H
