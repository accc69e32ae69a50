//===- Multiply.h - Products of small matrices ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_HOST_MULTIPLY_H
#define PMRT_HOST_MULTIPLY_H

#include <cstdint>

namespace pmrt {

/// Rows and columns of the product, and terms of its sums.
struct ProductShape {
  int64_t rows, columns, terms;
};

/// c(i, j) = sum over k of a(i, k) b(k, j), added in order. a(i, k) is at
/// a[i * aRow + k * aTerm]; rows of b and c are dense.
void multiplyBlock(ProductShape shape, const float *a, int64_t aRow,
                   int64_t aTerm, const float *b, int64_t ldb, float *c,
                   int64_t ldc);
void multiplyBlock(ProductShape shape, const double *a, int64_t aRow,
                   int64_t aTerm, const double *b, int64_t ldb, double *c,
                   int64_t ldc);

/// How many columns multiplyGathered makes at once: the vectors of a row. Rows
/// are so many that sums stay in registers.
enum class Strip { TwoVectors, OneVector, HalfVector };

constexpr int64_t bytesOf(Strip strip) {
  return strip == Strip::TwoVectors ? 64 : strip == Strip::OneVector ? 32 : 16;
}
constexpr int64_t rowsOf(Strip strip) {
  return strip == Strip::TwoVectors ? 6 : 8;
}

/// sum(i, j) += Σ a[rows[i] + terms[k]] b(k, j), of which the products of one
/// call are added in T, and with what was there in f64. Rows of b are dense;
/// those of sum are at a distance `ld`. `first`: nothing was there.
void multiplyGathered(int64_t count, const float *a, const int64_t *rows,
                      const int64_t *terms, const float *b, double *sum,
                      int64_t ld, Strip strip, bool first);
void multiplyGathered(int64_t count, const double *a, const int64_t *rows,
                      const int64_t *terms, const double *b, double *sum,
                      int64_t ld, Strip strip, bool first);

} // namespace pmrt

#endif // PMRT_HOST_MULTIPLY_H
