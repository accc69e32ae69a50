//===- ContractionTest.cpp - Sums of products of two fields ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Contractions.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

template <typename T>
std::vector<T> contracted(const ContractionCase &one, const std::vector<T> &a,
                          const std::vector<T> &b, int threads) {
  constexpr auto element = std::is_same_v<T, float> ? PMRT_F32 : PMRT_F64;
  const LetterDims letters(one);
  std::vector<T> c(size_t(ContractionCase::count(one.c, one.cells)), T(7));
  Settings settings;
  settings.threads = threads;
  onRanks({}, letters.program, settings, [&](pmrt_context &ctx) {
    std::vector<T> left = a, right = b;
    const pmrt_array from = arrayOver(left.data(), element,
                                      dimsOf(one.a, letters.dims)),
                     with = arrayOver(right.data(), element,
                                      dimsOf(one.b, letters.dims)),
                     to = arrayOver(c.data(), element,
                                    dimsOf(one.c, letters.dims));
    pmrt_contract(&ctx, nullptr, 0, &from, &with, &to);
  });
  return c;
}

template <typename T> void check(const ContractionCase &one, double units) {
  SCOPED_TRACE(one.a + "," + one.b + "->" + one.c);
  const std::vector<T> a = noiseOf<T>(one.a, one, 1),
                       b = noiseOf<T>(one.b, one, 2);
  const std::vector<T> c = contracted(one, a, b, 1);
  expectClose(c, expectedOf(one, a, b), units);
  EXPECT_EQ(contracted(one, a, b, 3), c); // to the last bit
}

} // namespace

TEST(Contraction, SinglePrecision) {
  for (const ContractionCase &one : contractionCases())
    check<float>(one, 513);
}

TEST(Contraction, DoublePrecision) {
  for (const ContractionCase &one : contractionCases())
    check<double>(one, 5000);
}

/// With all products of one sign, whose sums in f32 would be wrong by thousands
/// of units.
TEST(Contraction, LongSumsStayAccurate) {
  const ContractionCase one = {
      "ik", "kj", "ij", {{'i', 4}, {'k', 1 << 20}, {'j', 5}}};
  const std::vector<float> a(4 << 20, 0.1F), b(5 << 20, 0.3F);
  expectClose(contracted(one, a, b, 2), expectedOf(one, a, b), 513);
}

TEST(Contraction, SumsOfNothingAreZero) {
  const ContractionCase one = {
      "ik", "kj", "ij", {{'i', 4}, {'k', 0}, {'j', 5}}};
  EXPECT_EQ(contracted(one, std::vector<float>(), std::vector<float>(), 1),
            std::vector<float>(20));
}
