//===- InlineFields.h - Functions on fields into their callers -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_INLINEFIELDS_H
#define PMC_PASSES_OPTIMIZE_INLINEFIELDS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Whether the function takes, gives or computes fields or tables.
bool worksOnFields(mlir::func::FuncOp function);

/// Replaces the call by the callee's ops. Functions have one block: control
/// flow is structured.
void inlineCall(mlir::func::CallOp call, mlir::func::FuncOp callee);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_INLINEFIELDS_H
