//===- SmallMatrices.h - Matrices of a few rows -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenBLAS takes a lock in each of its calls. For small matrices, the threads
// of a batch wait for this lock longer than they compute. Therefore batches of
// small matrices are computed here. The elements of a row are consecutive.
//
// Source: Golub and Van Loan, Matrix Computations, algorithms 3.4.1 (LU with
// partial pivoting) and 4.2.2 (Cholesky).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_HOST_SMALLMATRICES_H
#define PMRT_HOST_SMALLMATRICES_H

#include "runtime/Host/Lapack.h"

#include <algorithm>
#include <cmath>

namespace pmrt {

/// The largest number of rows and columns of a small matrix. LAPACK computes
/// larger ones.
inline constexpr int mostSmallRows = 16;

template <typename T> T conjugate(T value) {
  if constexpr (isComplexNumber<T>)
    return std::conj(value);
  else
    return value;
}

/// |re| + |im|, as LAPACK compares pivots.
template <typename T> auto pivotSize(const T &value) {
  return std::abs(std::real(value)) + std::abs(std::imag(value));
}

/// Replaces `a`, n x n, by its factors: U on and above the diagonal, and L,
/// whose diagonal is 1, below it. Before column i is eliminated, row i is
/// exchanged with row pivots[i]. Returns false if the diagonal of U has a zero,
/// because then A is singular.
template <typename T> bool factorSmall(T *a, int n, int *pivots) {
  bool isRegular = true;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (pivotSize(a[i * n + k]) > pivotSize(a[best * n + k]))
        best = i;
    pivots[k] = best;
    if (a[best * n + k] == T(0)) {
      isRegular = false;
      continue;
    }
    if (best != k)
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
    const T pivot = a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] /= pivot;
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return isRegular;
}

/// b -= the sum of from[k] times row k of `rows`, each of `columns` numbers.
template <typename T>
void subtractSmall(const T *from, const T *rows, int count, T *b, int columns) {
  if (columns == 1) {
    T sum = *b;
    for (int k = 0; k < count; ++k)
      sum -= from[k] * rows[k];
    *b = sum;
    return;
  }
  for (int k = 0; k < count; ++k)
    for (int j = 0; j < columns; ++j)
      b[j] -= from[k] * rows[k * columns + j];
}

/// b = L⁻¹ b for a lower triangle L, n x n, and `columns` columns.
template <bool hasUnitDiagonal, typename T>
void solveLowerSmall(const T *l, int n, T *b, int columns) {
  for (int i = 0; i < n; ++i) {
    subtractSmall(l + i * n, b, i, b + i * columns, columns);
    if constexpr (!hasUnitDiagonal)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] /= l[i * n + i];
  }
}

/// b = U⁻¹ b for an upper triangle U.
template <typename T>
void solveUpperSmall(const T *u, int n, T *b, int columns) {
  for (int i = n - 1; i >= 0; --i) {
    subtractSmall(u + i * n + i + 1, b + (i + 1) * columns, n - i - 1,
                  b + i * columns, columns);
    for (int j = 0; j < columns; ++j)
      b[i * columns + j] /= u[i * n + i];
  }
}

/// b = A⁻¹ b, with the results of `factorSmall`.
template <typename T>
void solveSmall(const T *factors, const int *pivots, int n, T *b, int columns) {
  for (int i = 0; i < n; ++i)
    if (pivots[i] != i)
      std::swap_ranges(b + i * columns, b + (i + 1) * columns,
                       b + pivots[i] * columns);
  solveLowerSmall<true>(factors, n, b, columns);
  solveUpperSmall(factors, n, b, columns);
}

/// Replaces the lower triangle of a Hermitian matrix by L with A = L L*. False
/// if A is not positive definite.
template <typename T> bool choleskySmall(T *a, int n) {
  for (int j = 0; j < n; ++j) {
    T *row = a + j * n;
    auto rest = std::real(row[j]);
    for (int k = 0; k < j; ++k)
      rest -= std::norm(row[k]);
    if (!(rest > 0))
      return false;
    const auto diagonal = std::sqrt(rest);
    row[j] = diagonal;
    for (int i = j + 1; i < n; ++i) {
      T sum = a[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= a[i * n + k] * conjugate(row[k]);
      a[i * n + j] = sum / diagonal;
    }
  }
  return true;
}

/// c = A B, where A* or B* may replace A and B. The first factor has `rows` x
/// `terms` elements, and the second one `terms` x `columns`.
template <typename T>
void multiplySmall(const T *a, bool isAdjointA, const T *b, bool isAdjointB,
                   int rows, int terms, int columns, T *c) {
  std::fill_n(c, rows * columns, T(0));
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < terms; ++k) {
      const T factor =
          isAdjointA ? conjugate(a[k * rows + i]) : a[i * terms + k];
      if (isAdjointB)
        for (int j = 0; j < columns; ++j)
          c[i * columns + j] += factor * conjugate(b[j * terms + k]);
      else
        for (int j = 0; j < columns; ++j)
          c[i * columns + j] += factor * b[k * columns + j];
    }
}

} // namespace pmrt

#endif // PMRT_HOST_SMALLMATRICES_H
