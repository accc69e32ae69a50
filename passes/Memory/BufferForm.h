//===- BufferForm.h - Ops on fields to ops on buffers -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_BUFFERFORM_H
#define PMC_PASSES_MEMORY_BUFFERFORM_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Rewrites the function's ops to their buffer forms, given every field's
/// buffer. Loops and branches no longer carry fields.
llvm::LogicalResult
toBufferForm(mlir::func::FuncOp function,
             const llvm::DenseMap<mlir::Value, mlir::Value> &buffers);

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_BUFFERFORM_H
