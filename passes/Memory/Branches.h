//===- Branches.h - Choices between fields ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_BRANCHES_H
#define PMC_PASSES_MEMORY_BRANCHES_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Turns choices between fields or tables (`arith.select`, which the
/// canonicalizer makes of branches that only yield) back into branches, each of
/// which can fill the result's buffer.
void branchOnFields(mlir::func::FuncOp function);

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_BRANCHES_H
