//===- ContractionTest.cpp - Contractions on a GPU ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/CuBlas.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/gpu/runtime/OnDevice.h"
#include "test/runtime/Host/Contractions.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

class DeviceContraction : public OnDevice {
protected:
  void SetUp() override {
    OnDevice::SetUp();
    try {
      (void)cuda::cublas();
    } catch (const std::exception &e) {
      GTEST_SKIP() << e.what();
    }
  }
};

template <typename T, typename A = T, typename B = T>
void check(const ContractionCase &one, double units, bool ordered = false) {
  SCOPED_TRACE(one.a + "," + one.b + "->" + one.c);
  LetterDims letters(one);
  letters.program.deterministic = ordered;
  const std::vector<A> a = noiseOf<A>(one.a, one, 1);
  const std::vector<B> b = noiseOf<B>(one.b, one, 2);
  onRanks({}, letters.program, {}, [&](pmrt_context &ctx) {
    attach(ctx);
    const OnGpu<A> left(ctx, a);
    const OnGpu<B> right(ctx, b);
    const OnGpu<T> sums(
        ctx,
        std::vector<T>(size_t(ContractionCase::count(one.c, one.cells)), T(7)));
    const pmrt_array from = onGpu(left.data(), elementOf<A>(),
                                  dimsOf(one.a, letters.dims)),
                     with = onGpu(right.data(), elementOf<B>(),
                                  dimsOf(one.b, letters.dims)),
                     to = onGpu(sums.data(), elementOf<T>(),
                                dimsOf(one.c, letters.dims));
    pmrt_contract(&ctx, nullptr, 0, &from, &with, &to);
    expectClose(sums.get(), expectedOf(one, a, b), units);
  });
}

} // namespace

TEST_F(DeviceContraction, SinglePrecision) {
  for (const ContractionCase &one : contractionCases())
    check<float>(one, 600);
}

TEST_F(DeviceContraction, DoublePrecision) {
  for (const ContractionCase &one : contractionCases())
    check<double>(one, 5000);
}

namespace {

/// An array of the convolutions below, and its dims.
struct Numbers {
  std::vector<int32_t> dims;
  std::vector<double> values;
};

/// Compares a convolution by cuBLAS with that of the host.
void convolveBoth(const Dims &dims, const Numbers &field,
                  const Numbers &weights, const Numbers &result,
                  const std::vector<int64_t> &plan) {
  std::vector<double> want(result.values.size(), 7);
  onRanks({}, dims.program, {}, [&](pmrt_context &ctx) {
    auto array = [](const Numbers &one, const std::vector<double> &data) {
      return arrayOver(const_cast<double *>(data.data()), PMRT_F64, one.dims);
    };
    const pmrt_array from = array(field, field.values),
                     with = array(weights, weights.values),
                     to = array(result, want);
    pmrt_convolve(&ctx, nullptr, 0, &from, nullptr, &with, &to, plan.data());
  });
  onRanks({}, dims.program, {}, [&](pmrt_context &ctx) {
    attach(ctx);
    const OnGpu<double> left(ctx, field.values), right(ctx, weights.values),
        made(ctx, result.values);
    const pmrt_array from = onGpu(left.data(), PMRT_F64, field.dims),
                     with = onGpu(right.data(), PMRT_F64, weights.dims),
                     to = onGpu(made.data(), PMRT_F64, result.dims);
    pmrt_convolve(&ctx, nullptr, 0, &from, nullptr, &with, &to, plan.data());
    EXPECT_EQ(ctx.convolutionsByBlas, 1);
    const std::vector<double> got = made.get();
    double largest = 0;
    for (const double value : want)
      largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(got[i], want[i], 1e-12 * largest) << "element " << i;
  });
}

} // namespace

/// The matrix of cells would have more than 64 MiB. Therefore convolutions are
/// divided: over places, and for the derivative in the weights over terms.
TEST_F(DeviceContraction, LargeConvolutionsAreDivided) {
  Dims dims;
  const int32_t c = dims.dim(4, {}), o = dims.dim(5, {}), x = dims.dim(511, {}),
                y = dims.dim(517, {}), i = dims.dim(3, {}), j = dims.dim(3, {});
  auto noise = [&](const std::vector<int32_t> &over, uint64_t seed) {
    int64_t count = 1;
    for (const int32_t dim : over)
      count *= dims.program.dims[size_t(dim)].extent;
    Numbers made{over, std::vector<double>(size_t(count))};
    fillNormal(seed, 0, count, made.values.data());
    return made;
  };
  const Numbers image = noise({c, x, y}, 1), kernel = noise({o, c, i, j}, 2),
                pull = noise({o, x, y}, 3);
  constexpr int64_t zero = PMRT_EDGE_ZERO, periodic = PMRT_EDGE_PERIODIC;
  // Offset, divisor and edge of each dim of the image, and the dims of the loop
  // that make its index: those of the weights, and then of the result.
  convolveBoth(dims, image, kernel, pull, {0,  1, zero,     1, 1, -1, 0, //
                                           -1, 1, zero,     4, 1, 2,  1, //
                                           -1, 1, periodic, 5, 1, 3,  1});
  convolveBoth(dims, image, pull, kernel, {0,  1, zero,     3, 1, -1, 0, //
                                           -1, 1, zero,     1, 1, 4,  1, //
                                           -1, 1, periodic, 2, 1, 5,  1});
}

/// By cuBLAS, and as convolutions without taps, which add in f64.
TEST_F(DeviceContraction, ReducedPrecisionFactors) {
  for (const ContractionCase &one : contractionCases()) {
    check<float, Brain, float>(one, 600);
    check<double, Half, Brain>(one, 5000);
    check<float, Half, Brain>(one, 600, /*ordered=*/true);
    check<double, double, Half>(one, 5000, /*ordered=*/true);
  }
}
