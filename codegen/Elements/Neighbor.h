//===- Neighbor.h - Reading cells at constant offsets -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_NEIGHBOR_H
#define PMC_CODEGEN_ELEMENTS_NEIGHBOR_H

#include "codegen/Lowering/Extents.h"
#include "dialect/IR/Forms/PMViews.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::codegen {

/// The row of neighbors that a row of elements reads: edges of all dims but
/// the last one are dealt with once a row.
struct NeighborRow {
  /// A view from the cell on that has the local index 0 along the last dim.
  mlir::Value begin;
  /// i1, whether these are cells, not zeros beyond the edge; null: they are.
  mlir::Value isInside;
};

/// Emits the reads of one pm.neighbor in a kernel.
class Neighbor {
public:
  Neighbor(pm::NeighborOp op, Kernel &kernel, KernelExtents &extents,
           llvm::ArrayRef<pm::DimAttr> domain);

  /// Whether elements of a row read different cells.
  bool isAlongLast() const { return places.back() + 1 == domain.size(); }

  /// `outer`: local coordinates of all dims of the domain but the last.
  NeighborRow enterRow(Emit &emit, llvm::ArrayRef<mlir::Value> outer) const;
  /// What the element reads; `last` is its local coordinate along the domain's
  /// last dim, if reads go along it. `isInterior`: neither it nor its neighbor
  /// is beyond an end of this rank's cells along that dim.
  mlir::Value load(Emit &emit, const NeighborRow &row,
                   llvm::ArrayRef<mlir::Value> outer, mlir::Value last,
                   bool isInterior) const;

private:
  mlir::Value getOwn(llvm::ArrayRef<mlir::Value> outer, mlir::Value last,
                     size_t dim) const;
  mlir::Value getCell(Emit &emit, size_t dim, mlir::Value own,
                      mlir::Value &isInside) const;
  mlir::Value getInner(Emit &emit, size_t dim, mlir::Value own) const;

  mutable pm::NeighborOp op;
  Kernel &kernel;
  KernelExtents &extents;
  llvm::ArrayRef<pm::DimAttr> domain, dims;
  /// The dim of the domain that goes with each of the field's, and how.
  llvm::SmallVector<size_t> places;
  llvm::SmallVector<pm::View> views;
};

/// How many elements at both ends of a row read beyond it.
struct RowEnds {
  int64_t below = 0, above = 0;
};
RowEnds getRowEnds(pm::DomainOpInterface op);

/// The fields that the body reads at neighbors or other cells and that are no
/// inputs, each once.
llvm::SetVector<mlir::Value> getNeighborFields(pm::DomainOpInterface op);

/// What the op reads split fields through, or null. Handles are addresses by
/// now, which the op's own accessor does not take.
mlir::Value getHalo(pm::NeighborOp op);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_NEIGHBOR_H
