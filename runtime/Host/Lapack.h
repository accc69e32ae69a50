//===- Lapack.h - Factorizations of matrices, by a library ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's functions of OpenBLAS, which is loaded when the first program needs
// them. Matrices are as in Fortran: columns are dense. Every function takes the
// lengths of its texts last.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_HOST_LAPACK_H
#define PMRT_HOST_LAPACK_H

#include <complex>
#include <cstddef>

namespace pmrt {

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T>
inline constexpr bool isComplexNumber =
    !std::is_same_v<typename RealOf<T>::Type, T>;

template <typename T> struct Lapack {
  using Real = RealOf<T>::Type;
  using Text = const char *;
  using Int = const int *;

  void (*gemm)(Text transA, Text transB, Int m, Int n, Int k, const T *alpha,
               const T *a, Int lda, const T *b, Int ldb, const T *beta, T *c,
               Int ldc, size_t, size_t);
  void (*getrf)(Int m, Int n, T *a, Int lda, int *pivots, int *info);
  void (*getrs)(Text trans, Int n, Int columns, const T *a, Int lda, Int pivots,
                T *b, Int ldb, int *info, size_t);
  void (*trtrs)(Text uplo, Text trans, Text diag, Int n, Int columns,
                const T *a, Int lda, T *b, Int ldb, int *info, size_t, size_t,
                size_t);
  void (*potrf)(Text uplo, Int n, T *a, Int lda, int *info, size_t);
  /// syevd, gesdd and gelsd of real matrices, which have no `rwork`.
  void (*syevd)(Text job, Text uplo, Int n, T *a, Int lda, Real *values,
                T *work, Int lwork, int *iwork, Int liwork, int *info, size_t,
                size_t);
  void (*heevd)(Text job, Text uplo, Int n, T *a, Int lda, Real *values,
                T *work, Int lwork, Real *rwork, Int lrwork, int *iwork,
                Int liwork, int *info, size_t, size_t);
  void (*gesdd)(Text job, Int m, Int n, T *a, Int lda, Real *values, T *u,
                Int ldu, T *vt, Int ldvt, T *work, Int lwork, int *iwork,
                int *info, size_t);
  void (*complexGesdd)(Text job, Int m, Int n, T *a, Int lda, Real *values,
                       T *u, Int ldu, T *vt, Int ldvt, T *work, Int lwork,
                       Real *rwork, int *iwork, int *info, size_t);
  void (*gelsd)(Int m, Int n, Int columns, T *a, Int lda, T *b, Int ldb,
                Real *values, const Real *least, int *rank, T *work, Int lwork,
                int *iwork, int *info);
  void (*complexGelsd)(Int m, Int n, Int columns, T *a, Int lda, T *b, Int ldb,
                       Real *values, const Real *least, int *rank, T *work,
                       Int lwork, Real *rwork, int *iwork, int *info);
};

/// Throws Exit::Usage, with what is missing, if it is not on this machine.
template <typename T> const Lapack<T> &lapack();

/// Lets OpenBLAS use so many threads while it exists, if no other does.
class LapackThreads {
public:
  explicit LapackThreads(int count);
  ~LapackThreads();
  LapackThreads(const LapackThreads &) = delete;
  LapackThreads &operator=(const LapackThreads &) = delete;

private:
  bool isSet = false;
};

} // namespace pmrt

#endif // PMRT_HOST_LAPACK_H
