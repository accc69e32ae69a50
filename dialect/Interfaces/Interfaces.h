//===- Interfaces.h - What passes ask of an op ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_INTERFACES_INTERFACES_H
#define PMC_DIALECT_INTERFACES_INTERFACES_H

#include "dialect/Interfaces/Derivatives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace pmc::codegen {
class LoweringContext;
} // namespace pmc::codegen

namespace pmc::pm {
class DimAttr;
class Layout;
struct LabeledIndex;
struct LocalForm;

/// The op with these operands and `outs` behind them; results that are no
/// fields stay.
mlir::Operation *appendOuts(mlir::OpBuilder &builder, mlir::Operation *op,
                            mlir::ValueRange operands, mlir::ValueRange outs);

} // namespace pmc::pm

#include "dialect/Interfaces/Interfaces.h.inc"

#endif // PMC_DIALECT_INTERFACES_INTERFACES_H
