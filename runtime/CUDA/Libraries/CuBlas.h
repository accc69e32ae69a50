//===- CuBlas.h - cuBLAS, loaded at run time --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_CUBLAS_H
#define PMRT_CUDA_CUBLAS_H

#include "runtime/CUDA/Driver.h"
#include "runtime/CUDA/Libraries/Library.h"

#include <string>

namespace pmrt::cuda {

#define PMRT_CUBLAS(X)                                                         \
  X(create, "cublasCreate_v2", int (*)(void **))                               \
  X(destroy, "cublasDestroy_v2", int (*)(void *))                              \
  X(setStream, "cublasSetStream_v2", int (*)(void *, Stream))                  \
  X(setWorkspace, "cublasSetWorkspace_v2", int (*)(void *, void *, size_t))    \
  X(sgemm, "cublasSgemmStridedBatched",                                        \
    int (*)(void *, int, int, int, int, int, const float *, const float *,     \
            int, long long, const float *, int, long long, const float *,      \
            float *, int, long long, int))                                     \
  X(dgemm, "cublasDgemmStridedBatched",                                        \
    int (*)(void *, int, int, int, int, int, const double *, const double *,   \
            int, long long, const double *, int, long long, const double *,    \
            double *, int, long long, int))

/// Bytes of the workspace of cuBLAS.
constexpr int64_t blasWorkspace = int64_t(32) << 20;

struct CuBlas {
  PMRT_FUNCTIONS(PMRT_CUBLAS)

  static constexpr int plain = 0, transposed = 1;

  /// "CUBLAS_STATUS_NOT_SUPPORTED (15)".
  static std::string text(int error);
};

/// Loads it, once. Throws Exit::Usage with what is missing.
const CuBlas &cublas();

} // namespace pmrt::cuda

#endif // PMRT_CUDA_CUBLAS_H
