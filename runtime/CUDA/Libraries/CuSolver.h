//===- CuSolver.h - cuSOLVER, loaded at run time ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that factorize matrices with dense columns, and batches of such
// matrices. cuBLAS has the functions for batches that cuSOLVER lacks. A letter
// in the name of a function is its element type: S, D, C or Z.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_CUSOLVER_H
#define PMRT_CUDA_CUSOLVER_H

#include "runtime/CUDA/Driver.h"
#include "runtime/CUDA/Libraries/Library.h"

namespace pmrt::cuda {

/// The functions of an element type L: S, D, C or Z. SY is `sy` or `he`.
#define PMRT_CUSOLVER_OF(X, L, SY)                                             \
  X(potrfBytes##L, "cusolverDn" #L "potrf_bufferSize",                         \
    int (*)(void *, int, int, void *, int, int *))                             \
  X(potrf##L, "cusolverDn" #L "potrf",                                         \
    int (*)(void *, int, int, void *, int, void *, int, int *))                \
  X(potrfBatched##L, "cusolverDn" #L "potrfBatched",                           \
    int (*)(void *, int, int, void **, int, int *, int))                       \
  X(getrfBytes##L, "cusolverDn" #L "getrf_bufferSize",                         \
    int (*)(void *, int, int, void *, int, int *))                             \
  X(getrf##L, "cusolverDn" #L "getrf",                                         \
    int (*)(void *, int, int, void *, int, void *, int *, int *))              \
  X(getrs##L, "cusolverDn" #L "getrs",                                         \
    int (*)(void *, int, int, int, const void *, int, const int *, void *,     \
            int, int *))                                                       \
  X(syevdBytes##L, "cusolverDn" #L#SY "evd_bufferSize",                        \
    int (*)(void *, int, int, int, const void *, int, const void *, int *))    \
  X(syevd##L, "cusolverDn" #L#SY "evd",                                        \
    int (*)(void *, int, int, int, void *, int, void *, void *, int, int *))   \
  X(syevjBatchedBytes##L, "cusolverDn" #L#SY "evjBatched_bufferSize",          \
    int (*)(void *, int, int, int, const void *, int, const void *, int *,     \
            void *, int))                                                      \
  X(syevjBatched##L, "cusolverDn" #L#SY "evjBatched",                          \
    int (*)(void *, int, int, int, void *, int, void *, void *, int, int *,    \
            void *, int))                                                      \
  X(gesvdjBytes##L, "cusolverDn" #L "gesvdj_bufferSize",                       \
    int (*)(void *, int, int, int, int, const void *, int, const void *,       \
            const void *, int, const void *, int, int *, void *))              \
  X(gesvdj##L, "cusolverDn" #L "gesvdj",                                       \
    int (*)(void *, int, int, int, int, void *, int, void *, void *, int,      \
            void *, int, void *, int, int *, void *))                          \
  X(gesvdjBatchedBytes##L, "cusolverDn" #L "gesvdjBatched_bufferSize",         \
    int (*)(void *, int, int, int, const void *, int, const void *,            \
            const void *, int, const void *, int, int *, void *, int))         \
  X(gesvdjBatched##L, "cusolverDn" #L "gesvdjBatched",                         \
    int (*)(void *, int, int, int, void *, int, void *, void *, int, void *,   \
            int, void *, int, int *, void *, int))

#define PMRT_CUSOLVER(X)                                                       \
  X(create, "cusolverDnCreate", int (*)(void **))                              \
  X(destroy, "cusolverDnDestroy", int (*)(void *))                             \
  X(setStream, "cusolverDnSetStream", int (*)(void *, Stream))                 \
  X(createEigen, "cusolverDnCreateSyevjInfo", int (*)(void **))                \
  X(destroyEigen, "cusolverDnDestroySyevjInfo", int (*)(void *))               \
  X(createSvd, "cusolverDnCreateGesvdjInfo", int (*)(void **))                 \
  X(destroySvd, "cusolverDnDestroyGesvdjInfo", int (*)(void *))                \
  PMRT_CUSOLVER_OF(X, S, sy)                                                   \
  PMRT_CUSOLVER_OF(X, D, sy)                                                   \
  PMRT_CUSOLVER_OF(X, C, he)                                                   \
  PMRT_CUSOLVER_OF(X, Z, he)

struct CuSolver {
  PMRT_FUNCTIONS(PMRT_CUSOLVER)
};

/// The functions of cuBLAS that matrices use and contractions do not.
#define PMRT_CUBLAS_BATCHES_OF(X, L)                                           \
  X(getrf##L, "cublas" #L "getrfBatched",                                      \
    int (*)(void *, int, void *const *, int, int *, int *, int))               \
  X(getrs##L, "cublas" #L "getrsBatched",                                      \
    int (*)(void *, int, int, int, const void *const *, int, const int *,      \
            void *const *, int, int *, int))                                   \
  X(trsm##L, "cublas" #L "trsmBatched",                                        \
    int (*)(void *, int, int, int, int, int, int, const void *,                \
            const void *const *, int, void *const *, int, int))                \
  X(gemm##L, "cublas" #L "gemmStridedBatched",                                 \
    int (*)(void *, int, int, int, int, int, const void *, const void *, int,  \
            long long, const void *, int, long long, const void *, void *,     \
            int, long long, int))

#define PMRT_CUBLAS_BATCHES(X)                                                 \
  PMRT_CUBLAS_BATCHES_OF(X, S)                                                 \
  PMRT_CUBLAS_BATCHES_OF(X, D)                                                 \
  PMRT_CUBLAS_BATCHES_OF(X, C)                                                 \
  PMRT_CUBLAS_BATCHES_OF(X, Z)

struct CuBlasBatches {
  PMRT_FUNCTIONS(PMRT_CUBLAS_BATCHES)
};

/// Loads the library once. Throws Exit::Usage if the library or a function is
/// missing.
const CuSolver &cusolver();
const CuBlasBatches &cublasBatches();

} // namespace pmrt::cuda

#endif // PMRT_CUDA_CUSOLVER_H
