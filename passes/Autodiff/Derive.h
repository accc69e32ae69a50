//===- Derive.h - Functions that compute derivatives ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_DERIVE_H
#define PMC_PASSES_AUTODIFF_DERIVE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// The adjoint that the user gave for the function that is called; null: none.
mlir::func::FuncOp getCustomAdjoint(mlir::func::CallOp call);
/// The tangent that the user gave for the function, or null.
mlir::func::FuncOp getCustomTangent(mlir::func::FuncOp function);

/// A private function beside `function`: (arguments, tangents of the arguments
/// `wrt`) -> (results, tangents of those results that have some).
/// `isSecond`: a function with a tangent by hand, but without a function for
/// second derivatives, is an error.
mlir::FailureOr<mlir::func::FuncOp> deriveForward(mlir::func::FuncOp function,
                                                  llvm::ArrayRef<int64_t> wrt,
                                                  bool isSecond);

/// Leaves nothing behind of how often functions have been differentiated.
void forgetOrders(mlir::ModuleOp module);

/// Reports an error if the call is differentiated twice, and the function has a
/// tangent by hand, but no function for second derivatives.
mlir::LogicalResult checkFirstDerivative(mlir::func::CallOp call);

/// Whether the op is in a function that has been differentiated twice.
bool isSecondDerivative(mlir::Operation *op);

/// A private function beside the one that the op names: (arguments, cotangents
/// of the results `of`) -> (results, cotangents of the arguments `wrt`).
mlir::FailureOr<mlir::func::FuncOp> deriveReverse(mlir::func::FuncOp function,
                                                  pm::VJPOp op);

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_DERIVE_H
