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
#include "test/gpu/fake/FakeLapack.h"

#include <cstdint>
#include <cstring>

namespace {

constexpr int success = 0, invalidValue = 7, notSupported = 15;

struct Handle {
  void *stream = nullptr, *work = nullptr;
  size_t bytes = 0;
};

/// The conjugate of the value if the operation is an adjoint.
template <typename T> T turned(T value, int operation) {
  if constexpr (fakecuda::isComplex<T>)
    return operation == 2 ? std::conj(value) : value;
  return value;
}

/// Column-major, as there; sums in the element's precision.
template <typename T>
int multiply(void *handle, int opA, int opB, int m, int n, int k,
             const T *alpha, const T *a, int lda, long long stepA, const T *b,
             int ldb, long long stepB, const T *beta, T *c, int ldc,
             long long stepC, int batches) {
  fakecuda::called(__func__);
  auto *known = static_cast<Handle *>(handle);
  if (!known || m < 0 || n < 0 || k < 0 || batches < 0 ||
      opA > 1 + fakecuda::isComplex<T> || opB > 1 + fakecuda::isComplex<T> ||
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
            sum += turned(a[batch * stepA + (opA ? l + (long long)i * lda
                                                 : i + (long long)l * lda)],
                          opA) *
                   turned(b[batch * stepB + (opB ? j + (long long)l * ldb
                                                 : l + (long long)j * ldb)],
                          opB);
          T &to = c[batch * stepC + i + (long long)j * ldc];
          to = scale * sum + (keep == T(0) ? T(0) : keep * to);
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

namespace {

/// Queues work on a list of arrays. The list is in device memory.
template <typename Work>
int each(void *handle, const void *list, int count, const Work &run) {
  if (!handle || count < 0 ||
      !fakecuda::isDeviceMemory(list, size_t(count) * sizeof(void *)))
    return invalidValue;
  fakecuda::enqueue(static_cast<Handle *>(handle)->stream, [=] {
    for (int i = 0; i < count; ++i)
      run(i);
    return 0;
  });
  return success;
}

template <typename T>
int factorAll(void *handle, int n, void *const *a, int lda, int *pivots,
              int *info, int count) {
  fakecuda::called("cublasgetrfBatched");
  return each(handle, a, count, [=](int i) {
    fakecuda::lapack<T, void(const int *, const int *, T *, const int *, int *,
                             int *)>("getrf")(&n, &n, static_cast<T *>(a[i]),
                                              &lda, pivots + int64_t(i) * n,
                                              info + i);
  });
}

template <typename T>
int solveAll(void *handle, int trans, int n, int columns, const void *const *a,
             int lda, const int *pivots, void *const *b, int ldb, int *info,
             int count) {
  fakecuda::called("cublasgetrsBatched");
  *info = 0;
  return each(handle, b, count, [=](int i) {
    int bad = 0;
    fakecuda::lapack<T, void(const char *, const int *, const int *, const T *,
                             const int *, const int *, T *, const int *, int *,
                             size_t)>("getrs")(
        fakecuda::operation(trans), &n, &columns, static_cast<const T *>(a[i]),
        &lda, pivots + int64_t(i) * n, static_cast<T *>(b[i]), &ldb, &bad, 1);
  });
}

template <typename T>
int solveTriangles(void *handle, int side, int uplo, int trans, int diagonal,
                   int m, int n, const void *alpha, const void *const *a,
                   int lda, void *const *b, int ldb, int count) {
  fakecuda::called("cublastrsmBatched");
  if (side != 0 || diagonal != 0)
    return invalidValue;
  const T scale = *static_cast<const T *>(alpha);
  return each(handle, b, count, [=](int i) {
    fakecuda::lapack<T, void(const char *, const char *, const char *,
                             const char *, const int *, const int *, const T *,
                             const T *, const int *, T *, const int *, size_t,
                             size_t, size_t, size_t)>("trsm")(
        "L", fakecuda::fill(uplo), fakecuda::operation(trans), "N", &m, &n,
        &scale, static_cast<const T *>(a[i]), &lda, static_cast<T *>(b[i]),
        &ldb, 1, 1, 1, 1);
  });
}

} // namespace

extern "C" {

#define FAKE_CUBLAS(L, T)                                                      \
  int cublas##L##getrfBatched(void *h, int n, void *const *a, int lda,         \
                              int *pivots, int *info, int count) {             \
    return factorAll<T>(h, n, a, lda, pivots, info, count);                    \
  }                                                                            \
  int cublas##L##getrsBatched(                                                 \
      void *h, int trans, int n, int columns, const void *const *a, int lda,   \
      const int *pivots, void *const *b, int ldb, int *info, int count) {      \
    return solveAll<T>(h, trans, n, columns, a, lda, pivots, b, ldb, info,     \
                       count);                                                 \
  }                                                                            \
  int cublas##L##trsmBatched(void *h, int side, int uplo, int trans, int diag, \
                             int m, int n, const void *alpha,                  \
                             const void *const *a, int lda, void *const *b,    \
                             int ldb, int count) {                             \
    return solveTriangles<T>(h, side, uplo, trans, diag, m, n, alpha, a, lda,  \
                             b, ldb, count);                                   \
  }

FAKE_CUBLAS(S, float)
FAKE_CUBLAS(D, double)
FAKE_CUBLAS(C, std::complex<float>)
FAKE_CUBLAS(Z, std::complex<double>)

int cublasCgemmStridedBatched(void *handle, int opA, int opB, int m, int n,
                              int k, const void *alpha, const void *a, int lda,
                              long long stepA, const void *b, int ldb,
                              long long stepB, const void *beta, void *c,
                              int ldc, long long stepC, int batches) {
  using T = std::complex<float>;
  return multiply(handle, opA, opB, m, n, k, static_cast<const T *>(alpha),
                  static_cast<const T *>(a), lda, stepA,
                  static_cast<const T *>(b), ldb, stepB,
                  static_cast<const T *>(beta), static_cast<T *>(c), ldc, stepC,
                  batches);
}

int cublasZgemmStridedBatched(void *handle, int opA, int opB, int m, int n,
                              int k, const void *alpha, const void *a, int lda,
                              long long stepA, const void *b, int ldb,
                              long long stepB, const void *beta, void *c,
                              int ldc, long long stepC, int batches) {
  using T = std::complex<double>;
  return multiply(handle, opA, opB, m, n, k, static_cast<const T *>(alpha),
                  static_cast<const T *>(a), lda, stepA,
                  static_cast<const T *>(b), ldb, stepB,
                  static_cast<const T *>(beta), static_cast<T *>(c), ldc, stepC,
                  batches);
}

} // extern "C"
