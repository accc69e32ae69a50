//===- FakeCusolver.cpp - cuSOLVER's functions by LAPACK ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver. Work is queued, and all arrays must be device
// memory. The workspace must have the requested size, and is overwritten. As in
// cuSOLVER, Jacobi functions for batches have at most 32 rows.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"
#include "test/gpu/fake/FakeLapack.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace fakecuda;

namespace {

constexpr int success = 0, notInitialized = 1, invalidValue = 3,
              mostForJacobi = 32;

struct Handle {
  void *stream = nullptr;
};

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T> using Real = RealOf<T>::Type;

int workSize(int rows) { return 17 + 3 * rows; }

template <typename T> bool onDevice(const T *data, int64_t count) {
  return isDeviceMemory(data, size_t(count) * sizeof(T));
}

/// Queues work that uses a workspace.
template <typename T, typename Work>
int queue(void *handle, void *work, int size, int rows, const Work &run) {
  if (!handle)
    return notInitialized;
  if (work && (size < workSize(rows) ||
               !onDevice(static_cast<T *>(work), int64_t(size))))
    return invalidValue;
  enqueue(static_cast<Handle *>(handle)->stream, [=] {
    if (work)
      std::memset(work, 0xFF, size_t(size) * sizeof(T));
    run();
    return 0;
  });
  return success;
}

int bytes(int rows, int *size) {
  *size = workSize(rows);
  return success;
}

template <typename T>
void factorUpper(int uplo, int n, T *a, int lda, int *info) {
  HostCopy<T> matrix(a, int64_t(lda) * n);
  lapack<T, void(const char *, const int *, T *, const int *, int *, size_t)>(
      "potrf")(fill(uplo), &n, matrix.data(), &lda, info, 1);
}

template <typename T>
int potrf(void *handle, int uplo, int n, void *a, int lda, void *work, int size,
          int *info) {
  called("cusolverDnpotrf");
  T *matrix = static_cast<T *>(a);
  if (n < 0 || lda < n || !work || !onDevice(matrix, int64_t(lda) * n) ||
      !onDevice(info, 1))
    return invalidValue;
  return queue<T>(handle, work, size, n,
                  [=] { factorUpper(uplo, n, matrix, lda, info); });
}

template <typename T>
int potrfBatched(void *handle, int uplo, int n, void **list, int lda, int *info,
                 int count) {
  called("cusolverDnpotrfBatched");
  if (n < 0 || lda < n || !onDevice(list, count) || !onDevice(info, count))
    return invalidValue;
  return queue<T>(handle, nullptr, 0, n, [=] {
    for (int i = 0; i < count; ++i)
      factorUpper(uplo, n, static_cast<T *>(list[i]), lda, info + i);
  });
}

template <typename T>
int getrf(void *handle, int m, int n, void *a, int lda, void *work, int *pivots,
          int *info) {
  called("cusolverDngetrf");
  T *matrix = static_cast<T *>(a);
  if (lda < m || !work || !onDevice(matrix, int64_t(lda) * n) ||
      !onDevice(pivots, n) || !onDevice(info, 1))
    return invalidValue;
  return queue<T>(handle, work, workSize(n), n, [=] {
    HostCopy<T> copy(matrix, int64_t(lda) * n);
    lapack<T, void(const int *, const int *, T *, const int *, int *, int *)>(
        "getrf")(&m, &n, copy.data(), &lda, pivots, info);
  });
}

template <typename T>
int getrs(void *handle, int trans, int n, int columns, const void *a, int lda,
          const int *pivots, void *b, int ldb, int *info) {
  called("cusolverDngetrs");
  const T *factors = static_cast<const T *>(a);
  T *sides = static_cast<T *>(b);
  if (lda < n || ldb < n || !onDevice(factors, int64_t(lda) * n) ||
      !onDevice(sides, int64_t(ldb) * columns) || !onDevice(info, 1))
    return invalidValue;
  return queue<T>(handle, nullptr, 0, n, [=] {
    lapack<T, void(const char *, const int *, const int *, const T *,
                   const int *, const int *, T *, const int *, int *, size_t)>(
        "getrs")(operation(trans), &n, &columns, factors, &lda, pivots, sides,
                 &ldb, info, 1);
  });
}

template <typename T>
void eigenvalues(int uplo, int n, T *a, int lda, Real<T> *values, int *info) {
  HostCopy<T> matrix(a, int64_t(lda) * n);
  const int size = 1 + 6 * n + 2 * n * n, reals = 1 + 5 * n + 2 * n * n,
            intSize = 3 + 5 * n;
  std::vector<T> work(static_cast<size_t>(size));
  std::vector<int> ints(static_cast<size_t>(intSize));
  if constexpr (isComplex<T>) {
    std::vector<Real<T>> real(static_cast<size_t>(reals));
    lapack<T, void(const char *, const char *, const int *, T *, const int *,
                   Real<T> *, T *, const int *, Real<T> *, const int *, int *,
                   const int *, int *, size_t, size_t)>("heevd")(
        "V", fill(uplo), &n, matrix.data(), &lda, values, work.data(), &size,
        real.data(), &reals, ints.data(), &intSize, info, 1, 1);
  } else {
    lapack<T, void(const char *, const char *, const int *, T *, const int *,
                   T *, T *, const int *, int *, const int *, int *, size_t,
                   size_t)>("syevd")("V", fill(uplo), &n, matrix.data(), &lda,
                                     values, work.data(), &size, ints.data(),
                                     &intSize, info, 1, 1);
  }
}

template <typename T>
int syevjBatched(void *handle, int uplo, int n, void *a, int lda, void *values,
                 void *work, int size, int *info, int count, bool isBatch) {
  called(isBatch ? "cusolverDnsyevjBatched" : "cusolverDnsyevd");
  T *matrices = static_cast<T *>(a);
  Real<T> *found = static_cast<Real<T> *>(values);
  if ((isBatch && n > mostForJacobi) || lda < n || !work ||
      !onDevice(matrices, int64_t(lda) * n * count) ||
      !onDevice(found, int64_t(n) * count) || !onDevice(info, count))
    return invalidValue;
  return queue<T>(handle, work, size, n, [=] {
    for (int i = 0; i < count; ++i)
      eigenvalues(uplo, n, matrices + int64_t(i) * lda * n, lda,
                  found + int64_t(i) * n, info + i);
  });
}

/// The columns of V. LAPACK returns the rows of V*.
template <typename T>
void singularValues(bool isThin, int m, int n, T *a, int lda, Real<T> *values,
                    T *u, int ldu, T *v, int ldv, int *info) {
  const int few = std::min(m, n), most = std::max(m, n),
            rows = isThin ? few : n;
  HostCopy<T> matrix(a, int64_t(lda) * n),
      left(u, int64_t(ldu) * (isThin ? few : m));
  std::vector<T> adjoint(size_t(rows) * size_t(n));
  const int size = 4 * most * most + 32 * most;
  std::vector<T> work(static_cast<size_t>(size));
  std::vector<int> ints(size_t(8) * size_t(few));
  const char *job = isThin ? "S" : "A";
  if constexpr (isComplex<T>) {
    std::vector<Real<T>> reals(size_t(few) * size_t(5 * few + 7 + 4 * most));
    lapack<T, void(const char *, const int *, const int *, T *, const int *,
                   Real<T> *, T *, const int *, T *, const int *, T *,
                   const int *, Real<T> *, int *, int *, size_t)>("gesdd")(
        job, &m, &n, matrix.data(), &lda, values, left.data(), &ldu,
        adjoint.data(), &rows, work.data(), &size, reals.data(), ints.data(),
        info, 1);
  } else {
    lapack<T, void(const char *, const int *, const int *, T *, const int *,
                   T *, T *, const int *, T *, const int *, T *, const int *,
                   int *, int *, size_t)>("gesdd")(
        job, &m, &n, matrix.data(), &lda, values, left.data(), &ldu,
        adjoint.data(), &rows, work.data(), &size, ints.data(), info, 1);
  }
  for (int k = 0; k < rows; ++k)
    for (int j = 0; j < n; ++j) {
      const T value = adjoint[size_t(j) * size_t(rows) + size_t(k)];
      if constexpr (isComplex<T>)
        v[int64_t(k) * ldv + j] = std::conj(value);
      else
        v[int64_t(k) * ldv + j] = value;
    }
}

template <typename T>
int gesvdj(void *handle, int econ, int m, int n, void *a, int lda, void *values,
           void *u, int ldu, void *v, int ldv, void *work, int size, int *info,
           int count, bool isBatch) {
  called(isBatch ? "cusolverDngesvdjBatched" : "cusolverDngesvdj");
  const int few = std::min(m, n), left = econ ? few : m, right = econ ? few : n;
  T *matrices = static_cast<T *>(a), *us = static_cast<T *>(u),
    *vs = static_cast<T *>(v);
  Real<T> *found = static_cast<Real<T> *>(values);
  if ((isBatch && std::max(m, n) > mostForJacobi) || lda < m || ldu < m ||
      ldv < n || !work || !onDevice(matrices, int64_t(lda) * n * count) ||
      !onDevice(found, int64_t(few) * count) ||
      !onDevice(us, int64_t(ldu) * left * count) ||
      !onDevice(vs, int64_t(ldv) * right * count) || !onDevice(info, count))
    return invalidValue;
  return queue<T>(handle, work, size, std::max(m, n), [=] {
    for (int64_t i = 0; i < count; ++i)
      singularValues(econ != 0, m, n, matrices + i * lda * n, lda,
                     found + i * few, us + i * ldu * left, ldu,
                     vs + i * ldv * right, ldv, info + i);
  });
}

} // namespace

extern "C" {

int cusolverDnCreate(void **handle) {
  called(__func__);
  *handle = new Handle;
  return success;
}

int cusolverDnDestroy(void *handle) {
  delete static_cast<Handle *>(handle);
  return success;
}

int cusolverDnSetStream(void *handle, void *stream) {
  static_cast<Handle *>(handle)->stream = stream;
  return success;
}

int cusolverDnCreateSyevjInfo(void **info) {
  *info = new int(0);
  return success;
}

int cusolverDnDestroySyevjInfo(void *info) {
  delete static_cast<int *>(info);
  return success;
}

int cusolverDnCreateGesvdjInfo(void **info) {
  *info = new int(0);
  return success;
}

int cusolverDnDestroyGesvdjInfo(void *info) {
  delete static_cast<int *>(info);
  return success;
}

#define FAKE_CUSOLVER(L, T, SY)                                                \
  int cusolverDn##L##potrf_bufferSize(void *, int, int n, void *, int,         \
                                      int *size) {                             \
    return bytes(n, size);                                                     \
  }                                                                            \
  int cusolverDn##L##potrf(void *h, int uplo, int n, void *a, int lda,         \
                           void *work, int size, int *info) {                  \
    return potrf<T>(h, uplo, n, a, lda, work, size, info);                     \
  }                                                                            \
  int cusolverDn##L##potrfBatched(void *h, int uplo, int n, void **a, int lda, \
                                  int *info, int count) {                      \
    return potrfBatched<T>(h, uplo, n, a, lda, info, count);                   \
  }                                                                            \
  int cusolverDn##L##getrf_bufferSize(void *, int, int n, void *, int,         \
                                      int *size) {                             \
    return bytes(n, size);                                                     \
  }                                                                            \
  int cusolverDn##L##getrf(void *h, int m, int n, void *a, int lda,            \
                           void *work, int *pivots, int *info) {               \
    return getrf<T>(h, m, n, a, lda, work, pivots, info);                      \
  }                                                                            \
  int cusolverDn##L##getrs(void *h, int trans, int n, int columns,             \
                           const void *a, int lda, const int *pivots, void *b, \
                           int ldb, int *info) {                               \
    return getrs<T>(h, trans, n, columns, a, lda, pivots, b, ldb, info);       \
  }                                                                            \
  int cusolverDn##L##SY##evd_bufferSize(void *, int, int, int n, const void *, \
                                        int, const void *, int *size) {        \
    return bytes(n, size);                                                     \
  }                                                                            \
  int cusolverDn##L##SY##evd(void *h, int, int uplo, int n, void *a, int lda,  \
                             void *values, void *work, int size, int *info) {  \
    return syevjBatched<T>(h, uplo, n, a, lda, values, work, size, info, 1,    \
                           false);                                             \
  }                                                                            \
  int cusolverDn##L##SY##evjBatched_bufferSize(                                \
      void *, int, int, int n, const void *, int, const void *, int *size,     \
      void *, int) {                                                           \
    return bytes(n, size);                                                     \
  }                                                                            \
  int cusolverDn##L##SY##evjBatched(void *h, int, int uplo, int n, void *a,    \
                                    int lda, void *values, void *work,         \
                                    int size, int *info, void *, int count) {  \
    return syevjBatched<T>(h, uplo, n, a, lda, values, work, size, info,       \
                           count, true);                                       \
  }                                                                            \
  int cusolverDn##L##gesvdj_bufferSize(                                        \
      void *, int, int, int m, int n, const void *, int, const void *,         \
      const void *, int, const void *, int, int *size, void *) {               \
    return bytes(std::max(m, n), size);                                        \
  }                                                                            \
  int cusolverDn##L##gesvdj(void *h, int, int econ, int m, int n, void *a,     \
                            int lda, void *values, void *u, int ldu, void *v,  \
                            int ldv, void *work, int size, int *info,          \
                            void *) {                                          \
    return gesvdj<T>(h, econ, m, n, a, lda, values, u, ldu, v, ldv, work,      \
                     size, info, 1, false);                                    \
  }                                                                            \
  int cusolverDn##L##gesvdjBatched_bufferSize(                                 \
      void *, int, int m, int n, const void *, int, const void *,              \
      const void *, int, const void *, int, int *size, void *, int) {          \
    return bytes(std::max(m, n), size);                                        \
  }                                                                            \
  int cusolverDn##L##gesvdjBatched(void *h, int, int m, int n, void *a,        \
                                   int lda, void *values, void *u, int ldu,    \
                                   void *v, int ldv, void *work, int size,     \
                                   int *info, void *, int count) {             \
    return gesvdj<T>(h, 0, m, n, a, lda, values, u, ldu, v, ldv, work, size,   \
                     info, count, true);                                       \
  }

FAKE_CUSOLVER(S, float, sy)
FAKE_CUSOLVER(D, double, sy)
FAKE_CUSOLVER(C, std::complex<float>, he)
FAKE_CUSOLVER(Z, std::complex<double>, he)

} // extern "C"
