//===- Matrices.h - What are matrices over dims -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_MATRICES_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_MATRICES_H

#include "frontend/Sema/Rules/Context.h"

#include <optional>
#include <vector>

namespace pmc {

/// What `lapack` computes.
enum class MatrixFunction : uint8_t {
  Solve,
  SolveLower,
  LeastSquares,
  Cholesky,
  LogDet,
  Eigh,
  Svd,
  DetSign,
};

inline bool hasRightHandSide(MatrixFunction function) {
  return function <= MatrixFunction::LeastSquares;
}

/// The dims of a field of matrices.
struct MatrixDims {
  Dim rows, columns;
  std::optional<Dim> kept; ///< of singular values
  std::vector<Dim> batch;
};

/// The function, of which the arguments `kept` and `b` are given or not.
std::optional<MatrixFunction> readMatrixFunction(const RuleContext &context,
                                                 const Argument &name,
                                                 bool hasKept, bool hasRight,
                                                 llvm::SMLoc loc);
/// `kept` is null except for singular values.
std::optional<MatrixDims>
readMatrixDims(const RuleContext &context, MatrixFunction function,
               const Argument &matrix, const Argument &rows,
               const Argument &columns, const Argument *kept);
/// The matrices of a determinant that has a sign.
bool requireReal(const RuleContext &context, const Argument &matrix,
                 bool isComplex);
/// The unit of a Cholesky factor.
std::optional<Unit> rootOfMatrix(const RuleContext &context,
                                 const Argument &matrix);
/// The dims of a right-hand side that the matrix does not have.
std::optional<std::vector<Dim>> placeRightHandSide(const RuleContext &context,
                                                   const MatrixDims &dims,
                                                   const Argument &right);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_MATRICES_H
