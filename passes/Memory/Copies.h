//===- Copies.h - Where a field must be copied ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_COPIES_H
#define PMC_PASSES_MEMORY_COPIES_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Fields of one number that loops and branches begin with, or hand on, are
/// made where they do: one that is there once would be copied for each.
void separateConstants(mlir::func::FuncOp function);

/// Inserts a pm.copy where an op destroys a field that is read later, and where
/// a loop or a branch hands on a field that cannot be the same buffer as what
/// it becomes. Returns their number, or failure with an error.
llvm::FailureOr<unsigned> insertCopies(mlir::func::FuncOp function);

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_COPIES_H
