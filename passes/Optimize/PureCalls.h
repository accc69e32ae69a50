//===- PureCalls.h - Calls that only compute --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_PURECALLS_H
#define PMC_PASSES_OPTIMIZE_PURECALLS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Marks the calls of functions without effects (`pm.pure`): where nothing uses
/// their results, or another one has the same, they go as other ops do.
void markPureCalls(mlir::ModuleOp module);

/// Makes the mark known to MLIR.
void registerCallEffects(mlir::DialectRegistry &registry);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_PURECALLS_H
