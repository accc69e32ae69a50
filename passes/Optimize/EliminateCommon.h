//===- EliminateCommon.h - One op in place of equal ones --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_ELIMINATECOMMON_H
#define PMC_PASSES_OPTIMIZE_ELIMINATECOMMON_H

#include "mlir/IR/Operation.h"

namespace pmc::passes {

/// Replaces each op below `root` by an equal one before it, in its block or
/// around it. Only ops without effects on memory are replaced; dead ops are
/// erased.
void eliminateCommon(mlir::Operation *root);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_ELIMINATECOMMON_H
