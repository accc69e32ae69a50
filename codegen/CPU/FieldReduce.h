//===- FieldReduce.h - Reductions over some of the dims ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_FIELDREDUCE_H
#define PMC_CODEGEN_CPU_FIELDREDUCE_H

#include "codegen/Common/Schedule.h"

namespace pmc::codegen {

/// Reduces values over parts of a body's rows, a chunk at a time.
class ChunkedReduction {
public:
  /// `values`: those of element i, of these types; outlives it.
  ChunkedReduction(mlir::OpBuilder &builder, mlir::Location loc,
                   pm::Reduction kind, Body &body, mlir::TypeRange types,
                   NumberReduction::Values values);

  const Lanes &getLanes() const { return lanes; }
  /// The lanes of every value before anything is added.
  llvm::SmallVector<mlir::Value> initial(Emit &emit) const;
  /// The lanes with the elements [from, to) of the current row added.
  llvm::SmallVector<mlir::Value> add(mlir::OpBuilder &builder, mlir::Value from,
                                     mlir::Value to, mlir::ValueRange carried);
  /// The results, f64.
  llvm::SmallVector<mlir::Value> finish(Emit &emit,
                                        mlir::ValueRange carried) const;

  /// The values of element i of the body.
  llvm::SmallVector<mlir::Value> evaluate(mlir::OpBuilder &builder,
                                          mlir::Value i) {
    return values(builder, i);
  }

private:
  mlir::Location loc;
  Lanes lanes;
  Body &body;
  NumberReduction::Values values;
  llvm::SmallVector<ChunkArray> arrays;
};

/// Lowers a reduction whose results are fields.
mlir::LogicalResult lowerFieldReduce(pm::ReduceOp reduce,
                                     LoweringContext &context);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_FIELDREDUCE_H
