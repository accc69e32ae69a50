//===- Loops.h - Loop nests of kernels --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_LOOPS_H
#define PMC_CODEGEN_LOWERING_LOOPS_H

#include "codegen/Lowering/Extents.h"

namespace pmc::codegen {

/// Emits a loop's body; takes and returns the carried values.
using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Value, mlir::ValueRange)>;
/// The same for the part [from, to) of a row.
using RowBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, llvm::ArrayRef<mlir::Value> outer, mlir::Value from,
    mlir::Value to, mlir::ValueRange)>;

/// for (i = from; i < to; i += step). Returns the carried values at the end.
llvm::SmallVector<mlir::Value> forLoop(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value from,
                                       mlir::Value to, int64_t step,
                                       mlir::ValueRange carried, LoopBody body);

/// The same with a step that need not be constant.
llvm::SmallVector<mlir::Value> forLoop(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value from,
                                       mlir::Value to, mlir::Value step,
                                       mlir::ValueRange carried, LoopBody body);

/// The same without carried values.
void forLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
             mlir::Value to,
             llvm::function_ref<void(mlir::OpBuilder &, mlir::Value)> body);

/// Whole rows [from, to) of the domain: a row is everything along the last dim;
/// `outer` are the coordinates of the others.
llvm::SmallVector<mlir::Value> forRows(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       llvm::ArrayRef<pm::DimAttr> dims,
                                       KernelExtents &extents, mlir::Value from,
                                       mlir::Value to, mlir::ValueRange carried,
                                       RowBody body);

/// Elements [from, to) of the domain, counted row by row.
llvm::SmallVector<mlir::Value>
forElements(mlir::OpBuilder &builder, mlir::Location loc,
            llvm::ArrayRef<pm::DimAttr> dims, KernelExtents &extents,
            mlir::Value from, mlir::Value to, mlir::ValueRange carried,
            RowBody body);

/// What the runtime hands out: rows, or elements of a domain with one dim.
llvm::SmallVector<mlir::Value> forParts(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        llvm::ArrayRef<pm::DimAttr> dims,
                                        KernelExtents &extents,
                                        mlir::Value from, mlir::Value to,
                                        mlir::ValueRange carried, RowBody body);

/// The same of what a map has to look at.
llvm::SmallVector<mlir::Value>
forParts(mlir::OpBuilder &builder, mlir::Location loc,
         llvm::ArrayRef<pm::DimAttr> dims, const DomainPart &part,
         KernelExtents &extents, Kernel &kernel, mlir::Value from,
         mlir::Value to, mlir::ValueRange carried, RowBody body);

/// [from, to) in chunks of so many: the body gets the first element and how
/// many.
llvm::SmallVector<mlir::Value>
forChunks(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
          mlir::Value to, int64_t chunk, mlir::ValueRange carried,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(
              mlir::OpBuilder &, mlir::Value first, mlir::Value size,
              mlir::ValueRange)>
              body);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_LOOPS_H
