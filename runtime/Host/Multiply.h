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

} // namespace pmrt

#endif // PMRT_HOST_MULTIPLY_H
