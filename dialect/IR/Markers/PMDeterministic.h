//===- PMDeterministic.h - Bits that depend on nothing else -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_PMDETERMINISTIC_H
#define PMC_DIALECT_IR_MARKERS_PMDETERMINISTIC_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace pmc::pm {

/// Of a module whose results must not depend on threads and ranks.
inline constexpr llvm::StringLiteral deterministicName = "pm.deterministic";

/// Whether the op's module is one.
inline bool isDeterministic(mlir::Operation *op) {
  auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<mlir::ModuleOp>();
  return module && module->hasAttr(deterministicName);
}

/// Cuts a number, f64, into words, one for each step: multiples of a power of
/// two that the step says (passes/Expand/ExactSums.cpp). No addition that
/// this makes may be fused: their rounding is what is wanted.
void cutNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
               llvm::ArrayRef<mlir::Value> steps,
               llvm::function_ref<void(size_t word, mlir::Value part)> visit);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_PMDETERMINISTIC_H
