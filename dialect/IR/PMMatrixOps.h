//===- PMMatrixOps.h - Dense matrices over dims -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_PMMATRIXOPS_H
#define PMC_DIALECT_IR_PMMATRIXOPS_H

#include "dialect/IR/PM.h"

#define GET_OP_CLASSES
#include "dialect/IR/PMMatrixOps.h.inc"

namespace pmc::pm {

/// Rows and columns of a batch of matrices; a vector has one column.
struct MatrixShape {
  int64_t rows = 1, columns = 1;

  MatrixShape(GridType type, int64_t batch) {
    for (auto [i, dim] : llvm::enumerate(type.getDims().drop_front(batch)))
      (i == 0 ? rows : columns) *= dim.getExtent();
  }
  MatrixShape(int64_t rows, int64_t columns) : rows(rows), columns(columns) {}

  MatrixShape getAdjoint() const { return {columns, rows}; }
  bool operator==(const MatrixShape &other) const {
    return rows == other.rows && columns == other.columns;
  }
};

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_PMMATRIXOPS_H
