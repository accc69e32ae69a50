//===- Convolutions.h - Contractions of a field read at indices -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_EXPAND_CONVOLUTIONS_H
#define PMC_PASSES_EXPAND_CONVOLUTIONS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Whether a field is another one read at indices that a convolution has.
bool isReadAtIndexes(mlir::Value field);

/// A convolution that is what the contraction is; null if neither of its fields
/// is read at indices. Changes nothing.
mlir::Value buildConvolutionOf(mlir::OpBuilder &builder, pm::ContractOp op);

} // namespace pmc::passes

#endif // PMC_PASSES_EXPAND_CONVOLUTIONS_H
