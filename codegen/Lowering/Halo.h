//===- Halo.h - Cells of meshes that are split over ranks -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_HALO_H
#define PMC_CODEGEN_LOWERING_HALO_H

#include "codegen/Lowering/Emit.h"
#include "codegen/Lowering/Kernel.h"

namespace pmc::codegen {

/// A pmrt_halo's members: where the cells of a split mesh are. Cell c is at
/// v = (c - origin) modulo the dim's cells along each dim. The row at (v0, v1,
/// ...) of all dims but the last begins at rows[v0 stride0 + v1 stride1 + ...];
/// or, if the view is `whole`, at that cell of the mesh. Rows [ownBegin,
/// ownEnd) are the mesh's, in its order.
struct HaloView {
  mlir::Value rows;                                ///< a view of views
  mlir::Value whole;                               ///< i1
  mlir::Value ownBegin, ownEnd;                    ///< i64
  llvm::SmallVector<mlir::Value> origins, strides; ///< i64
};

/// The views that an op uses, as host values that are loaded once.
class HaloViews {
public:
  HaloViews(mlir::OpBuilder &host, mlir::Location loc) : host(host), loc(loc) {}

  /// The members of `halo`, of such a mesh: a handle, or its address.
  const HaloView &find(mlir::Value halo, pm::GridType mesh);
  /// On the host: the view's cells along mesh dim d, i64.
  mlir::Value loadExtent(mlir::Value halo, size_t d);
  /// Makes the view available in the kernel.
  void capture(Kernel &kernel, mlir::Value halo, pm::GridType mesh);
  /// The view, seen from inside of a kernel that captured it.
  HaloView get(Kernel &kernel, mlir::Value halo);

private:
  mlir::OpBuilder &host;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, HaloView> known;
};

/// A row of cells along the last dim: where it begins. `offset`, in cells, may
/// be null.
struct MeshRow {
  mlir::Value base, offset;

  /// The index of a cell of the row, counted from `base`, i64.
  mlir::Value getIndex(Emit &emit, mlir::Value cell) const;
};

/// How a kernel gets at the rows of one mesh.
class MeshRows {
public:
  /// The mesh is all here: places are offsets of cells.
  explicit MeshRows(mlir::Value mesh) : mesh(mesh) {}
  /// Places are numbers of rows of the view.
  explicit MeshRows(const HaloView &view) : rows(view.rows) {}

  /// The row at the place, an integer that is not negative; null for the only
  /// row of a mesh of one dim.
  MeshRow find(Emit &emit, mlir::Value place) const;

private:
  mlir::Value mesh, rows;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_HALO_H
