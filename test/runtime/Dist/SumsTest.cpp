//===- SumsTest.cpp - Reductions over ranks -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Ranks.h"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <thread>

using namespace pmrt;
using namespace pmrt::test;

static void reduceField(pmrt_context &ctx, uint32_t axes, pmrt_reduction kind,
                        const pmrt_array *in, const pmrt_array *out) {
  pmrt_reduce_fields(&ctx, nullptr, 0, axes, kind, 1, &in, &out);
}

TEST(Sums, ScalarsHaveTheSameBitsEverywhere) {
  for (const Extents &mesh :
       std::vector<Extents>{{1, 1}, {2, 1}, {3, 3}, {8, 1}})
    for (uint32_t axes : {1u, 2u, 3u}) {
      const auto ranks = size_t(ranksOf(mesh));
      std::vector<double> sums(ranks), least(ranks), most(ranks);
      onRanks(mesh, {}, {}, [&](pmrt_context &ctx) {
        const auto rank = size_t(ctx.mesh.rank());
        // Not associative: another order gives other bits.
        const double mine = 1.0 / double(rank + 3);
        sums[rank] = least[rank] = most[rank] = mine;
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_SUM, 1, &sums[rank]);
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_MIN, 1, &least[rank]);
        pmrt_all_reduce(&ctx, nullptr, 0, axes, PMRT_MAX, 1, &most[rank]);
      });
      double sum = 0, low = 1, high = 0;
      for (int64_t r = 0; r < mesh[0]; ++r)
        for (int64_t c = 0; c < mesh[1]; ++c) {
          if ((!(axes & 1) && r) || (!(axes & 2) && c))
            continue;
          const double value = 1.0 / double(r * mesh[1] + c + 3);
          sum += value;
          low = std::min(low, value);
          high = std::max(high, value);
        }
      for (size_t r = 0; r < ranks; ++r) {
        EXPECT_EQ(std::bit_cast<int64_t>(sums[r]),
                  std::bit_cast<int64_t>(sums[0]));
        EXPECT_NEAR(sums[r], sum, 1e-14);
        EXPECT_EQ(least[r], low);
        EXPECT_EQ(most[r], high);
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
          reduceField(ctx, axes, PMRT_SUM, &in, &out);
          const auto part = pmrt::test::part(ctx, want, out);
          got.resize(part.size());
          EXPECT_EQ(got, part);
        }
        reduceField(ctx, axes, PMRT_SUM, &in, &in);
        EXPECT_EQ(mine, want);
      });
    }
}

TEST(Sums, MemoryHoldsTheLargestPart) {
  // Each rank reduces a part of the field. Parts differ by one element.
  for (const int64_t ranks : {2, 3, 5})
    for (const int64_t cells : {ranks * 512, ranks * 512 + 1}) {
      Dims dims;
      const int32_t x = dims.dim(cells, {});
      const int64_t bytes =
          (cells + ranks - 1) / ranks * int64_t(sizeof(double));
      const auto reduceWithin = [&](int64_t limit) {
        Settings settings;
        settings.memoryLimit = limit;
        onRanks({ranks}, dims.program, settings, [&](pmrt_context &ctx) {
          std::vector<double> data(static_cast<size_t>(cells), 1.0);
          const pmrt_array in = arrayOver(data.data(), PMRT_F64, {x});
          reduceField(ctx, 1, PMRT_SUM, &in, &in);
          EXPECT_EQ(data.back(), double(ranks));
        });
      };
      reduceWithin(bytes);
      EXPECT_CONTAINS(messageOf([&] { reduceWithin(bytes - 1); }),
                      "the reduction of fields needs");
    }
}

TEST(Sums, SumsOverAxesThatSplitAreInternalErrors) {
  Dims dims;
  const int32_t x = dims.dim(6, {"row"});
  EXPECT_CONTAINS(messageOf([&] {
                    onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
                      std::vector<float> a(3);
                      const pmrt_array in = arrayOver(a.data(), PMRT_F32, {x});
                      reduceField(ctx, 1, PMRT_SUM, &in, &in);
                    });
                  }),
                  "split by axes 0x1");
}

TEST(Sums, ExtremesOfFieldsInPlaceAndScattered) {
  for (const Extents &mesh : std::vector<Extents>{{1, 1}, {2, 2}, {5, 1}}) {
    Dims dims;
    const int32_t x = dims.dim(7, {}), split = dims.dim(7, {"row"});
    onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
      const int64_t ranks = mesh[0];
      const int64_t row = ctx.group(1).index();
      for (pmrt_reduction kind : {PMRT_MIN, PMRT_MAX}) {
        std::vector<float> mine(7), want(7), got(7);
        for (int64_t i = 0; i < 7; ++i) {
          // Every rank is the winner somewhere; all are below (or above) 0.
          const int64_t sign = kind == PMRT_MIN ? 1 : -1;
          mine[size_t(i)] = float(sign * (10 + (i + row) % ranks));
          want[size_t(i)] = float(sign * 10);
        }
        mine[3] = row == ranks - 1 ? NAN : 1;
        const pmrt_array in = arrayOver(mine.data(), PMRT_F32, {x});
        const pmrt_array out = arrayOver(got.data(), PMRT_F32, {split});
        if (ranks > 1) {
          reduceField(ctx, 1, kind, &in, &out);
          const auto part = pmrt::test::part(ctx, want, out);
          for (int64_t i = 0; i < int64_t(part.size()); ++i)
            if (pmrt_local_offset(&ctx, split) + i == 3)
              EXPECT_TRUE(std::isnan(got[size_t(i)]));
            else
              EXPECT_EQ(got[size_t(i)], part[size_t(i)]);
        }
        reduceField(ctx, 1, kind, &in, &in);
        EXPECT_TRUE(std::isnan(mine[3]));
        mine[3] = want[3];
        EXPECT_EQ(mine, want);
      }
    });
  }
}

TEST(Sums, FieldsTravelTogether) {
  for (const Extents &mesh : std::vector<Extents>{{1, 1}, {3, 1}, {3, 2}}) {
    Dims dims;
    const int32_t a = dims.dim(2, {}), b = dims.dim(11, {}),
                  c = dims.dim(9, {}), part = dims.dim(9, {"row"});
    onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
      const auto ranks = double(mesh[0]);
      const auto row = double(ctx.group(1).index());
      std::vector<double> one(2), two(11), twoSum(11), three(9), threeSum(9);
      for (std::vector<double> *field : {&one, &two, &three})
        for (size_t i = 0; i < field->size(); ++i)
          (*field)[i] = double(i + field->size()) * (row + 1);
      auto total = [&](size_t cells, size_t i) {
        return double(i + cells) * ranks * (ranks + 1) / 2;
      };
      const std::array arrays = {arrayOver(one.data(), PMRT_F64, {a}),
                                 arrayOver(two.data(), PMRT_F64, {b}),
                                 arrayOver(three.data(), PMRT_F64, {c}),
                                 arrayOver(twoSum.data(), PMRT_F64, {b}),
                                 arrayOver(threeSum.data(), PMRT_F64, {part})};
      const std::array in = {&arrays[0], &arrays[1], &arrays[2]};
      const std::array out = {&arrays[0], &arrays[3], &arrays[4]};
      // One by one into other memory, which takes more messages.
      int64_t before = ctx.transport->sentMessages;
      std::vector<double> spare(11);
      for (size_t i = 0; i < 3; ++i) {
        pmrt_array other = *out[i];
        other.data = spare.data();
        const pmrt_array *to = &other;
        pmrt_reduce_fields(&ctx, nullptr, 0, 1, PMRT_SUM, 1, &in[i], &to);
      }
      const int64_t apart = ctx.transport->sentMessages - before;
      before = ctx.transport->sentMessages;
      pmrt_reduce_fields(&ctx, nullptr, 0, 1, PMRT_SUM, 3, in.data(),
                         out.data());
      const int64_t together = ctx.transport->sentMessages - before;
      if (ctx.mesh.ranks() > 1)
        EXPECT_LT(together, apart);
      for (size_t i = 0; i < 2; ++i)
        EXPECT_EQ(one[i], total(2, i));
      for (size_t i = 0; i < 11; ++i)
        EXPECT_EQ(twoSum[i], total(11, i));
      for (int64_t i = 0; i < pmrt_local_extent(&ctx, part); ++i)
        EXPECT_EQ(threeSum[size_t(i)],
                  total(9, size_t(pmrt_local_offset(&ctx, part) + i)));
    });
  }
}

static double numberOf(int rank, size_t bucket, size_t i) {
  return 1.0 / double(size_t(rank) + 3 + 7 * bucket + i);
}

TEST(Sums, StartedOnesHaveTheSameBits) {
  // Small ones are copied aside, of large ones others read the memory.
  const std::array<int64_t, 5> sizes = {7, 3000, 40, 9000, 2000};
  for (const Extents &mesh : std::vector<Extents>{{1}, {2}, {4}}) {
    Dims dims;
    std::vector<int32_t> whole, split;
    for (int64_t size : sizes) {
      whole.push_back(dims.dim(size, {}));
      split.push_back(dims.dim(size, {"row"}));
    }
    onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
      std::vector<std::vector<double>> in(5), want(5), got(5);
      std::array<pmrt_array, 5> from = {}, to = {};
      const int rank = int(ctx.mesh.rank());
      for (size_t b = 0; b < 5; ++b) {
        for (size_t i = 0; i < size_t(sizes[b]); ++i)
          in[b].push_back(numberOf(rank, b, i));
        want[b].resize(in[b].size());
        got[b] = b < 3 ? in[b] : std::vector<double>(in[b].size());
        // The last two are kept in parts, of the others two are in place.
        from[b] = arrayOver(in[b].data(), PMRT_F64, {whole[b]});
        to[b] =
            arrayOver(want[b].data(), PMRT_F64, {b < 3 ? whole[b] : split[b]});
        const pmrt_array *a = &from[b], *c = &to[b];
        pmrt_reduce_fields(&ctx, nullptr, 0, 1, PMRT_SUM, 1, &a, &c);
      }
      for (int round = 0; round < 3; ++round) {
        std::array<pmrt_pending *, 5> pending = {};
        for (size_t b = 0; b < 5; ++b) {
          to[b].data = got[b].data();
          if (b < 2) {
            got[b] = in[b];
            to[b].data = got[b].data();
          }
          const pmrt_array *a = b < 2 ? &to[b] : &from[b], *c = &to[b];
          pending[b] = pmrt_reduce_fields_start(&ctx, nullptr, 0, 1, PMRT_SUM,
                                                1, &a, &c);
        }
        for (size_t b : {3, 0, 4, 2, 1})
          pmrt_wait(&ctx, nullptr, 0, pending[b]);
        EXPECT_TRUE(ctx.pending.empty());
        EXPECT_EQ(got, want);
      }
    });
  }
}

TEST(Sums, AStartWaitsForWhatOthersHaveStartedBefore) {
  Dims dims;
  const int32_t x = dims.dim(5000, {});
  std::atomic<int> begun = 0, joined = 0;
  onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
    std::vector<double> fields[4];
    pmrt_array arrays[4];
    pmrt_pending *pending[4];
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 4; ++i) {
        fields[i].assign(5000, ctx.mesh.rank() + i + 1);
        arrays[i] = arrayOver(fields[i].data(), PMRT_F64, {x});
        const pmrt_array *field = &arrays[i];
        // In the second round there is memory for all. Then the first rank
        // begins a reduction before the other one has come to it, but has
        // waited until that one had begun the reduction before.
        if (round == 1 && ctx.mesh.rank() == 1)
          while (begun.load() <= i)
            std::this_thread::yield();
        if (round == 1 && ctx.mesh.rank() == 0)
          while (joined.load() < i)
            std::this_thread::yield();
        pending[i] = pmrt_reduce_fields_start(&ctx, nullptr, 0, 1, PMRT_SUM, 1,
                                              &field, &field);
        if (round == 1)
          ++(ctx.mesh.rank() == 0 ? begun : joined);
      }
      for (int i = 0; i < 4; ++i) {
        pmrt_wait(&ctx, nullptr, 0, pending[i]);
        EXPECT_EQ(fields[i], std::vector<double>(5000, 2 * i + 3));
      }
    }
  });
}
