//===- SumsTest.cpp - Reductions over ranks -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Ranks.h"

#include <cmath>
#include <cstring>

using namespace pmrt;
using namespace pmrt::test;

TEST(Sums, ScalarsHaveTheSameBitsEverywhere) {
  for (const Extents &mesh :
       std::vector<Extents>{{1, 1}, {2, 1}, {3, 3}, {8, 1}})
    for (uint32_t axes : {1u, 2u, 3u}) {
      const auto ranks = size_t(ranksOf(mesh));
      std::vector<double> sums(ranks), least(ranks), most(ranks);
      std::vector<int64_t> whole(ranks);
      onRanks(mesh, {}, {}, [&](pmrt_context &ctx) {
        const auto rank = size_t(ctx.mesh.rank());
        // Not associative: another order gives other bits.
        const double mine = 1.0 / double(rank + 3);
        sums[rank] = least[rank] = most[rank] = mine;
        whole[rank] = int64_t(1) << rank;
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_SUM, 1, &sums[rank]);
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_MIN, 1, &least[rank]);
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_MAX, 1, &most[rank]);
        pmrt_all_reduce_i64(&ctx, nullptr, 0, axes, PMRT_SUM, 1, &whole[rank]);
      });
      double sum = 0, low = 1, high = 0;
      int64_t bits = 0;
      for (int64_t r = 0; r < mesh[0]; ++r)
        for (int64_t c = 0; c < mesh[1]; ++c) {
          if ((!(axes & 1) && r) || (!(axes & 2) && c))
            continue;
          const double value = 1.0 / double(r * mesh[1] + c + 3);
          sum += value;
          low = std::min(low, value);
          high = std::max(high, value);
          bits |= int64_t(1) << (r * mesh[1] + c);
        }
      for (size_t r = 0; r < ranks; ++r) {
        EXPECT_EQ(std::memcmp(&sums[r], &sums[0], 8), 0);
        EXPECT_NEAR(sums[r], sum, 1e-14);
        EXPECT_EQ(least[r], low);
        EXPECT_EQ(most[r], high);
        EXPECT_EQ(whole[r], bits);
      }
    }
}

TEST(Sums, NotANumberWins) {
  onRanks({3}, {}, {}, [&](pmrt_context &ctx) {
    double value = ctx.mesh.rank() == 1 ? NAN : 1;
    pmrt_all_reduce(&ctx, nullptr, 0, 1, PMRT_MAX, 1, &value);
    EXPECT_TRUE(std::isnan(value));
  });
}

TEST(Sums, FieldsInPlaceAndScattered) {
  for (const Extents &mesh :
       std::vector<Extents>{{1, 1}, {2, 2}, {3, 2}, {5, 1}})
    for (uint32_t axes : {1u, 2u, 3u}) {
      Dims dims;
      // `batch` holds what is summed: split over none of the axes.
      const int32_t x = dims.dim(7, {}), y = dims.dim(5, {});
      std::vector<std::string> names;
      int64_t members = 1;
      for (int a = 0; a < 2; ++a)
        if (axes >> a & 1) {
          names.push_back(a ? "col" : "row");
          members *= mesh[size_t(a)];
        }
      const int32_t split = dims.dim(7, names);
      onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
        const Group group = ctx.group(axes);
        std::vector<double> mine(35), want(35), got(35);
        for (size_t i = 0; i < 35; ++i) {
          mine[i] = double(i) * double(group.index() + 1);
          want[i] = double(i) * double(members * (members + 1)) / 2;
        }
        const pmrt_array in = arrayOver(mine.data(), PMRT_F64, {x, y});
        pmrt_array out = arrayOver(got.data(), PMRT_F64, {split, y});
        if (members > 1) {
          pmrt_sum_field(&ctx, nullptr, 0, axes, &in, &out);
          const auto part = pmrt::test::part(ctx, want, out);
          got.resize(part.size());
          EXPECT_EQ(got, part);
        }
        pmrt_sum_field(&ctx, nullptr, 0, axes, &in, &in);
        EXPECT_EQ(mine, want);
      });
    }
}

TEST(Sums, SumsOverAxesThatSplitAreInternalErrors) {
  Dims dims;
  const int32_t x = dims.dim(6, {"row"});
  EXPECT_CONTAINS(messageOf([&] {
                    onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
                      std::vector<float> a(3);
                      const pmrt_array in = arrayOver(a.data(), PMRT_F32, {x});
                      pmrt_sum_field(&ctx, nullptr, 0, 1, &in, &in);
                    });
                  }),
                  "split by axes 0x1");
}
