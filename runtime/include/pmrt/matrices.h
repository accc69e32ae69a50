//===- matrices.h - Dense matrices over dims --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields whose last dims are the rows and columns of matrices, one matrix for
// each element of the dims before, the batch.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_MATRICES_H
#define PMRT_MATRICES_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pmrt_matrix_kind {
  PMRT_MATRIX_PRODUCT = 0,       ///< C = A B
  PMRT_MATRIX_SOLVE = 1,         ///< X with A X = B
  PMRT_MATRIX_CHOLESKY = 2,      ///< lower L with L L* = (A + A*) / 2
  PMRT_MATRIX_LOG_DET = 3,       ///< log |det A|, once for each column
  PMRT_MATRIX_EIGH = 4,          ///< values and vectors of (A + A*) / 2
  PMRT_MATRIX_SVD = 5,           ///< u, values and v with A = u diag(values) v*
  PMRT_MATRIX_LEAST_SQUARES = 6, ///< the smallest X that minimizes |A X - B|
} pmrt_matrix_kind;

typedef enum pmrt_matrix_flag {
  PMRT_MATRIX_ADJOINT_A = 1, ///< A* in the place of A (product, solve, least
                             ///< squares)
  PMRT_MATRIX_ADJOINT_B = 2, ///< B* in the place of B (product)
  PMRT_MATRIX_LOWER = 4,     ///< A is lower triangular (solve)
  PMRT_MATRIX_SIGN = 8,      ///< the sign of det A, or 0, in the place of the
                             ///< logarithm, of real matrices
} pmrt_matrix_flag;

/// `in`: A, and B if the kind has one. `out`: the results in order. All have
/// the first `batch` dims, the same element (f32, f64, c64 or c128) except for
/// logarithms, eigenvalues and singular values, which are real, and no dim that
/// ranks share except in the batch. Then follow the rows, and all columns,
/// which may be none or several dims. Where a matrix is not finite, singular or
/// not positive definite, and where an iteration does not converge, the results
/// are NaN. Throws Exit::Usage if there is no OpenBLAS, or, on a GPU,
/// neither cuSOLVER nor OpenBLAS.
void pmrt_matrices(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                   pmrt_matrix_kind kind, int32_t flags, int32_t batch,
                   const pmrt_array *const *in, const pmrt_array *const *out);

#ifdef __cplusplus
}
#endif

#endif // PMRT_MATRICES_H
