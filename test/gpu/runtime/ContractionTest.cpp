//===- ContractionTest.cpp - Contractions on a GPU ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/CuBlas.h"
#include "test/gpu/runtime/OnDevice.h"
#include "test/runtime/Contractions.h"

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

template <typename T> void check(const ContractionCase &one, double units) {
  SCOPED_TRACE(one.a + "," + one.b + "->" + one.c);
  constexpr auto element = std::is_same_v<T, float> ? PMRT_F32 : PMRT_F64;
  const LetterDims letters(one);
  const std::vector<T> a = noiseOf<T>(one.a, one, 1),
                       b = noiseOf<T>(one.b, one, 2);
  onRanks({}, letters.program, {}, [&](pmrt_context &ctx) {
    attach(ctx);
    const OnGpu<T> left(ctx, a), right(ctx, b),
        sums(ctx, std::vector<T>(
                      size_t(ContractionCase::count(one.c, one.cells)), T(7)));
    const pmrt_array from = onGpu(left.data(), element,
                                  dimsOf(one.a, letters.dims)),
                     with = onGpu(right.data(), element,
                                  dimsOf(one.b, letters.dims)),
                     to = onGpu(sums.data(), element,
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
