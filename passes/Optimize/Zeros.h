//===- Zeros.h - Numbers and fields that are 0 ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_ZEROS_H
#define PMC_PASSES_OPTIMIZE_ZEROS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Whether the value is the number 0, or a field whose elements are all 0. It
/// recognizes constants, and maps that yield constants.
bool isZeroEverywhere(mlir::Value value);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_ZEROS_H
