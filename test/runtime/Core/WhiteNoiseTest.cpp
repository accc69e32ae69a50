//===- WhiteNoiseTest.cpp - Counter-based Gaussian numbers ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "test/runtime/Ranks.h"

#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

TEST(WhiteNoise, PhiloxKnownVectors) {
  // From Random123's kat_vectors.
  auto expect = [](PhiloxBlock r, uint32_t a, uint32_t b, uint32_t c,
                   uint32_t d) {
    EXPECT_EQ(r.word[0], a);
    EXPECT_EQ(r.word[1], b);
    EXPECT_EQ(r.word[2], c);
    EXPECT_EQ(r.word[3], d);
  };
  expect(philox(0, 0, 0, 0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
         0x9b00dbd8);
  const uint32_t f = 0xffffffff;
  expect(philox(f, f, f, f, f, f), 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
         0x6d5451fd);
  expect(philox(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822,
                0x299f31d0),
         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

TEST(WhiteNoise, ElementaryFunctionsAreAccurate) {
  double worstLog = 0, worstSin = 0;
  for (int i = 0; i <= 100000; ++i) {
    const double u = i ? i / 100000.0 : 0x1p-52;
    const double log = std::log(u);
    if (log != 0)
      worstLog = std::max(worstLog, std::abs(noiseLog(u) / log - 1));
    double s, c;
    noiseSinCos(u == 1 ? 0 : u, s, c);
    worstSin = std::max({worstSin, std::abs(s - std::sin(2 * M_PI * u)),
                         std::abs(c - std::cos(2 * M_PI * u))});
  }
  EXPECT_EQ(noiseLog(1), 0);
  EXPECT_LT(worstLog, 4e-16);
  EXPECT_LT(worstSin, 2e-15); // of which the argument's rounding is most
}

TEST(WhiteNoise, BitsArePinned) {
  // If these change, every simulation changes.
  EXPECT_EQ(doubleToBits(normal(42, 0)), doubleToBits(0x1.3c0aeec8cec65p+0));
  EXPECT_EQ(doubleToBits(normal(42, 1)), doubleToBits(0x1.3944650e53786p-1));
  EXPECT_EQ(doubleToBits(normal(uint64_t(-1), uint64_t(1) << 40)),
            doubleToBits(0x1.75f022a8daa7p-1));
}

TEST(WhiteNoise, VectorAndScalarCodeAgreeBitForBit) {
  const int64_t count = 3001;
  for (uint64_t first :
       {uint64_t(0), uint64_t(1), uint64_t(12345), (uint64_t(1) << 33) - 7}) {
    std::vector<double> wide(static_cast<size_t>(count));
    std::vector<float> narrow(static_cast<size_t>(count));
    fillNormal(7, first, count, wide.data());
    fillNormal(7, first, count, narrow.data());
    for (int64_t i = 0; i < count; ++i) {
      const double one = normal(7, first + uint64_t(i));
      ASSERT_EQ(doubleToBits(wide[size_t(i)]), doubleToBits(one));
      ASSERT_EQ(narrow[size_t(i)], float(one));
    }
  }
}

TEST(WhiteNoise, Moments) {
  const int64_t count = 1 << 20;
  std::vector<double> x(static_cast<size_t>(count));
  fillNormal(1, 0, count, x.data());
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0, neighbor = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    m1 += x[i];
    m2 += x[i] * x[i];
    m3 += x[i] * x[i] * x[i];
    m4 += x[i] * x[i] * x[i] * x[i];
    neighbor += x[i] * x[i ^ 1];
  }
  const double n = double(count), sigma = 1 / std::sqrt(n);
  EXPECT_LT(std::abs(m1 / n), 4 * sigma);
  EXPECT_LT(std::abs(m2 / n - 1), 4 * std::sqrt(2.0) * sigma);
  EXPECT_LT(std::abs(m3 / n), 4 * std::sqrt(15.0) * sigma);
  EXPECT_LT(std::abs(m4 / n - 3), 4 * std::sqrt(96.0) * sigma);
  EXPECT_LT(std::abs(neighbor / n), 4 * std::sqrt(2.0) * sigma);
}

TEST(WhiteNoise, SeedsDiffer) {
  double correlation = 0;
  for (uint64_t i = 0; i < 10000; ++i)
    correlation += normal(1, i) * normal(2, i);
  EXPECT_LT(std::abs(correlation / 10000), 0.04);
  EXPECT_NE(normal(1, 0), normal(uint64_t(1) << 32, 0));
}

TEST(WhiteNoise, DoesNotDependOnThreads) {
  std::vector<float> one(13 * 17 * 19), three(one.size());
  for (auto [threads, data] : {std::pair{1, &one}, std::pair{3, &three}}) {
    auto context = makeContext({13, 17, 19}, threads);
    const pmrt_array out = array(*data, PMRT_F32, 0, 3);
    pmrt_white_noise(context.get(), nullptr, 0, 5, &out);
  }
  EXPECT_EQ(one, three);
  for (size_t i = 0; i < one.size(); ++i)
    ASSERT_EQ(one[i], float(normal(5, i)));
}

TEST(WhiteNoise, RanksSeeTheirPartOfTheGlobalField) {
  for (int64_t n : {30, 31, 32}) {
    std::vector<float> whole(static_cast<size_t>(n * n * n));
    fillNormal(9, 0, n * n * n, whole.data());
    for (const Extents &mesh : std::vector<Extents>{
             {1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 2}, {3, 3}, {8, 1}})
      for (const auto &cut : layouts(3)) {
        Dims dims;
        std::vector<int32_t> indices;
        for (const auto &axes : cut)
          indices.push_back(dims.dim(n, axes));
        onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
          pmrt_array out = arrayOver(nullptr, PMRT_F32, indices);
          const std::vector<float> want = part(ctx, whole, out);
          std::vector<float> got(want.size());
          out.data = got.data();
          pmrt_white_noise(&ctx, nullptr, 0, 9, &out);
          ASSERT_EQ(got, want);
        });
      }
  }
}
