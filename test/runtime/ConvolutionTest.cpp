//===- ConvolutionTest.cpp - Sums of products of a field read at indices --===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Convolution.h"
#include "test/runtime/Contractions.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// f over c and x, weights over t, c and o, to o and y: q x = n y + m t + o.
struct Along {
  int64_t cells, places, taps, number, tap, offset, divisor;
  pmrt_edge edge;
};

constexpr int64_t channels = 7, outputs = 19;

template <typename T>
std::vector<T> convolved(const Along &along, const std::vector<T> &field,
                         const std::vector<T> &weights, int threads) {
  constexpr auto element = std::is_same_v<T, float> ? PMRT_F32 : PMRT_F64;
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
    std::vector<T> f = field, w = weights;
    const pmrt_array from = arrayOver(f.data(), element, {0, 1}),
                     with = arrayOver(w.data(), element, {2, 0, 3}),
                     to = arrayOver(result.data(), element, {3, 4});
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

template <typename T> void check(const Along &along, double units) {
  const ContractionCase sizes = {
      "cx",
      "tco",
      "oy",
      {{'c', channels}, {'x', along.cells}, {'t', along.taps}, {'o', outputs}}};
  const std::vector<T> f = noiseOf<T>("cx", sizes, 1),
                       w = noiseOf<T>("tco", sizes, 2);
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
  const std::vector<T> got = convolved(along, f, w, 1);
  expectClose(got, want, units);
  EXPECT_EQ(convolved(along, f, w, 3), got); // to the last bit
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
