//===- Matrices.cpp - Dense matrices over dims ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a field's matrix A are dense; LAPACK sees Aᵀ with dense columns.
// Matrices of a batch are computed in parallel, each by one thread, so that
// their bits do not depend on threads or ranks. A single large matrix may use
// all threads. Fields of a GPU without cuSOLVER are copied to the host.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/MatrixCall.h"
#include "runtime/Core/Op.h"
#include "runtime/Host/Lapack.h"
#include "runtime/Host/SmallMatrices.h"

#include "pmrt/matrices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace pmrt;

namespace {

/// Computes one matrix after the other, in memory of its own.
template <typename T> class MatrixWorker {
public:
  using Real = RealOf<T>::Type;
  explicit MatrixWorker(const MatrixCall &call)
      : call(call), lib(lapack<T>()), rows(call.in[0].rows),
        columns(call.in[0].columns), few(std::min(rows, columns)) {}

  void run(int64_t number);

private:
  template <typename U = T> U *at(const MatrixArray &array) const {
    return static_cast<U *>(array.data) + number * array.size();
  }
  template <typename U> static void spoil(U *data, int64_t size) {
    std::fill_n(data, size, U(std::numeric_limits<Real>::quiet_NaN()));
  }
  void spoilAll();
  /// to[j * rows + i] = from[i * columns + j], conjugated if asked for.
  static void transpose(const T *from, int rows, int columns, T *to,
                        bool isConjugated) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        to[int64_t(j) * rows + i] =
            isConjugated ? conjugate(from[int64_t(i) * columns + j])
                         : from[int64_t(i) * columns + j];
  }
  bool isSmall() const { return std::max(rows, columns) <= mostSmallRows; }
  T *copyOfA();
  T *hermitianA();
  /// Memory for so many elements, in the place of what it held.
  T *space(int64_t size) {
    work.resize(std::max(work.size(), size_t(size)));
    return work.data();
  }

  bool multiply();
  bool solve();
  bool solveFewRows();
  bool cholesky();
  bool logDet();
  bool eigh();
  bool svd();
  bool leastSquares();

  const MatrixCall &call;
  const Lapack<T> &lib;
  const int rows, columns, few; ///< of A
  int64_t number = 0;
  std::vector<T> a, b, work;
  std::vector<Real> reals;
  std::vector<int> ints;
};

} // namespace

template <typename T> T *MatrixWorker<T>::copyOfA() {
  const T *from = at(call.in[0]);
  a.assign(from, from + call.in[0].size());
  return a.data();
}

/// (A + A*) / 2.
template <typename T> T *MatrixWorker<T>::hermitianA() {
  const T *from = at(call.in[0]);
  a.resize(size_t(call.in[0].size()));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < rows; ++j)
      a[size_t(i * rows + j)] =
          Real(0.5) * (from[i * rows + j] + conjugate(from[j * rows + i]));
  return a.data();
}

template <typename T> bool MatrixWorker<T>::multiply() {
  const MatrixArray &second = call.in[1], &made = call.out[0];
  const bool isA = call.has(PMRT_MATRIX_ADJOINT_A),
             isB = call.has(PMRT_MATRIX_ADJOINT_B);
  const int terms = isA ? rows : columns;
  if (isSmall() && made.columns <= mostSmallRows) {
    multiplySmall(at(call.in[0]), isA, at(second), isB, made.rows, terms,
                  made.columns, at(made));
    return true;
  }
  const T one(1), zero(0);
  // Of the transposes: Cᵀ = Bᵀ Aᵀ.
  lib.gemm(isB ? "C" : "N", isA ? "C" : "N", &made.columns, &made.rows, &terms,
           &one, at(second), &second.columns, at(call.in[0]), &columns, &zero,
           at(made), &made.columns, 1, 1);
  return true;
}

template <typename T> bool MatrixWorker<T>::solveFewRows() {
  const MatrixArray &right = call.in[1];
  T *x = at(call.out[0]);
  std::copy_n(at(right), right.size(), x);
  const bool isAdjoint = call.has(PMRT_MATRIX_ADJOINT_A);
  const T *matrix = at(call.in[0]);
  if (isAdjoint) {
    a.resize(size_t(call.in[0].size()));
    transpose(matrix, rows, rows, a.data(), /*isConjugated=*/true);
    matrix = a.data();
  }
  if (call.has(PMRT_MATRIX_LOWER)) {
    for (int i = 0; i < rows; ++i)
      if (matrix[i * (rows + 1)] == T(0))
        return false;
    if (isAdjoint)
      solveUpperSmall(matrix, rows, x, right.columns);
    else
      solveLowerSmall</*hasUnitDiagonal=*/false>(matrix, rows, x,
                                                 right.columns);
    return true;
  }
  T *factors = isAdjoint ? a.data() : copyOfA();
  ints.resize(size_t(rows));
  if (!factorSmall(factors, rows, ints.data()))
    return false;
  solveSmall(factors, ints.data(), rows, x, right.columns);
  return true;
}

template <typename T> bool MatrixWorker<T>::solve() {
  if (isSmall())
    return solveFewRows();
  const MatrixArray &right = call.in[1];
  // A is the transpose of what LAPACK sees, and A* its conjugate: the
  // conjugate of X is computed from that of B.
  const bool isAdjoint = call.has(PMRT_MATRIX_ADJOINT_A);
  const char *trans = isAdjoint ? "N" : "T";
  b.resize(size_t(right.size()));
  transpose(at(right), rows, right.columns, b.data(), isAdjoint);
  int info = 0;
  if (call.has(PMRT_MATRIX_LOWER)) {
    lib.trtrs("U", trans, "N", &rows, &right.columns, at(call.in[0]), &rows,
              b.data(), &rows, &info, 1, 1, 1);
  } else {
    T *factors = copyOfA();
    ints.resize(size_t(rows));
    lib.getrf(&rows, &rows, factors, &rows, ints.data(), &info);
    if (info == 0)
      lib.getrs(trans, &rows, &right.columns, factors, &rows, ints.data(),
                b.data(), &rows, &info, 1);
  }
  transpose(b.data(), right.columns, rows, at(call.out[0]), isAdjoint);
  return info == 0;
}

template <typename T> bool MatrixWorker<T>::cholesky() {
  const T *from = hermitianA();
  T *to = at(call.out[0]);
  std::copy_n(from, call.in[0].size(), to);
  int info = 0;
  if (isSmall())
    info = choleskySmall(to, rows) ? 0 : 1;
  else // the transpose of L is an upper factor
    lib.potrf("U", &rows, to, &rows, &info, 1);
  for (int64_t i = 0; i < rows; ++i)
    std::fill(to + i * rows + i + 1, to + (i + 1) * rows, T(0));
  return info == 0;
}

template <typename T> bool MatrixWorker<T>::logDet() {
  T *factors = copyOfA();
  ints.resize(size_t(rows));
  int info = 0;
  if (isSmall()) {
    factorSmall(factors, rows, ints.data());
    for (int i = 0; i < rows; ++i)
      ++ints[size_t(i)]; // as LAPACK counts
  } else {
    lib.getrf(&rows, &rows, factors, &rows, ints.data(), &info);
  }
  if (call.has(PMRT_MATRIX_SIGN)) {
    // Each exchange of rows changes the sign.
    Real sign(1);
    for (int64_t i = 0; i < rows; ++i) {
      const Real pivot = std::real(factors[i * rows + i]);
      sign *= Real((pivot > 0) - (pivot < 0));
      if (ints[size_t(i)] != int(i) + 1)
        sign = -sign;
    }
    std::fill_n(at<Real>(call.out[0]), rows, sign);
    return info >= 0;
  }
  double sum = 0;
  for (int64_t i = 0; i < rows; ++i)
    sum += std::log(double(std::abs(factors[i * rows + i])));
  std::fill_n(at<Real>(call.out[0]), rows, Real(sum));
  return info >= 0; // -infinity of a singular matrix
}

template <typename T> bool MatrixWorker<T>::eigh() {
  T *vectors = hermitianA();
  Real *values = at<Real>(call.out[0]);
  int info = 0, size = -1, realSize = -1, intSize = -1;
  const auto compute = [&](T *memory, Real *reals, int *ints) {
    if constexpr (isComplexNumber<T>)
      lib.heevd("V", "U", &rows, vectors, &rows, values, memory, &size, reals,
                &realSize, ints, &intSize, &info, 1, 1);
    else
      lib.syevd("V", "U", &rows, vectors, &rows, values, memory, &size, ints,
                &intSize, &info, 1, 1);
  };
  T best;
  Real bestReals(1);
  int bestInts = 1;
  compute(&best, &bestReals, &bestInts);
  size = int(std::real(best));
  realSize = int(bestReals);
  intSize = bestInts;
  reals.resize(size_t(realSize));
  ints.resize(size_t(intSize));
  compute(space(size), reals.data(), ints.data());
  // LAPACK's matrix is the conjugate of A, and so are its vectors.
  transpose(vectors, rows, rows, at(call.out[1]), true);
  return info == 0;
}

template <typename T> bool MatrixWorker<T>::svd() {
  T *matrix = copyOfA();
  b.resize(size_t(columns) * size_t(few));
  int info = 0, size = -1;
  ints.resize(size_t(8) * size_t(few));
  const int64_t most = std::max(rows, columns);
  reals.resize(size_t(few) *
               size_t(std::max<int64_t>(5 * few + 7, 2 * most + 2 * few + 1)));
  // Of Aᵀ = conj(v) diag(values) uᵀ: the memory of the rows of uᵀ is that of u.
  const auto compute = [&](T *memory) {
    if constexpr (isComplexNumber<T>)
      lib.complexGesdd("S", &columns, &rows, matrix, &columns,
                       at<Real>(call.out[1]), b.data(), &columns,
                       at(call.out[0]), &few, memory, &size, reals.data(),
                       ints.data(), &info, 1);
    else
      lib.gesdd("S", &columns, &rows, matrix, &columns, at<Real>(call.out[1]),
                b.data(), &columns, at(call.out[0]), &few, memory, &size,
                ints.data(), &info, 1);
  };
  T best;
  compute(&best);
  size = int(std::real(best));
  compute(space(size));
  transpose(b.data(), few, columns, at(call.out[2]), true);
  return info == 0;
}

template <typename T> bool MatrixWorker<T>::leastSquares() {
  const MatrixArray &right = call.in[1];
  const bool isAdjoint = call.has(PMRT_MATRIX_ADJOINT_A);
  const int m = isAdjoint ? columns : rows, n = isAdjoint ? rows : columns;
  const int most = std::max(m, n);
  T *matrix = copyOfA();
  if (isAdjoint) {
    for (T &value : a)
      value = conjugate(value);
  } else {
    a.resize(a.size() * 2);
    matrix = a.data() + call.in[0].size();
    transpose(a.data(), rows, columns, matrix, false);
  }
  b.assign(size_t(most) * size_t(right.columns), T(0));
  const T *from = at(right);
  for (int64_t j = 0; j < right.columns; ++j)
    for (int64_t i = 0; i < m; ++i)
      b[size_t(j * most + i)] = from[i * right.columns + j];
  const Real least = std::numeric_limits<Real>::epsilon() * Real(most);
  int info = 0, rank = 0, size = -1;
  std::vector<Real> values(static_cast<size_t>(few));
  const auto compute = [&](T *memory, Real *reals, int *ints) {
    if constexpr (isComplexNumber<T>)
      lib.complexGelsd(&m, &n, &right.columns, matrix, &m, b.data(), &most,
                       values.data(), &least, &rank, memory, &size, reals, ints,
                       &info);
    else
      lib.gelsd(&m, &n, &right.columns, matrix, &m, b.data(), &most,
                values.data(), &least, &rank, memory, &size, ints, &info);
  };
  T best;
  Real bestReals(1);
  int bestInts = 1;
  compute(&best, &bestReals, &bestInts);
  size = int(std::real(best));
  reals.resize(size_t(bestReals));
  ints.resize(size_t(bestInts));
  compute(space(size), reals.data(), ints.data());
  T *to = at(call.out[0]);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < right.columns; ++j)
      to[i * right.columns + j] = b[size_t(j * most + i)];
  return info == 0;
}

template <typename T> void MatrixWorker<T>::spoilAll() {
  for (size_t i = 0; i < call.out.size(); ++i) {
    const MatrixArray &made = call.out[i];
    const bool isReal = call.kind == PMRT_MATRIX_LOG_DET ||
                        (call.kind == PMRT_MATRIX_EIGH && i == 0) ||
                        (call.kind == PMRT_MATRIX_SVD && i == 1);
    if (!made.data)
      continue;
    if (isReal)
      spoil(at<Real>(made), made.size());
    else
      spoil(at(made), made.size());
  }
}

template <typename T> void MatrixWorker<T>::run(int64_t which) {
  number = which;
  if (call.kind == PMRT_MATRIX_PRODUCT) {
    multiply();
    return;
  }
  // LAPACK may not end otherwise.
  bool isGood = true;
  for (const MatrixArray &array : call.in)
    if (array.data)
      isGood &= std::all_of(at(array), at(array) + array.size(), [](T value) {
        return std::isfinite(std::real(value)) &&
               std::isfinite(std::imag(value));
      });
  if (isGood)
    switch (call.kind) {
    case PMRT_MATRIX_PRODUCT:
      break;
    case PMRT_MATRIX_SOLVE:
      isGood = solve();
      break;
    case PMRT_MATRIX_CHOLESKY:
      isGood = cholesky();
      break;
    case PMRT_MATRIX_LOG_DET:
      isGood = logDet();
      break;
    case PMRT_MATRIX_EIGH:
      isGood = eigh();
      break;
    case PMRT_MATRIX_SVD:
      isGood = svd();
      break;
    case PMRT_MATRIX_LEAST_SQUARES:
      isGood = leastSquares();
      break;
    }
  if (!isGood)
    spoilAll();
}

template <typename T>
static void compute(Context &context, const MatrixCall &call) {
  lapack<T>(); // throws here, on the rank's own thread
  constexpr int64_t large = 64 * 64;
  const bool mayShare = context.alone() && !context.program.deterministic;
  if (call.count == 1 || context.threads.count() == 1) {
    const LapackThreads threads(call.count == 1 && mayShare &&
                                        call.in[0].size() >= large
                                    ? context.threads.count()
                                    : 1);
    MatrixWorker<T> worker(call);
    for (int64_t i = 0; i < call.count; ++i)
      worker.run(i);
    return;
  }
  context.threads.forRange(call.count, [&](int64_t from, int64_t to) {
    MatrixWorker<T> worker(call);
    for (int64_t i = from; i < to; ++i)
      worker.run(i);
  });
}

static void compute(Context &context, const MatrixCall &call) {
  switch (call.element) {
  case PMRT_F32:
    return compute<float>(context, call);
  case PMRT_F64:
    return compute<double>(context, call);
  case PMRT_C64:
    return compute<std::complex<float>>(context, call);
  default:
    return compute<std::complex<double>>(context, call);
  }
}

/// The matrices of an array, and how many there are.
static std::pair<MatrixArray, int64_t> matricesOf(const Context &context,
                                                  pmrt_loc loc,
                                                  const pmrt_array &array,
                                                  int32_t batch) {
  const std::vector<int64_t> shape = context.shape(loc, array);
  int64_t count = 1, rows = 1, columns = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    (d < size_t(batch)    ? count
     : d == size_t(batch) ? rows
                          : columns) *= shape[d];
  if (rows > std::numeric_limits<int>::max() ||
      columns > std::numeric_limits<int>::max())
    throw context.failure(
        loc, fmt::format(
                 "[PM9104] a matrix has {} rows and {} columns, expected less "
                 "than 2^31 of each",
                 rows, columns));
  MatrixArray made;
  made.data = array.data;
  made.rows = int(rows);
  made.columns = int(columns);
  return {made, count};
}

MatrixCall pmrt::matrixCall(const Context &context,
                            const MatrixShapes &shapes) {
  MatrixCall call{pmrt_matrix_kind(shapes.kind),
                  shapes.flags,
                  shapes.in.at(0).element,
                  1,
                  {},
                  {}};
  auto add = [&](MatrixArray &to, const ArrayShape &from) {
    const pmrt_array array = context.withoutMemory(from.element, from.dims);
    std::tie(to, call.count) = matricesOf(context, -1, array, shapes.batch);
  };
  for (size_t i = 0; i < shapes.out.size(); ++i)
    add(call.out.at(i), shapes.out[i]);
  for (size_t i = 0; i < shapes.in.size(); ++i)
    add(call.in.at(i), shapes.in[i]);
  return call;
}

void pmrt_matrices(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                   pmrt_matrix_kind kind, int32_t flags, int32_t batch,
                   const pmrt_array *const *in, const pmrt_array *const *out) {
  const size_t inputs = kind == PMRT_MATRIX_PRODUCT ||
                                kind == PMRT_MATRIX_SOLVE ||
                                kind == PMRT_MATRIX_LEAST_SQUARES
                            ? 2
                            : 1;
  const size_t outputs = kind == PMRT_MATRIX_EIGH  ? 2
                         : kind == PMRT_MATRIX_SVD ? 3
                                                   : 1;
  Device &device = *ctx->device;
  MatrixCall call{kind, flags, pmrt_element(in[0]->element), 1, {}, {}};
  std::array<std::vector<char>, 2> copies;
  std::array<std::vector<char>, 3> results;
  int64_t bytes = 0;
  for (size_t i = 0; i < inputs; ++i)
    bytes += ctx->bytes(loc, *in[i]);
  for (size_t i = 0; i < outputs; ++i)
    bytes += ctx->bytes(loc, *out[i]);
  Op op(*ctx, loc, "matrices", bytes);
  for (size_t i = 0; i < inputs; ++i)
    std::tie(call.in[i], call.count) = matricesOf(*ctx, loc, *in[i], batch);
  for (size_t i = 0; i < outputs; ++i)
    call.out[i] = matricesOf(*ctx, loc, *out[i], batch).first;
  if (call.count == 0 || (!device.isHost() && device.matrices(call)))
    return;
  for (size_t i = 0; i < inputs; ++i) {
    // Only read.
    call.in[i].data = const_cast<void *>(
        device.read(in[i]->data, ctx->bytes(loc, *in[i]), copies[i]));
  }
  for (size_t i = 0; i < outputs; ++i) {
    if (device.isHost())
      continue;
    results[i].resize(size_t(ctx->bytes(loc, *out[i])));
    call.out[i].data = results[i].data();
  }
  compute(*ctx, call);
  for (size_t i = 0; i < outputs; ++i)
    if (!results[i].empty())
      device.upload(out[i]->data, results[i].data(),
                    int64_t(results[i].size()));
}
