//===- Blas.h - Products of matrices, by a library --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_HOST_BLAS_H
#define PMRT_HOST_BLAS_H

#include <string>

namespace pmrt {

/// OpenBLAS, loaded when the first large contraction runs, on one thread: it is
/// called from the context's own threads.
struct Blas {
  void (*sgemm)(int order, int transA, int transB, int m, int n, int k,
                float alpha, const float *a, int lda, const float *b, int ldb,
                float beta, float *c, int ldc) = nullptr;
  void (*dgemm)(int order, int transA, int transB, int m, int n, int k,
                double alpha, const double *a, int lda, const double *b,
                int ldb, double beta, double *c, int ldc) = nullptr;

  static constexpr int rowMajor = 101, plain = 111, transposed = 112;
};

/// Null if it is not on this machine: then the runtime's own loops do it.
const Blas *blas();
/// What to tell of that, after `blas` has been called.
std::string missingBlas();

} // namespace pmrt

#endif // PMRT_HOST_BLAS_H
