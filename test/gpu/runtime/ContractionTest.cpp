//===- ContractionTest.cpp - Contractions on a GPU ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/CuBlas.h"
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

/// By cuBLAS, and as convolutions without taps, which add in f64.
TEST_F(DeviceContraction, ReducedPrecisionFactors) {
  for (const ContractionCase &one : contractionCases()) {
    check<float, Brain, float>(one, 600);
    check<double, Half, Brain>(one, 5000);
    check<float, Half, Brain>(one, 600, /*ordered=*/true);
    check<double, double, Half>(one, 5000, /*ordered=*/true);
  }
}
