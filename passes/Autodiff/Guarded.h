//===- Guarded.h - Products in which zero wins ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_GUARDED_H
#define PMC_PASSES_AUTODIFF_GUARDED_H

#include "dialect/IR/PM.h"
#include "passes/Autodiff/Activity.h"

namespace pmc::passes {

/// a b, and 0 where either is 0, whatever the other one: an infinite derivative
/// times nothing is nothing. It is one op, so that its own derivative is that
/// of a product, also where a factor is 0, until `expandGuarded` writes it out.
mlir::Value buildGuardedProduct(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value a, mlir::Value b);
/// a / b, and 0 where a is 0, whatever b.
mlir::Value buildGuardedQuotient(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value a, mlir::Value b);
/// Whether the op is one of these.
bool isGuarded(mlir::Operation *op);
/// Marks a function, while its tangents are built, in which finite values may
/// have infinite derivatives, as sqrt(0) has: its products are guarded, then.
void noteSteep(mlir::func::FuncOp function);
void forgetSteep(mlir::func::FuncOp function);
/// Whether the function around the op is marked.
bool isSteep(mlir::Operation *op);
/// Comparisons and choices in the place of all guarded products.
void expandGuarded(mlir::ModuleOp module);

/// Whether the op leaves out elements of what it reads: their cotangents are 0.
bool leavesOut(mlir::Operation *op);
/// Whether the cotangents of what the op reads may be 0 where it, or what it
/// is made of, is not finite, or infinite where what they are multiplied with
/// is 0: it or its body chooses among active values, or has a finite value
/// where its derivative is infinite.
bool needsGuards(mlir::Operation *op, const Activity &activity);

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_GUARDED_H
