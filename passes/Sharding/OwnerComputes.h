//===- OwnerComputes.h - The owner-computes rule for loops ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_OWNERCOMPUTES_H
#define PMC_PASSES_SHARDING_OWNERCOMPUTES_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Applies the owner-computes rule: each rank runs the iterations of its
/// owned cells. This holds for loops over the cells of a split dim whose
/// iterations are independent, and compute one cell of the carried fields from
/// one cell of others. Their slices then need no messages.
void computeByOwner(mlir::ModuleOp module);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_OWNERCOMPUTES_H
