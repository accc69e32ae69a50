//===- Build.h - Zeros, sums and maps for derivatives -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_BUILD_H
#define PMC_PASSES_AUTODIFF_BUILD_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// The zero of a number's or a field's type.
mlir::Value buildZero(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type type);

/// The zero tangent of a value, which may be a table.
mlir::Value buildZeroOf(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value primal);

/// The value, or the zero tangent of `primal` if it is null.
mlir::Value orZero(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Value primal);

/// A table over the x of one, with the values that another has there.
mlir::Value buildTableOver(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value x, mlir::Value values);

mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type type, double value);

/// a + b of numbers, fields or tables over the same x; null is zero.
mlir::Value buildSum(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);

/// A real number in another precision.
mlir::Value buildCast(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, mlir::Type type);

/// The real or the imaginary part of a complex number.
mlir::Value buildPart(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value number, bool imaginary);

/// Re(conj(a) b): how two numbers of one type count in an inner product.
mlir::Value buildInner(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value a, mlir::Value b, bool isGuarded = false);

/// A map over the dims of `type`, of fields over them or over some of them.
mlir::Value buildMap(
    mlir::OpBuilder &builder, mlir::Location loc, pm::FieldType type,
    mlir::ValueRange inputs,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body);

/// Erases ops that nothing uses and that do nothing, in nested regions too.
void eraseDead(mlir::Region &region);

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_BUILD_H
