//===- ResultTypes.h - Ops with results of other types ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_RESULTTYPES_H
#define PMC_PASSES_OPTIMIZE_RESULTTYPES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace pmc::passes {

/// Returns an op like `op`, before it, with results of these types, or `op`
/// itself if it has them. The new op takes the regions of `op`; the caller
/// replaces the results of `op` and erases it.
mlir::Operation *withResultTypes(mlir::Operation *op, mlir::TypeRange types);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_RESULTTYPES_H
