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

/// Letters b, i, j, k, m are dims of 5, 6, 6, 6 and 9.
template <typename T> class HostCall {
public:
  using Real = RealPart<T>::Type;
  static constexpr int64_t batch = 5, n = 6, m = 9;

  HostCall() : letters({"bijkm", "", "", extents()}) {}

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
  static std::map<char, int64_t> extents() {
    return {{'b', batch}, {'i', n}, {'j', n}, {'k', n}, {'m', m}};
  }
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
  HostCall<TypeParam> call;
  using B = Batch<TypeParam>;
  for (const bool isA : {false, true})
    for (const bool isB : {false, true}) {
      B a = noise(isA ? B("bmi", 5, 9, 6) : B("bim", 5, 6, 9), 1);
      B b = noise(isB ? B("bjm", 5, 6, 9) : B("bmj", 5, 9, 6), 2);
      B c("bij", 5, 6, 6);
      call.run(PMRT_MATRIX_PRODUCT,
               (isA ? PMRT_MATRIX_ADJOINT_A : 0) |
                   (isB ? PMRT_MATRIX_ADJOINT_B : 0),
               {&a, &b}, c);
      EXPECT_LT(call.distance(a, b, c, isA, isB), call.precision);
    }
}

TYPED_TEST(Matrices, LinearSystems) {
  HostCall<TypeParam> call;
  using B = Batch<TypeParam>;
  for (const bool isAdjoint : {false, true})
    for (const bool isLower : {false, true}) {
      B a = noise(B("bij", 5, 6, 6), 3), b = noise(B("bim", 5, 6, 9), 4);
      B vector = noise(B("bi", 5, 6, 1), 5), x("bjm", 5, 6, 9),
        y("bj", 5, 6, 1);
      for (int64_t q = 0; q < 5; ++q)
        for (int64_t i = 0; i < 6; ++i)
          a.at(q, i, i) += 5;
      const int flags = (isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0) |
                        (isLower ? PMRT_MATRIX_LOWER : 0);
      call.run(PMRT_MATRIX_SOLVE, flags, {&a, &b}, x);
      call.run(PMRT_MATRIX_SOLVE, flags, {&a, &vector}, y);
      if (isLower)
        for (int64_t q = 0; q < 5; ++q)
          for (int64_t i = 0; i < 6; ++i)
            for (int64_t j = i + 1; j < 6; ++j)
              a.at(q, i, j) = 0;
      EXPECT_LT(call.distance(a, x, b, isAdjoint), call.precision);
      EXPECT_LT(call.distance(a, y, vector, isAdjoint), call.precision);
    }
}

TYPED_TEST(Matrices, Factors) {
  HostCall<TypeParam> call;
  using B = Batch<TypeParam>;
  using R = Batch<typename RealPart<TypeParam>::Type>;
  B half = noise(B("bim", 5, 6, 9), 6), a("bij", 5, 6, 6);
  call.run(PMRT_MATRIX_PRODUCT, PMRT_MATRIX_ADJOINT_B, {&half, &half}, a);
  B lower("bij", 5, 6, 6), vectors("bij", 5, 6, 6);
  R values("bj", 5, 6, 1), det("bj", 5, 6, 1);
  call.run(PMRT_MATRIX_CHOLESKY, 0, {&a}, lower);
  EXPECT_LT(call.distance(lower, lower, a, false, true), call.precision);
  EXPECT_EQ(lower.at(2, 1, 4), TypeParam(0));
  call.run(PMRT_MATRIX_EIGH, 0, {&a}, values, vectors);
  call.run(PMRT_MATRIX_LOG_DET, 0, {&a}, det);
  B scaled = vectors;
  for (int64_t q = 0; q < 5; ++q) {
    double sum = 0;
    for (int64_t j = 0; j < 6; ++j) {
      sum += std::log(double(values.at(q, j, 0)));
      for (int64_t i = 0; i < 6; ++i)
        scaled.at(q, i, j) *= values.at(q, j, 0);
    }
    EXPECT_NEAR(sum, double(det.at(q, 3, 0)), call.precision);
  }
  EXPECT_LT(call.distance(scaled, vectors, a, false, true), call.precision);
}

TYPED_TEST(Matrices, SingularValuesAndLeastSquares) {
  HostCall<TypeParam> call;
  using B = Batch<TypeParam>;
  using R = Batch<typename RealPart<TypeParam>::Type>;
  for (const bool isTall : {false, true}) {
    const int64_t rows = isTall ? 9 : 6, columns = isTall ? 6 : 9;
    B a = noise(B(isTall ? "bmj" : "bjm", 5, rows, columns), 7);
    B u(isTall ? "bmk" : "bjk", 5, rows, 6),
        v(isTall ? "bjk" : "bmk", 5, columns, 6);
    R values("bk", 5, 6, 1);
    call.run(PMRT_MATRIX_SVD, 0, {&a}, u, values, v);
    B scaled = u;
    for (int64_t q = 0; q < 5; ++q)
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t k = 0; k < 6; ++k)
          scaled.at(q, i, k) *= values.at(q, k, 0);
    EXPECT_LT(call.distance(scaled, v, a, false, true), call.precision);
    // The residual is orthogonal to all columns, and x is one of rows.
    for (const bool isAdjoint : {false, true}) {
      const bool isLong = isTall != isAdjoint; // more equations than unknowns
      B b = noise(B(isLong ? "bmi" : "bji", 5, isLong ? 9 : 6, 6), 8);
      B x(isLong ? "bji" : "bmi", 5, isLong ? 6 : 9, 6);
      call.run(PMRT_MATRIX_LEAST_SQUARES, isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0,
               {&a, &b}, x);
      if (!isLong) {
        EXPECT_LT(call.distance(a, x, b, isAdjoint), call.precision);
        continue;
      }
      B product = b, rest = b, zero(isLong ? "bji" : "bmi", 5, 6, 6);
      call.run(PMRT_MATRIX_PRODUCT, isAdjoint ? PMRT_MATRIX_ADJOINT_A : 0,
               {&a, &x}, product);
      for (size_t i = 0; i < rest.data.size(); ++i)
        rest.data[i] -= product.data[i];
      EXPECT_LT(call.distance(a, rest, zero, !isAdjoint), call.precision);
    }
  }
}
