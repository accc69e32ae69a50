//===- ContractionTest.cpp - Sums of products of two fields ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Host/Contractions.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

template <typename T, typename A = T, typename B = T>
std::vector<T> contracted(const ContractionCase &one, const std::vector<A> &a,
                          const std::vector<B> &b, int threads,
                          bool ordered = false) {
  LetterDims letters(one);
  letters.program.deterministic = ordered;
  std::vector<T> c(size_t(ContractionCase::count(one.c, one.cells)), T(7));
  Settings settings;
  settings.threads = threads;
  onRanks({}, letters.program, settings, [&](pmrt_context &ctx) {
    std::vector<A> left = a;
    std::vector<B> right = b;
    const pmrt_array from = arrayOver(left.data(), elementOf<A>(),
                                      dimsOf(one.a, letters.dims)),
                     with = arrayOver(right.data(), elementOf<B>(),
                                      dimsOf(one.b, letters.dims)),
                     to = arrayOver(c.data(), elementOf<T>(),
                                    dimsOf(one.c, letters.dims));
    pmrt_contract(&ctx, nullptr, 0, &from, &with, &to);
  });
  return c;
}

template <typename T, typename A = T, typename B = T>
void check(const ContractionCase &one, double units) {
  SCOPED_TRACE(one.a + "," + one.b + "->" + one.c);
  const std::vector<A> a = noiseOf<A>(one.a, one, 1);
  const std::vector<B> b = noiseOf<B>(one.b, one, 2);
  const std::vector<T> c = contracted<T>(one, a, b, 1);
  expectClose(c, expectedOf(one, a, b), units);
  EXPECT_EQ(contracted<T>(one, a, b, 3), c); // to the last bit
}

/// Of an array, the first cells along each dim.
template <typename T>
std::vector<T> firstOf(const std::vector<T> &all, const std::string &dims,
                       const std::map<char, int64_t> &cells,
                       const std::map<char, int64_t> &few) {
  std::vector<T> first(size_t(ContractionCase::count(dims, few)));
  for (size_t i = 0; i < first.size(); ++i) {
    std::map<char, int64_t> at;
    auto rest = int64_t(i);
    for (size_t d = dims.size(); d-- > 0; rest /= few.at(dims[d]))
      at[dims[d]] = rest % few.at(dims[d]);
    first[i] = all[size_t(ContractionCase::place(dims, cells, at))];
  }
  return first;
}

/// Elements have the same bits where a rank makes fewer of them.
template <typename T> void checkOrdered(const ContractionCase &one) {
  SCOPED_TRACE(one.a + "," + one.b + "->" + one.c);
  const std::vector<T> a = noiseOf<T>(one.a, one, 1),
                       b = noiseOf<T>(one.b, one, 2);
  const std::vector<T> c = contracted<T>(one, a, b, 1, true);
  expectClose(c, expectedOf(one, a, b), 5000);
  EXPECT_EQ(contracted<T>(one, a, b, 3, true), c);
  for (const int64_t least : {1, 3, 8, 30}) {
    SCOPED_TRACE(least);
    ContractionCase part = one;
    for (const char d : one.c)
      part.cells[d] = std::min(one.cells.at(d), least);
    EXPECT_EQ(contracted<T>(part, firstOf(a, one.a, one.cells, part.cells),
                            firstOf(b, one.b, one.cells, part.cells), 2, true),
              firstOf(c, one.c, one.cells, part.cells));
  }
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
TEST(Contraction, ReducedPrecisionFactors) {
  for (const ContractionCase &one : contractionCases()) {
    check<float, Brain, float>(one, 513);
    check<float, float, Half>(one, 513);
    check<double, Half, Brain>(one, 5000);
  }
}

TEST(Contraction, LongSumsStayAccurate) {
  const ContractionCase one = {
      "ik", "kj", "ij", {{'i', 4}, {'k', 1 << 20}, {'j', 5}}};
  const std::vector<float> a(4 << 20, 0.1F), b(5 << 20, 0.3F);
  expectClose(contracted<float>(one, a, b, 2), expectedOf(one, a, b), 513);
}

TEST(Contraction, BitsDependOnTermsAloneIfOrdered) {
  for (ContractionCase one : contractionCases()) {
    if (one.cells.contains('i'))
      one.cells['i'] = std::min<int64_t>(one.cells['i'], 70);
    checkOrdered<float>(one);
    checkOrdered<double>(one);
  }
}

TEST(Contraction, SumsOfNothingAreZero) {
  const ContractionCase one = {
      "ik", "kj", "ij", {{'i', 4}, {'k', 0}, {'j', 5}}};
  EXPECT_EQ(
      contracted<float>(one, std::vector<float>(), std::vector<float>(), 1),
      std::vector<float>(20));
}
