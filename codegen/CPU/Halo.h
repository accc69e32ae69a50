//===- Halo.h - Cells of meshes that are split over ranks -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_HALO_H
#define PMC_CODEGEN_CPU_HALO_H

#include "codegen/CPU/Emit.h"
#include "codegen/Common/Kernel.h"

namespace pmc::codegen {

/// A pmrt_halo's members: where the cells of a split mesh are. Cell c is at
/// v = (c - origin) modulo the dim's cells along each dim; the row at
/// (v0, v1, ...) of all dims but the last at rows[v0 stride0 + v1 stride1 +
/// ...].
struct HaloView {
  mlir::Value rows;
  mlir::Value
      whole; ///< i1: rows are those of the mesh, and there are no others
  llvm::SmallVector<mlir::Value> origins, strides; ///< i64
};

/// The views that an op uses, as host values that are loaded once.
class HaloViews {
public:
  HaloViews(mlir::OpBuilder &host, mlir::Location loc) : host(host), loc(loc) {}

  /// The members of `halo`, the address of a pmrt_halo of a mesh of `rank`
  /// dims.
  const HaloView &find(mlir::Value halo, size_t rank);
  /// Makes the view available in the kernel.
  void capture(Kernel &kernel, mlir::Value halo, size_t rank);
  /// The view, seen from inside of a kernel that captured it.
  HaloView get(Kernel &kernel, mlir::Value halo);

private:
  mlir::OpBuilder &host;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, HaloView> known;
};

/// How a kernel gets at the rows of one mesh.
class MeshRows {
public:
  /// Places are offsets of cells in the mesh.
  MeshRows(mlir::Value mesh, mlir::Type element)
      : element(element), mesh(mesh) {}
  /// Places are numbers of rows of the view.
  MeshRows(const HaloView &view, mlir::Type element)
      : element(element), rows(view.rows) {}
  /// Places are numbers of rows of a mesh whose rows have `length` cells.
  MeshRows(mlir::Value mesh, mlir::Type element, int64_t length)
      : element(element), mesh(mesh), length(length) {}

  /// Address of the row at the place, an integer that is not negative; null
  /// for the only row of a mesh of one dim.
  mlir::Value find(Emit &emit, mlir::Value place) const;

private:
  mlir::Type element;
  mlir::Value mesh, rows;
  int64_t length = 1;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_HALO_H
