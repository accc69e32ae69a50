//===- ConvolutionTest.cpp - Sums of products of a field read at indices --===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Convolution.h"
#include "test/runtime/Host/Contractions.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// f over c and x, weights over t, c and o, to o and y: q x = n y + m t + o.
struct Along {
  int64_t cells, places, taps, number, tap, offset, divisor;
  pmrt_edge edge;
};

constexpr int64_t channels = 7, outputs = 19;

template <typename T, typename F, typename W>
std::vector<T> convolved(const Along &along, const std::vector<F> &field,
                         const std::vector<W> &weights, int threads) {
  Descriptor program;
  for (auto [name, cells] :
       {std::pair("c", channels), std::pair("x", along.cells),
        std::pair("t", along.taps), std::pair("o", outputs),
        std::pair("y", along.places)})
    program.dims.push_back({name, cells, 1, DimKind::Space, {}});
  std::vector<T> result(size_t(outputs * along.places), T(7));
  Settings settings;
  settings.threads = threads;
  onRanks({}, program, settings, [&](pmrt_context &ctx) {
    std::vector<F> f = field;
    std::vector<W> w = weights;
    const pmrt_array from = arrayOver(f.data(), elementOf<F>(), {0, 1}),
                     with = arrayOver(w.data(), elementOf<W>(), {2, 0, 3}),
                     to = arrayOver(result.data(), elementOf<T>(), {3, 4});
    // The loop: t, c, o, y.
    const int64_t plan[] = {0,
                            1,
                            PMRT_EDGE_ZERO,
                            1,
                            1,
                            -1,
                            0,
                            along.offset,
                            along.divisor,
                            along.edge,
                            3,
                            along.number,
                            0,
                            along.tap};
    pmrt_convolve(&ctx, nullptr, 0, &from, nullptr, &with, &to, plan);
  });
  return result;
}

template <typename T, typename F = T, typename W = T>
void check(const Along &along, double units) {
  const ContractionCase sizes = {
      "cx",
      "tco",
      "oy",
      {{'c', channels}, {'x', along.cells}, {'t', along.taps}, {'o', outputs}}};
  const std::vector<F> f = noiseOf<F>("cx", sizes, 1);
  const std::vector<W> w = noiseOf<W>("tco", sizes, 2);
  Expected want;
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t y = 0; y < along.places; ++y) {
      double sum = 0, size = 0;
      for (int64_t t = 0; t < along.taps; ++t) {
        const int64_t index = along.number * y + along.tap * t + along.offset,
                      all = along.divisor * along.cells;
        // Every cell is tried: the slow way, without a division.
        for (int64_t x = 0; x < along.cells; ++x) {
          int64_t at = along.divisor * x;
          bool isIt = at == index;
          const int64_t last = along.cells - 1;
          if (along.edge == PMRT_EDGE_PERIODIC)
            for (int64_t turn = -3; turn <= 3; ++turn)
              isIt |= at + turn * all == index;
          if (along.edge == PMRT_EDGE_CLAMP)
            isIt |= (index < 0 && x == 0) || (index > last && x == last);
          if (along.edge == PMRT_EDGE_REFLECT)
            isIt |= index == -x || index == 2 * last - x;
          for (int64_t c = 0; isIt && c < channels; ++c) {
            const double product =
                double(f[size_t(c * along.cells + x)]) *
                double(w[size_t((t * channels + c) * outputs + o)]);
            sum += product;
            size += std::abs(product);
          }
        }
      }
      want.sums.push_back(sum);
      want.sizes.push_back(size);
    }
  const std::vector<T> got = convolved<T>(along, f, w, 1);
  expectClose(got, want, units);
  EXPECT_EQ(convolved<T>(along, f, w, 3), got); // to the last bit
}

const Along cases[] = {
    {40, 40, 3, 1, 1, -1, 1, PMRT_EDGE_ZERO},
    {40, 40, 5, 1, -1, 2, 1, PMRT_EDGE_PERIODIC},
    {23, 23, 4, 1, 2, -3, 1, PMRT_EDGE_CLAMP},
    {23, 23, 4, 1, 2, -3, 1, PMRT_EDGE_REFLECT},
    {40, 20, 3, 2, 1, -1, 1, PMRT_EDGE_ZERO},
    {20, 40, 3, 1, -1, 1, 2, PMRT_EDGE_PERIODIC},
    {20, 40, 3, 1, -1, 1, 2, PMRT_EDGE_ZERO},
    {700, 2, 700, 1, 1, -1, 1, PMRT_EDGE_ZERO}, // long sums
    {5, 1, 5, 3, 1, 0, 1, PMRT_EDGE_ZERO},
};

} // namespace

TEST(Convolution, SinglePrecision) {
  for (const Along &along : cases)
    check<float>(along, 513);
}

TEST(Convolution, DoublePrecision) {
  for (const Along &along : cases)
    check<double>(along, 5000);
}

TEST(Convolution, ReducedPrecisionFactors) {
  for (const Along &along : cases) {
    check<float, Brain, float>(along, 513);
    check<float, float, Half>(along, 513);
    check<float, Half, Brain>(along, 513);
    check<double, Brain, double>(along, 5000);
    check<double, Half, Half>(along, 5000);
  }
}

TEST(ReducedPrecision, EveryNumber) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const float sign = bits & 0x8000 ? -1.0F : 1.0F;
    auto expect = [&](float got, int exponent, int most, int mantissa,
                      int width, int bias) {
      if (exponent == most && mantissa != 0) {
        EXPECT_TRUE(std::isnan(got)) << bits;
        return;
      }
      const float size =
          exponent == most ? std::numeric_limits<float>::infinity()
          : exponent == 0  ? std::ldexp(float(mantissa), 1 - bias - width)
                           : std::ldexp(float(mantissa + (1 << width)),
                                        exponent - bias - width);
      EXPECT_EQ(got, sign * size) << bits;
      EXPECT_EQ(std::signbit(got), std::signbit(sign)) << bits;
    };
    expect(Half{uint16_t(bits)}, bits >> 10 & 0x1F, 0x1F, bits & 0x3FF, 10, 15);
    expect(Brain{uint16_t(bits)}, bits >> 7 & 0xFF, 0xFF, bits & 0x7F, 7, 127);
  }
}
