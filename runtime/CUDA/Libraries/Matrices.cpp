//===- Matrices.cpp - Dense matrices by cuSOLVER and cuBLAS ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a field's matrix A are dense. The libraries require dense columns, so
// that they work on Aᵀ, as LAPACK does in Host/Matrices.cpp. Only the size of
// the matrices decides whether they are computed as a batch or one after the
// other. Therefore a matrix has the same bits on every mesh.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/MatrixSolver.h"
#include "runtime/CUDA/Run.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

using namespace pmrt;
using namespace pmrt::cuda;

const CuSolver &pmrt::cuda::cusolver() {
  static const auto loaded = load<CuSolver>(
      {{{"libcusolver.so.12", 13},
        {"libcusolver.so.11", 12},
        {"libcusolver.so.11", 11}},
       "cuSOLVER was not found on this machine ({}); install it with the CUDA "
       "toolkit (package cuda-libraries, or pip install nvidia-cusolver) and "
       "put its folder into LD_LIBRARY_PATH",
       "cuSOLVER has no function {}: version 11 or later is required"},
      driverVersion());
  return loaded;
}

MatrixSolver::MatrixSolver(CudaDevice &device, Context &context)
    : device(device), context(context), lib(cusolver()), blas(cublasBatches()) {
  check(lib.create(&handle), "prepare");
  check(lib.setStream(handle, device.queue()), "prepare");
  check(lib.createEigen(&eigen), "prepare");
  check(lib.createSvd(&jacobi), "prepare");
}

MatrixSolver::~MatrixSolver() {
  if (jacobi)
    (void)lib.destroySvd(jacobi);
  if (eigen)
    (void)lib.destroyEigen(eigen);
  if (handle)
    (void)lib.destroy(handle);
}

void MatrixSolver::check(int error, const char *action) const {
  if (error != 0)
    throw context.failure(
        context.current,
        fmt::format("[PM9011] cuSOLVER or cuBLAS cannot {} matrices: error {}",
                    action, error));
}

void *const *MatrixSolver::pointers(void *first, int64_t bytes, int half) {
  std::vector<void *> list(static_cast<size_t>(call->count));
  for (size_t i = 0; i < list.size(); ++i)
    list[i] = static_cast<char *>(first) + int64_t(i) * bytes;
  const int64_t each = call->count * int64_t(sizeof(void *));
  char *to = memory(Pointers) + half * each;
  device.upload(to, list.data(), each);
  return reinterpret_cast<void *const *>(to);
}

void MatrixSolver::transpose(const void *from, int rows, int columns, void *to,
                             bool isConjugated, int64_t fromStep,
                             const int32_t *bad) {
  const int64_t size = int64_t(rows) * columns;
  const MatrixCopy copy{int32_t(call->element),
                        int32_t(isConjugated),
                        rows,
                        columns,
                        fromStep ? fromStep : size,
                        columns,
                        size,
                        rows};
  device.transposeMatrices(copy, call->count, bad, from, to);
}

void MatrixSolver::mark(const MatrixArray &array, int64_t diagonal) {
  device.checkMatrices(call->element, call->count, array.size(), diagonal,
                       array.data, ints(Bad));
}

void MatrixSolver::finish(const MatrixArray &made, bool isReal, int lower) {
  device.finishMatrices(isReal ? realElement() : call->element, call->count,
                        made.size(), lower, ints(Bad), ints(Info), made.data);
}

void MatrixSolver::factor(int n) {
  const int64_t bytes = sizeOf(call->in[0]);
  char *a = memory(First);
  device.copy(a, call->in[0].data, bytes * call->count);
  int32_t *pivots = ints(Pivots), *info = ints(Info);
  if (n <= mostInBatch) {
    void *const *list = pointers(a, bytes, 0);
    check(PMRT_BY_ELEMENT(blas, getrf, blasHandle, n, list, n, pivots, info,
                          int(call->count)),
          "factor");
    return;
  }
  char *work = memory(Workspace);
  for (int64_t i = 0; i < call->count; ++i)
    check(PMRT_BY_ELEMENT(lib, getrf, handle, n, n, a + i * bytes, n, work,
                          pivots + i * n, info + i),
          "factor");
}

void MatrixSolver::solve() {
  const MatrixArray &right = call->in[1];
  const int n = call->in[0].rows, columns = right.columns;
  // The libraries have Aᵀ. A is its transpose. A* is its conjugate, so that the
  // conjugate of X is computed from that of B.
  const bool isAdjoint = call->has(PMRT_MATRIX_ADJOINT_A);
  const int operation = isAdjoint ? none : transposed;
  char *b = memory(Second);
  transpose(right.data, n, columns, b, isAdjoint);
  int32_t *info = ints(Info);
  if (call->has(PMRT_MATRIX_LOWER)) {
    mark(call->in[0], n);
    device.zero(info, call->count * 4);
    const std::complex<double> one64(1);
    const std::complex<float> one32(1);
    const void *one = call->isSingle() ? static_cast<const void *>(&one32)
                                       : static_cast<const void *>(&one64);
    void *const *factors = pointers(call->in[0].data, sizeOf(call->in[0]), 0);
    void *const *sides = pointers(b, sizeOf(right), 1);
    check(PMRT_BY_ELEMENT(blas, trsm, blasHandle, left, upper, operation,
                          notUnit, n, columns, one, factors, n, sides, n,
                          int(call->count)),
          "solve");
  } else {
    factor(n);
    char *a = memory(First);
    int32_t *pivots = ints(Pivots);
    const int64_t bytes = sizeOf(call->in[0]);
    if (n <= mostInBatch) {
      void *const *factors = pointers(a, bytes, 0);
      void *const *sides = pointers(b, sizeOf(right), 1);
      int bad = 0;
      check(PMRT_BY_ELEMENT(blas, getrs, blasHandle, operation, n, columns,
                            factors, n, pivots, sides, n, &bad,
                            int(call->count)),
            "solve");
      check(bad, "solve");
    } else {
      int32_t *unused = ints(Values);
      for (int64_t i = 0; i < call->count; ++i)
        check(PMRT_BY_ELEMENT(lib, getrs, handle, operation, n, columns,
                              a + i * bytes, n, pivots + i * n,
                              b + i * sizeOf(right), n, unused),
              "solve");
    }
  }
  transpose(b, columns, n, call->out[0].data, isAdjoint);
  finish(call->out[0], false);
}

void MatrixSolver::cholesky() {
  const int n = call->in[0].rows;
  const int64_t bytes = sizeOf(call->in[0]);
  char *to = static_cast<char *>(call->out[0].data);
  int32_t *info = ints(Info);
  device.hermitianMatrices(call->element, call->count, n, ints(Bad),
                           call->in[0].data, to);
  // In the libraries, L is its transpose, an upper factor.
  if (n <= mostInBatch) {
    void *const *list = pointers(to, bytes, 0);
    check(PMRT_BY_ELEMENT(lib, potrfBatched, handle, upper, n,
                          const_cast<void **>(list), n, info, int(call->count)),
          "factor");
  } else {
    char *work = memory(Workspace);
    for (int64_t i = 0; i < call->count; ++i)
      check(PMRT_BY_ELEMENT(lib, potrf, handle, upper, n, to + i * bytes, n,
                            work, workSize, info + i),
            "factor");
  }
  finish(call->out[0], false, n);
}

namespace {

/// The sign or the logarithm of the product of each diagonal.
template <typename T>
void determinants(const MatrixCall &call, const std::vector<char> &diagonals,
                  const std::vector<int32_t> &pivots, std::vector<char> &made) {
  using Real = decltype(std::real(T()));
  const auto n = size_t(call.in[0].rows);
  const T *diagonal = reinterpret_cast<const T *>(diagonals.data());
  Real *out = reinterpret_cast<Real *>(made.data());
  for (size_t i = 0; i < size_t(call.count); ++i) {
    double sum = 0, sign = 1;
    for (size_t j = i * n; j < (i + 1) * n; ++j) {
      sum += std::log(double(std::abs(diagonal[j])));
      const Real pivot = std::real(diagonal[j]);
      sign *= (pivot > 0) - (pivot < 0);
      // Each exchange of rows changes the sign.
      if (pivots[j] != int32_t(j - i * n) + 1)
        sign = -sign;
    }
    std::fill_n(out + i * n, n, Real(call.has(PMRT_MATRIX_SIGN) ? sign : sum));
  }
}

} // namespace

void MatrixSolver::logDet() {
  const int n = call->in[0].rows;
  factor(n);
  const int64_t size = elementSize(call->element);
  Region diagonal;
  diagonal.base = memory(First);
  diagonal.size = size;
  diagonal.counts = {call->count, n};
  diagonal.strides = {int64_t(n) * n * size, int64_t(n + 1) * size};
  std::vector<char> numbers(size_t(call->count * n * size)),
      made(size_t(call -> count * n * elementSize(realElement())));
  std::vector<int32_t> pivots(size_t(call->count * n));
  device.gather(diagonal, numbers.data());
  device.download(pivots.data(), ints(Pivots), int64_t(pivots.size()) * 4);
  if (call->element == PMRT_F32)
    determinants<float>(*call, numbers, pivots, made);
  else if (call->element == PMRT_F64)
    determinants<double>(*call, numbers, pivots, made);
  else if (call->element == PMRT_C64)
    determinants<std::complex<float>>(*call, numbers, pivots, made);
  else
    determinants<std::complex<double>>(*call, numbers, pivots, made);
  device.upload(call->out[0].data, made.data(), int64_t(made.size()));
  // A singular matrix also has a determinant, so that no result becomes NaN.
  device.zero(ints(Info), call->count * 4);
  finish(call->out[0], true);
}

void MatrixSolver::eigh() {
  const int n = call->in[0].rows;
  const int64_t bytes = sizeOf(call->in[0]);
  char *a = memory(First);
  char *values = static_cast<char *>(call->out[0].data);
  int32_t *info = ints(Info);
  device.hermitianMatrices(call->element, call->count, n, ints(Bad),
                           call->in[0].data, a);
  char *work = memory(Workspace);
  if (n <= mostForJacobi)
    check(PMRT_BY_ELEMENT(lib, syevjBatched, handle, vectors, upper, n, a, n,
                          values, work, workSize, info, eigen,
                          int(call->count)),
          "factor");
  else
    for (int64_t i = 0; i < call->count; ++i)
      check(PMRT_BY_ELEMENT(lib, syevd, handle, vectors, upper, n,
                            a + i * bytes, n,
                            values + i * n * elementSize(realElement()), work,
                            workSize, info + i),
            "factor");
  // The libraries have the conjugate of A, and compute conjugate vectors.
  transpose(a, n, n, call->out[1].data, true);
  finish(call->out[0], true);
  finish(call->out[1], false);
}

void MatrixSolver::svd(const MatrixArray &u, void *values,
                       const MatrixArray &v) {
  const int m = call->in[0].rows, n = call->in[0].columns, few = std::min(m, n);
  const int64_t size = elementSize(call->element);
  int32_t *info = ints(Info);
  char *a = memory(First);
  // A copy of A in which matrices that are not finite are 0.
  const MatrixCopy copy{int32_t(call->element),
                        0,
                        1,
                        call->in[0].size(),
                        call->in[0].size(),
                        call->in[0].size(),
                        call->in[0].size(),
                        1};
  device.transposeMatrices(copy, call->count, ints(Bad), call->in[0].data, a);
  // The factors of Aᵀ = conj(v) diag(values) uᵀ.
  const bool isBatch = std::max(m, n) <= mostForJacobi;
  const int64_t each = isBatch ? n : few, other = isBatch ? m : few;
  char *right = memory(Second), *left = memory(Third),
       *work = memory(Workspace);
  if (isBatch)
    check(PMRT_BY_ELEMENT(lib, gesvdjBatched, handle, vectors, n, m, a, n,
                          values, right, n, left, m, work, workSize, info,
                          jacobi, int(call->count)),
          "factor");
  else
    for (int64_t i = 0; i < call->count; ++i)
      check(PMRT_BY_ELEMENT(lib, gesvdj, handle, vectors, 1, n, m,
                            a + i * sizeOf(call->in[0]), n,
                            static_cast<char *>(values) +
                                i * few * elementSize(realElement()),
                            right + i * n * each * size, n,
                            left + i * m * other * size, m, work, workSize,
                            info + i, jacobi),
            "factor");
  transpose(left, few, m, u.data, true, m * other);
  transpose(right, few, n, v.data, true, n * each);
}

void MatrixSolver::multiply(const MatrixArray &a, bool isA,
                            const MatrixArray &b, bool isB,
                            const MatrixArray &made) {
  const std::complex<double> one64(1), zero64(0);
  const std::complex<float> one32(1), zero32(0);
  const auto number = [&](const auto &single, const auto &twice) {
    return call->isSingle() ? static_cast<const void *>(&single)
                            : static_cast<const void *>(&twice);
  };
  const int turned = call->isComplex() ? adjoint : transposed;
  // The libraries multiply the transposes: Cᵀ = Bᵀ Aᵀ.
  check(PMRT_BY_ELEMENT(blas, gemm, blasHandle, isB ? turned : none,
                        isA ? turned : none, made.columns, made.rows,
                        isA ? a.rows : a.columns, number(one32, one64), b.data,
                        b.columns, b.size(), a.data, a.columns, a.size(),
                        number(zero32, zero64), made.data, made.columns,
                        made.size(), int(call->count)),
        "multiply");
}

void MatrixSolver::leastSquares() {
  const MatrixArray &a = call->in[0], &b = call->in[1];
  const int few = std::min(a.rows, a.columns);
  const int64_t size = elementSize(call->element);
  MatrixArray u{nullptr, a.rows, few}, v{nullptr, a.columns, few},
      inner{nullptr, few, b.columns};
  char *both = memory(Fourth);
  u.data = both;
  v.data = both + call->count * u.size() * size;
  inner.data = both + call->count * (u.size() + v.size()) * size;
  char *values = memory(Values);
  mark(b, 0);
  svd(u, values, v);
  const bool isAdjoint = call->has(PMRT_MATRIX_ADJOINT_A);
  multiply(isAdjoint ? v : u, true, b, false, inner);
  const double least =
      (call->isSingle() ? double(std::numeric_limits<float>::epsilon())
                        : std::numeric_limits<double>::epsilon()) *
      std::max(a.rows, a.columns);
  device.divideMatrices(call->element, call->count, few, b.columns, least,
                        values, inner.data);
  multiply(isAdjoint ? u : v, false, inner, false, call->out[0]);
  finish(call->out[0], false);
}

void MatrixSolver::run(const MatrixCall &work) {
  call = &work;
  blasHandle = device.blas();
  const Needs bytes = needs();
  for (size_t use = 0; use < Uses; ++use)
    (void)device.grown(pages[use], bytes[use]);
  if (work.kind == PMRT_MATRIX_PRODUCT)
    return multiply(work.in[0], work.has(PMRT_MATRIX_ADJOINT_A), work.in[1],
                    work.has(PMRT_MATRIX_ADJOINT_B), work.out[0]);
  device.zero(ints(Bad), work.count * 4);
  mark(work.in[0], 0);
  switch (work.kind) {
  case PMRT_MATRIX_PRODUCT:
    break;
  case PMRT_MATRIX_SOLVE:
    mark(work.in[1], 0);
    return solve();
  case PMRT_MATRIX_CHOLESKY:
    return cholesky();
  case PMRT_MATRIX_LOG_DET:
    return logDet();
  case PMRT_MATRIX_EIGH:
    return eigh();
  case PMRT_MATRIX_SVD:
    svd(work.out[0], work.out[1].data, work.out[2]);
    finish(work.out[0], false);
    finish(work.out[1], true);
    return finish(work.out[2], false);
  case PMRT_MATRIX_LEAST_SQUARES:
    return leastSquares();
  }
}

MatrixSolver *CudaDevice::solver(std::string &problem) {
  // The bits of a matrix may depend on the batch, and therefore on the mesh.
  if (isWithoutSolver || context.program.deterministic)
    return nullptr;
  if (!matrixSolver)
    try {
      (void)cusolver();
    } catch (const Error &error) {
      problem = error.what();
      return nullptr;
    }
  if (!matrixSolver)
    matrixSolver = std::make_unique<MatrixSolver>(*this, context);
  return matrixSolver.get();
}

bool CudaDevice::matrices(const MatrixCall &call) {
  std::string problem;
  if (MatrixSolver *const made = solver(problem)) {
    made->run(call);
    return true;
  }
  if (!problem.empty()) {
    isWithoutSolver = true; // one warning is enough
    if (context.transport->rank() == 0)
      context.progress.warn(fmt::format(
          "{}: warning: [PM9208] the host computes matrices over dims: {}",
          context.location(context.current), problem));
  }
  return false;
}

void CudaDevice::dropSolver() noexcept { matrixSolver.reset(); }

void CudaDevice::checkMatrices(pmrt_element element, int64_t count,
                               int64_t size, int64_t diagonal, const void *from,
                               int32_t *bad) {
  PMRT_RUN(pmrt_matrix_check, count * size, int32_t(element), count, size,
           diagonal, from, bad);
}

void CudaDevice::transposeMatrices(const MatrixCopy &copy, int64_t count,
                                   const int32_t *bad, const void *from,
                                   void *to) {
  PMRT_RUN(pmrt_matrix_transpose, count * copy.rows * copy.columns, copy, count,
           bad, from, to);
}

void CudaDevice::hermitianMatrices(pmrt_element element, int64_t count,
                                   int64_t n, const int32_t *bad,
                                   const void *from, void *to) {
  PMRT_RUN(pmrt_matrix_hermitian, count * n * n, int32_t(element), count, n,
           bad, from, to);
}

void CudaDevice::finishMatrices(pmrt_element element, int64_t count,
                                int64_t size, int64_t lower, const int32_t *bad,
                                const int32_t *info, void *data) {
  PMRT_RUN(pmrt_matrix_finish, count * size, int32_t(element), count, size,
           lower, bad, info, data);
}

void CudaDevice::divideMatrices(pmrt_element element, int64_t count,
                                int64_t rows, int64_t columns, double least,
                                const void *values, void *data) {
  PMRT_RUN(pmrt_matrix_divide, count * rows * columns, int32_t(element), count,
           rows, columns, least, values, data);
}
