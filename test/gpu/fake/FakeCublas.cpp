//===- FakeCublas.cpp - cuBLAS's functions by plain loops -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver: products are queued, and the workspace, which is
// the caller's, is overwritten.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"

#include <cstring>

namespace {

constexpr int success = 0, invalidValue = 7, notSupported = 15;

struct Handle {
  void *stream = nullptr, *work = nullptr;
  size_t bytes = 0;
};

/// Column-major, as there; sums in the element's precision.
template <typename T>
int multiply(void *handle, int opA, int opB, int m, int n, int k,
             const T *alpha, const T *a, int lda, long long stepA, const T *b,
             int ldb, long long stepB, const T *beta, T *c, int ldc,
             long long stepC, int batches) {
  fakecuda::called(__func__);
  auto *known = static_cast<Handle *>(handle);
  if (!known || m < 0 || n < 0 || k < 0 || batches < 0 || opA > 1 || opB > 1 ||
      lda < (opA ? k : m) || ldb < (opB ? n : k) || ldc < m)
    return invalidValue;
  if (!known->work)
    return notSupported;
  const T scale = *alpha, keep = *beta;
  const Handle now = *known;
  fakecuda::enqueue(now.stream, [=] {
    std::memset(now.work, 0xFF, now.bytes < 65536 ? now.bytes : 65536);
    for (int batch = 0; batch < batches; ++batch)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          T sum = 0;
          for (int l = 0; l < k; ++l)
            sum += a[batch * stepA +
                     (opA ? l + (long long)i * lda : i + (long long)l * lda)] *
                   b[batch * stepB +
                     (opB ? j + (long long)l * ldb : l + (long long)j * ldb)];
          T &to = c[batch * stepC + i + (long long)j * ldc];
          to = scale * sum + (keep == 0 ? T(0) : keep * to);
        }
    return 0;
  });
  return success;
}

} // namespace

extern "C" {

int cublasCreate_v2(void **handle) {
  fakecuda::called(__func__);
  *handle = new Handle;
  return success;
}

int cublasDestroy_v2(void *handle) {
  delete static_cast<Handle *>(handle);
  return success;
}

int cublasSetStream_v2(void *handle, void *stream) {
  static_cast<Handle *>(handle)->stream = stream;
  return success;
}

int cublasSetWorkspace_v2(void *handle, void *work, size_t bytes) {
  if (!fakecuda::isDeviceMemory(work, bytes))
    return invalidValue;
  static_cast<Handle *>(handle)->work = work;
  static_cast<Handle *>(handle)->bytes = bytes;
  return success;
}

int cublasSgemmStridedBatched(void *handle, int opA, int opB, int m, int n,
                              int k, const float *alpha, const float *a,
                              int lda, long long stepA, const float *b, int ldb,
                              long long stepB, const float *beta, float *c,
                              int ldc, long long stepC, int batches) {
  return multiply(handle, opA, opB, m, n, k, alpha, a, lda, stepA, b, ldb,
                  stepB, beta, c, ldc, stepC, batches);
}

int cublasDgemmStridedBatched(void *handle, int opA, int opB, int m, int n,
                              int k, const double *alpha, const double *a,
                              int lda, long long stepA, const double *b,
                              int ldb, long long stepB, const double *beta,
                              double *c, int ldc, long long stepC,
                              int batches) {
  return multiply(handle, opA, opB, m, n, k, alpha, a, lda, stepA, b, ldb,
                  stepB, beta, c, ldc, stepC, batches);
}

} // extern "C"
