//===- OwnCells.h - Loops over the cells of a split dim ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_OWNCELLS_H
#define PMC_PASSES_SHARDING_OWNCELLS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Loops over the cells of a split dim whose iterations are independent, each
/// making one cell of the carried fields from one cell of others: every rank
/// runs those of its own cells, and slices need no messages.
void keepToOwnCells(mlir::ModuleOp module);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_OWNCELLS_H
