//===- PMBins.h - Cells counted row by row ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMBINS_H
#define PMC_DIALECT_IR_FORMS_PMBINS_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// Fewer bins of one dim are summed by every thread for itself.
constexpr int64_t mostOwnBins = 1 << 16;

/// Whether bins over these dims are painted, as particles are.
bool isPainted(llvm::ArrayRef<DimAttr> dims);

/// The number of an existing cell, counted row by row, as `pm.bins` do.
mlir::Value buildBin(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::ValueRange indices, llvm::ArrayRef<DimAttr> dims);

/// The indices of a cell that is counted so, or of the first one if there is no
/// such cell.
class BinCells {
public:
  BinCells(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bin,
           llvm::ArrayRef<DimAttr> dims);
  /// An i1.
  mlir::Value isInside() const { return inside; }
  llvm::ArrayRef<mlir::Value> getIndices() const { return indices; }

private:
  mlir::Value inside;
  llvm::SmallVector<mlir::Value> indices;
};

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMBINS_H
