//===- MatricesTest.cpp - Dense matrices over dims ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Host/Contractions.h"

#include "pmrt/matrices.h"

#include <complex>
#include <random>

using namespace pmrt;
using namespace pmrt::test;

namespace {

template <typename T> struct RealPart {
  using Type = T;
};
template <typename T> struct RealPart<std::complex<T>> {
  using Type = T;
};

template <typename T> constexpr pmrt_element matrixElement() {
  return std::is_same_v<T, float>                 ? PMRT_F32
         : std::is_same_v<T, double>              ? PMRT_F64
         : std::is_same_v<T, std::complex<float>> ? PMRT_C64
                                                  : PMRT_C128;
}

/// A batch of matrices, row by row.
template <typename T> struct Batch {
  std::string dims; ///< letters of LetterDims
  int64_t count = 1, rows = 1, columns = 1;
  std::vector<T> data;

  Batch(std::string dims, int64_t count, int64_t rows, int64_t columns)
      : dims(std::move(dims)), count(count), rows(rows), columns(columns),
        data(size_t(count * rows * columns)) {}
  T &at(int64_t b, int64_t i, int64_t j) {
    return data[size_t((b * rows + i) * columns + j)];
  }
};

template <typename T> Batch<T> noise(Batch<T> batch, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (T &value : batch.data)
    if constexpr (std::is_same_v<T, typename RealPart<T>::Type>)
      value = T(normal(random));
    else
      value = T(typename RealPart<T>::Type(normal(random)),
                typename RealPart<T>::Type(normal(random)));
  return batch;
}

template <typename T> T conjugate(T value) {
  if constexpr (std::is_same_v<T, typename RealPart<T>::Type>)
    return value;
  else
    return std::conj(value);
}

/// Numbers of rows and columns: of small matrices, and of matrices for LAPACK.
constexpr std::pair<int64_t, int64_t> sizes[] = {{6, 9}, {20, 29}};

/// The letters b, i, j, k, m are dims with 5, n, n, n and m elements.
template <typename T> class HostCall {
public:
  using Real = RealPart<T>::Type;
  static constexpr int64_t batch = 5;

  HostCall(int64_t n, int64_t m)
      : letters({"bijkm",
                 "",
                 "",
                 {{'b', batch}, {'i', n}, {'j', n}, {'k', n}, {'m', m}}}) {}

  template <typename... Outs>
  void run(pmrt_matrix_kind kind, int flags, std::vector<Batch<T> *> in,
           Outs &...outs) {
    Settings settings;
    settings.threads = 3;
    onRanks({}, letters.program, settings, [&](pmrt_context &ctx) {
      std::vector<pmrt_array> first, second;
      for (Batch<T> *one : in)
        first.push_back(describe(*one));
      (second.push_back(describe(outs)), ...);
      std::vector<const pmrt_array *> inputs, results;
      for (const pmrt_array &one : first)
        inputs.push_back(&one);
      for (const pmrt_array &one : second)
        results.push_back(&one);
      pmrt_matrices(&ctx, nullptr, 0, kind, flags, 1, inputs.data(),
                    results.data());
    });
  }

  /// |A B - C|, with A* and B* if asked for.
  double distance(Batch<T> &a, Batch<T> &b, Batch<T> &c, bool isA = false,
                  bool isB = false) {
    double most = 0;
    for (int64_t q = 0; q < batch; ++q)
      for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
          std::complex<double> sum = -std::complex<double>(c.at(q, i, j));
          for (int64_t k = 0; k < (isA ? a.rows : a.columns); ++k)
            sum += std::complex<double>(isA ? conjugate(a.at(q, k, i))
                                            : a.at(q, i, k)) *
                   std::complex<double>(isB ? conjugate(b.at(q, j, k))
                                            : b.at(q, k, j));
          most = std::max(most, std::abs(sum));
        }
    return most;
  }

  static constexpr double precision = sizeof(Real) == 4 ? 2e-3 : 1e-11;

private:
  template <typename U> pmrt_array describe(Batch<U> &one) {
    return arrayOver(one.data.data(), matrixElement<U>(),
                     dimsOf(one.dims, letters.dims));
  }

  LetterDims letters;
};

template <typename T> class Matrices : public testing::Test {};
using Elements =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Matrices, Elements);

} // namespace

TYPED_TEST(Matrices, Products) {
  for (const auto &[n, m] : sizes) {
    HostCall<TypeParam> call(n, m);
    using B = Batch<TypeParam>;
    for (const bool isA : {false, true})
      for (const bool isB : {false, true}) {
        B a = noise(isA ? B("bmi", 5, m, n) : B("bim", 5, n, m), 1);
        B b = noise(isB ? B("bjm", 5, n, m) : B("bmj", 5, m, n), 2);
        B c("bij", 5, n, n);
        call.run(PMRT_MATRIX_PRODUCT,
                 (isA ? PMRT_MATRIX_ADJOINT_A : 0) |
                     (isB ? PMRT_MATRIX_ADJOINT_B : 0),
                 {&a, &b}, c);
        EXPECT_LT(call.distance(a, b, c, isA, isB), call.precision);
      }
  }
}

TYPED_TEST(Matrices, LinearSystems) {
  for (const auto &[n, m] : sizes) {
    HostCall<TypeParam> call(n, m);
    using B = Batch<TypeParam>;
    for (const bool isAdjoint : {false, true})
      for (const bool isLower : {false, true}) {
        B a = noise(B("bij", 5, n, n), 3), b = noise(B("bim", 5, n, m), 4);
        B vector = noise(B("bi", 5, n, 1), 5), x("bjm", 5, n, m),
          y("bj", 5, n, 1);
        for (int64_t q = 0; q < 5; ++q)
          for (int64_t i = 0; i < n; ++i)
            a.at(q, i, i) += 5;
        const int flags = (isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0) |
                          (isLower ? PMRT_MATRIX_LOWER : 0);
        call.run(PMRT_MATRIX_SOLVE, flags, {&a, &b}, x);
        call.run(PMRT_MATRIX_SOLVE, flags, {&a, &vector}, y);
        if (isLower)
          for (int64_t q = 0; q < 5; ++q)
            for (int64_t i = 0; i < n; ++i)
              for (int64_t j = i + 1; j < n; ++j)
                a.at(q, i, j) = 0;
        EXPECT_LT(call.distance(a, x, b, isAdjoint), call.precision);
        EXPECT_LT(call.distance(a, y, vector, isAdjoint), call.precision);
      }
  }
}

TYPED_TEST(Matrices, Factors) {
  for (const auto &[n, m] : sizes) {
    HostCall<TypeParam> call(n, m);
    using B = Batch<TypeParam>;
    using R = Batch<typename RealPart<TypeParam>::Type>;
    B half = noise(B("bim", 5, n, m), 6), a("bij", 5, n, n);
    call.run(PMRT_MATRIX_PRODUCT, PMRT_MATRIX_ADJOINT_B, {&half, &half}, a);
    B lower("bij", 5, n, n), vectors("bij", 5, n, n);
    R values("bj", 5, n, 1), det("bj", 5, n, 1);
    call.run(PMRT_MATRIX_CHOLESKY, 0, {&a}, lower);
    EXPECT_LT(call.distance(lower, lower, a, false, true), call.precision);
    EXPECT_EQ(lower.at(2, 1, 4), TypeParam(0));
    call.run(PMRT_MATRIX_EIGH, 0, {&a}, values, vectors);
    call.run(PMRT_MATRIX_LOG_DET, 0, {&a}, det);
    B scaled = vectors;
    for (int64_t q = 0; q < 5; ++q) {
      double sum = 0;
      for (int64_t j = 0; j < n; ++j) {
        sum += std::log(double(values.at(q, j, 0)));
        for (int64_t i = 0; i < n; ++i)
          scaled.at(q, i, j) *= values.at(q, j, 0);
      }
      EXPECT_NEAR(sum, double(det.at(q, 3, 0)), call.precision);
    }
    EXPECT_LT(call.distance(scaled, vectors, a, false, true), call.precision);
  }
}

TYPED_TEST(Matrices, SingularValuesAndLeastSquares) {
  for (const auto &[n, m] : sizes) {
    HostCall<TypeParam> call(n, m);
    using B = Batch<TypeParam>;
    using R = Batch<typename RealPart<TypeParam>::Type>;
    for (const bool isTall : {false, true}) {
      const int64_t rows = isTall ? m : n, columns = isTall ? n : m;
      B a = noise(B(isTall ? "bmj" : "bjm", 5, rows, columns), 7);
      B u(isTall ? "bmk" : "bjk", 5, rows, n),
          v(isTall ? "bjk" : "bmk", 5, columns, n);
      R values("bk", 5, n, 1);
      call.run(PMRT_MATRIX_SVD, 0, {&a}, u, values, v);
      B scaled = u;
      for (int64_t q = 0; q < 5; ++q)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t k = 0; k < n; ++k)
            scaled.at(q, i, k) *= values.at(q, k, 0);
      EXPECT_LT(call.distance(scaled, v, a, false, true), call.precision);
      // The residual is orthogonal to all columns, and x is a sum of rows.
      for (const bool isAdjoint : {false, true}) {
        const bool isLong = isTall != isAdjoint; // more equations than unknowns
        B b = noise(B(isLong ? "bmi" : "bji", 5, isLong ? m : n, n), 8);
        B x(isLong ? "bji" : "bmi", 5, isLong ? n : m, n);
        call.run(PMRT_MATRIX_LEAST_SQUARES,
                 isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0, {&a, &b}, x);
        if (!isLong) {
          EXPECT_LT(call.distance(a, x, b, isAdjoint), call.precision);
          continue;
        }
        B product = b, rest = b, zero(isLong ? "bji" : "bmi", 5, n, n);
        call.run(PMRT_MATRIX_PRODUCT, isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0,
                 {&a, &x}, product);
        for (size_t i = 0; i < rest.data.size(); ++i)
          rest.data[i] -= product.data[i];
        EXPECT_LT(call.distance(a, rest, zero, !isAdjoint), call.precision);
      }
    }
  }
}

// Pivots of zero, beside a tiny one, and matrices without an inverse or a
// factor, with and without LAPACK.
TYPED_TEST(Matrices, PivotsAndSingularMatrices) {
  using Real = typename RealPart<TypeParam>::Type;
  using B = Batch<TypeParam>;
  for (const auto &[n, m] : sizes) {
    HostCall<TypeParam> call(n, m);
    B a("bij", 5, n, n), b = noise(B("bi", 5, n, 1), 9), x("bj", 5, n, 1);
    for (int64_t q = 0; q < 5; ++q)
      for (int64_t i = 0; i < n; ++i)
        a.at(q, i, (i + q) % n) = TypeParam(Real(i + 1)); // a permutation
    a.at(1, 0, 0) = std::numeric_limits<Real>::denorm_min();
    for (int64_t j = 0; j < n; ++j)
      a.at(4, 2, j) = 0;
    call.run(PMRT_MATRIX_SOLVE, 0, {&a, &b}, x);
    for (int64_t q = 0; q < 4; ++q)
      for (int64_t i = 0; i < n; ++i)
        EXPECT_NEAR(std::abs(x.at(q, (i + q) % n, 0) * TypeParam(Real(i + 1)) -
                             b.at(q, i, 0)),
                    0, call.precision)
            << q << " " << i;
    EXPECT_TRUE(std::isnan(std::real(x.at(4, 0, 0))));

    Batch<Real> det("bj", 5, n, 1), sign("bj", 5, n, 1);
    call.run(PMRT_MATRIX_LOG_DET, 0, {&a}, det);
    EXPECT_NEAR(double(det.at(2, 0, 0)), std::lgamma(double(n) + 1), 1e-3);
    EXPECT_EQ(det.at(4, 0, 0), -std::numeric_limits<Real>::infinity());
    // A cyclic shift of an even number of elements is odd.
    call.run(PMRT_MATRIX_LOG_DET, PMRT_MATRIX_SIGN, {&a}, sign);
    EXPECT_EQ(sign.at(0, 0, 0), 1);
    EXPECT_EQ(sign.at(1, 0, 0), -1);
    EXPECT_EQ(sign.at(2, 0, 0), 1);

    B lower("bij", 5, n, n);
    call.run(PMRT_MATRIX_CHOLESKY, 0, {&a}, lower);
    EXPECT_NEAR(std::abs(lower.at(0, 3, 3)), 2, 1e-6);
    EXPECT_TRUE(std::isnan(std::real(lower.at(2, 0, 0))));
  }
}
