//===- Handles.h - What handles are at run time -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_HANDLES_H
#define PMC_CODEGEN_LOWERING_HANDLES_H

#include "codegen/Lowering/LoweringContext.h"

namespace pmc::codegen {

/// Tables, halos, displacement bounds, checkpoint stores and pending messages
/// are addresses at run time: of a pmrt_table, a pmrt_halo, two arrays in the
/// frame (see below), a pmrt_checkpoint_store, a pmrt_pending. Functions, loops
/// and branches hand on addresses from here on. Ops of the dialect still take
/// and make handles: casts stand between, so that types are right while op
/// after op is lowered.
llvm::LogicalResult convertHandles(mlir::ModuleOp module);
/// Takes the casts away, when no op has handles any more.
void eraseHandleCasts(mlir::ModuleOp module);

/// The address that a handle is, the number of a partial one. What is neither
/// is itself.
mlir::Value getAddress(mlir::Value handle);
/// Puts a value in the place of an op's result: of a handle its address, of a
/// partial number the number.
void replaceResult(mlir::Value result, mlir::Value value);

/// A displacement bound: int64_t below[PMRT_MAX_RANK], above[PMRT_MAX_RANK].
mlir::Value createDisplacementBound(LoweringContext &context,
                                    mlir::OpBuilder &builder);
mlir::Value getBelow(mlir::Value bound);
mlir::Value getAbove(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value bound);

/// The pmrt_reduction.
mlir::Value reductionCode(LoweringContext &context, mlir::OpBuilder &builder,
                          pm::Reduction kind);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_HANDLES_H
