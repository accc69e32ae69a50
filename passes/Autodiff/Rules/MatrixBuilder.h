//===- MatrixBuilder.h - Matrices in derivatives ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_RULES_MATRIXBUILDER_H
#define PMC_PASSES_AUTODIFF_RULES_MATRIXBUILDER_H

#include "dialect/IR/PMMatrixOps.h"

namespace pmc::passes {

/// Builds ops on the matrices of one op. A type says only how many rows and
/// columns a matrix has: a square one has any of the same size.
class MatrixBuilder {
public:
  MatrixBuilder(mlir::OpBuilder &builder, mlir::Location loc, int64_t batch)
      : builder(builder), loc(loc), batch(batch) {}

  /// a b, with the adjoints of matrices that are marked.
  mlir::Value multiply(mlir::Type type, mlir::Value a, mlir::Value b,
                       bool adjointA = false, bool adjointB = false);
  mlir::Value solve(mlir::Type type, mlir::Value a, mlir::Value b,
                    bool isAdjoint, bool isLower = false);
  mlir::Value leastSquares(mlir::Type type, mlir::Value a, mlir::Value b,
                           bool isAdjoint);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value a);
  /// (a + a*) / 2 of a square matrix.
  mlir::Value hermitian(mlir::Value a);
  /// a + a*, and a* of a square matrix.
  mlir::Value withAdjoint(mlir::Value a);
  mlir::Value adjoint(mlir::Value a);
  /// Elements below the diagonal, times `diagonal` on it, and 0 above.
  mlir::Value lowerPart(mlir::Value a, double diagonal);
  /// a_ij = factor(v_j) a_ij, or v_i, for a real vector v.
  mlir::Value scaleColumns(mlir::Value a, mlir::Value vector, bool isDivision);
  mlir::Value scaleRows(mlir::Value a, mlir::Value vector, bool isDivision);
  /// a_ij / (v_j - v_i), and 0 where i = j, v_i and v_j are equal but for
  /// rounding, or a_ij = 0. v is in order.
  mlir::Value divideByGaps(mlir::Value a, mlir::Value vector);
  /// a_ij / (v_j + v_i), and 0 where i = j or a_ij = 0.
  mlir::Value divideBySums(mlir::Value a, mlir::Value vector);
  /// A square matrix plus a real vector on its diagonal.
  mlir::Value addDiagonal(mlir::Value a, mlir::Value vector);
  /// The real parts on the diagonal, as a vector of this type.
  mlir::Value realDiagonal(mlir::Type type, mlir::Value a);
  /// The matrix with i Im(a_jj) / (2 v_j) on the diagonal, and 0 elsewhere.
  mlir::Value turns(mlir::Value a, mlir::Value vector);
  /// All elements 1, or those on the diagonal.
  mlir::Value ones(mlir::Type type);
  mlir::Value identity(mlir::Type type);

private:
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value,
                                              mlir::Value, mlir::Value)>;
  /// A map over the elements: of a, and with its row and column.
  mlir::Value build(mlir::Type type, mlir::Value a, Body body);
  /// An element of a field at the map's place in the batch, and these indices.
  mlir::Value read(mlir::OpBuilder &inner, mlir::Value field,
                   mlir::ValueRange indices);
  mlir::Value divideByPairs(mlir::Value a, mlir::Value vector, bool isSum);
  mlir::Value scale(mlir::Value a, mlir::Value vector, bool isDivision,
                    bool isOfRow);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t batch;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_RULES_MATRIXBUILDER_H
