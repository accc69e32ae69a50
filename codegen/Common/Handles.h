//===- Handles.h - What handles are at run time -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_HANDLES_H
#define PMC_CODEGEN_COMMON_HANDLES_H

#include "codegen/Common/LoweringContext.h"

namespace pmc::codegen {

/// Tables, halos, reaches and pending messages become addresses: of a
/// pmrt_table, a pmrt_halo, two arrays in the frame (see below), a
/// pmrt_pending. Lowerings see these types only.
void replaceHandleTypes(mlir::ModuleOp module);

/// A reach: int64_t below[PMRT_MAX_RANK], above[PMRT_MAX_RANK].
mlir::Value createReach(LoweringContext &context, mlir::OpBuilder &builder);
mlir::Value getBelow(mlir::Value reach);
mlir::Value getAbove(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value reach);

/// The pmrt_reduction.
mlir::Value reductionCode(LoweringContext &context, mlir::OpBuilder &builder,
                          pm::Reduction kind);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_HANDLES_H
