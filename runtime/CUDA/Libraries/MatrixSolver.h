//===- MatrixSolver.h - A rank's handles for matrices -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_MATRIXSOLVER_H
#define PMRT_CUDA_MATRIXSOLVER_H

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Libraries/CuSolver.h"
#include "runtime/Core/Matrices/MatrixCall.h"

#include <array>
#include <vector>

namespace pmrt::cuda {

/// A rank's handles and memory for matrices.
class MatrixSolver {
public:
  MatrixSolver(CudaDevice &device, Context &context);
  ~MatrixSolver();
  MatrixSolver(const MatrixSolver &) = delete;
  MatrixSolver &operator=(const MatrixSolver &) = delete;

  void run(const MatrixCall &call);
  /// Bytes that one call, and therefore all calls of the list, need.
  int64_t bytesFor(const std::vector<MatrixCall> &calls);

private:
  /// The purposes of memory. Each piece grows to the largest request.
  enum Use {
    First,
    Second,
    Third,
    Fourth,
    Values,
    Bad,
    Info,
    Pivots,
    Pointers,
    Workspace,
    Uses
  };
  /// The largest number of rows of a matrix in a batch.
  static constexpr int mostInBatch = 256, mostForJacobi = 32;
  static constexpr int none = 0, transposed = 1, adjoint = 2;
  static constexpr int left = 0, upper = 1, vectors = 1, notUnit = 0;

  using Needs = std::array<int64_t, Uses>;
  /// Bytes of memory for `call`. Sets `workSize`.
  Needs needs();
  void factorNeeds(int n, Needs &bytes);
  void svdNeeds(Needs &bytes);

  /// Memory that `needs` includes.
  char *memory(Use use) const { return pages[use].data(); }
  int32_t *ints(Use use) const {
    return reinterpret_cast<int32_t *>(memory(use));
  }
  void check(int error, const char *action) const;
  /// A list on the device of the addresses of the arrays of the batch, which
  /// are `bytes` apart. `half` selects one of two lists.
  void *const *pointers(void *first, int64_t bytes, int half);
  int64_t sizeOf(const MatrixArray &array) const {
    return array.size() * elementSize(call->element);
  }
  void transpose(const void *from, int rows, int columns, void *to,
                 bool isConjugated, int64_t fromStep = 0,
                 const int32_t *bad = nullptr);
  void finish(const MatrixArray &made, bool isReal, int lower = 0);
  void mark(const MatrixArray &array, int64_t diagonal);
  pmrt_element realElement() const {
    return call->isSingle() ? PMRT_F32 : PMRT_F64;
  }

  /// Writes the LU factors of A to the memory `First`.
  void factor(int n);
  void multiply(const MatrixArray &a, bool isA, const MatrixArray &b, bool isB,
                const MatrixArray &made);
  void solve();
  void cholesky();
  void logDet();
  void eigh();
  /// Computes the singular vectors and the real singular values of A.
  void svd(const MatrixArray &u, void *values, const MatrixArray &v);
  void leastSquares();

  CudaDevice &device;
  Context &context;
  const CuSolver &lib;
  const CuBlasBatches &blas;
  void *handle = nullptr, *blasHandle = nullptr, *eigen = nullptr,
       *jacobi = nullptr;
  std::array<Pages, Uses> pages;
  const MatrixCall *call = nullptr;
  int workSize = 0; ///< elements of the workspace of cuSOLVER
};

} // namespace pmrt::cuda

/// Calls the function of the element type: S, D, C or Z.
#define PMRT_BY_ELEMENT(TABLE, NAME, ...)                                      \
  (call->element == PMRT_F32   ? TABLE.NAME##S(__VA_ARGS__)                    \
   : call->element == PMRT_F64 ? TABLE.NAME##D(__VA_ARGS__)                    \
   : call->element == PMRT_C64 ? TABLE.NAME##C(__VA_ARGS__)                    \
                               : TABLE.NAME##Z(__VA_ARGS__))

#endif // PMRT_CUDA_MATRIXSOLVER_H
