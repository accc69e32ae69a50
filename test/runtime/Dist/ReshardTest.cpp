//===- ReshardTest.cpp - From one layout to another -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Dist/Reshard.h"
#include "test/runtime/Ranks.h"

#include <complex>
#include <numeric>

using namespace pmrt;
using namespace pmrt::test;

namespace {

template <typename T>
void everyLayoutToEveryOther(const Extents &mesh, const Extents &shape,
                             pmrt_element element) {
  Dims dims;
  std::vector<std::vector<int32_t>> cuts;
  for (const auto &cut : layouts(shape.size())) {
    std::vector<int32_t> indices;
    for (size_t d = 0; d < shape.size(); ++d)
      indices.push_back(dims.dim(shape[d], cut[d]));
    cuts.push_back(indices);
  }
  std::vector<T> whole(static_cast<size_t>(std::accumulate(
      shape.begin(), shape.end(), int64_t(1), std::multiplies<>())));
  for (size_t i = 0; i < whole.size(); ++i)
    whole[i] = T(float(i % 100));
  onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
    for (const auto &from : cuts)
      for (const auto &to : cuts) {
        pmrt_array in = arrayOver(nullptr, element, from);
        pmrt_array out = arrayOver(nullptr, element, to);
        std::vector<T> source = part(ctx, whole, in);
        const std::vector<T> want = part(ctx, whole, out);
        std::vector<T> got(want.size());
        in.data = source.data();
        out.data = got.data();
        pmrt_reshard(&ctx, nullptr, 0, &in, &out);
        ASSERT_EQ(got, want) << fmt::format(
            "rank {} of mesh {}: dims {} to {}", ctx.mesh.rank(),
            fmt::join(mesh, "x"), fmt::join(from, ","), fmt::join(to, ","));
      }
  });
}

} // namespace

TEST(Reshard, EveryLayoutToEveryOther) {
  for (const Extents &mesh : std::vector<Extents>{
           {1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 2}, {3, 3}, {8, 1}})
    everyLayoutToEveryOther<float>(mesh, {9, 10, 11}, PMRT_F32);
}

TEST(Reshard, EveryElement) {
  everyLayoutToEveryOther<double>({2, 3}, {8, 7}, PMRT_F64);
  everyLayoutToEveryOther<std::complex<float>>({2, 2}, {8, 7}, PMRT_C64);
  everyLayoutToEveryOther<std::complex<double>>({3, 2}, {8, 7}, PMRT_C128);
  everyLayoutToEveryOther<int8_t>({3, 2}, {7, 6}, PMRT_I8);
  everyLayoutToEveryOther<int64_t>({3, 2}, {20}, PMRT_I64);
}

TEST(Reshard, LargeFieldsOnSeveralThreads) {
  for (int64_t n : {30, 31, 32}) {
    Dims dims;
    const std::vector<int32_t> rows = {dims.dim(n, {"row"}), dims.dim(n, {}),
                                       dims.dim(n, {})};
    const std::vector<int32_t> deep = {rows[1], rows[1], rows[0]};
    std::vector<double> whole(static_cast<size_t>(n * n * n));
    std::iota(whole.begin(), whole.end(), 0.5);
    Settings settings;
    settings.threads = 2;
    onRanks({3}, dims.program, settings, [&](pmrt_context &ctx) {
      pmrt_array in = arrayOver(nullptr, PMRT_F64, rows);
      pmrt_array out = arrayOver(nullptr, PMRT_F64, deep);
      std::vector<double> source = part(ctx, whole, in);
      const std::vector<double> want = part(ctx, whole, out);
      std::vector<double> got(want.size()), back(source.size());
      in.data = source.data();
      out.data = got.data();
      pmrt_pending *first = pmrt_reshard_start(&ctx, nullptr, 0, &in, &out);
      pmrt_wait(&ctx, nullptr, 0, first);
      EXPECT_EQ(got, want);
      in.data = back.data();
      pmrt_reshard(&ctx, nullptr, 0, &out, &in);
      EXPECT_EQ(back, source);
    });
  }
}

TEST(Reshard, SeveralAtATimeCompleteInAnyOrder) {
  Dims dims;
  const std::vector<int32_t> a = {dims.dim(12, {"row"}), dims.dim(10, {})};
  const std::vector<int32_t> b = {dims.dim(12, {}), dims.dim(10, {"row"})};
  std::vector<float> whole(120), doubled(120);
  for (size_t i = 0; i < 120; ++i) {
    whole[i] = float(i);
    doubled[i] = float(2 * i);
  }
  onRanks({4}, dims.program, {}, [&](pmrt_context &ctx) {
    pmrt_array in[] = {arrayOver(nullptr, PMRT_F32, a),
                       arrayOver(nullptr, PMRT_F32, a)};
    pmrt_array out[] = {arrayOver(nullptr, PMRT_F32, b),
                        arrayOver(nullptr, PMRT_F32, b)};
    std::vector<float> sources[] = {part(ctx, whole, in[0]),
                                    part(ctx, doubled, in[1])};
    std::vector<float> wanted[] = {part(ctx, whole, out[0]),
                                   part(ctx, doubled, out[1])};
    std::vector<float> got[] = {std::vector<float>(wanted[0].size()),
                                std::vector<float>(wanted[1].size())};
    pmrt_pending *pending[2];
    for (int i = 0; i < 2; ++i) {
      in[i].data = sources[i].data();
      out[i].data = got[i].data();
      pending[i] = pmrt_reshard_start(&ctx, nullptr, 0, &in[i], &out[i]);
    }
    for (int i : {1, 0}) {
      pmrt_wait(&ctx, nullptr, 0, pending[i]);
      EXPECT_EQ(got[i], wanted[i]);
    }
    EXPECT_TRUE(ctx.pending.empty());
  });
}

TEST(Reshard, OnlyWhatMovesIsSent) {
  // Of n x n cells on p ranks, a transpose sends all but the diagonal blocks;
  // what is on the other axis stays.
  Dims dims;
  const int32_t x = dims.dim(12, {"row"}), whole = dims.dim(12, {}),
                onCol = dims.dim(6, {"col"});
  onRanks({3, 2}, dims.program, {}, [&](pmrt_context &ctx) {
    std::vector<float> data(12 * 12 * 6), out(12 * 12 * 6);
    const pmrt_array a = arrayOver(data.data(), PMRT_F32, {x, whole, onCol});
    const pmrt_array b = arrayOver(out.data(), PMRT_F32, {whole, x, onCol});
    const pmrt_array all =
        arrayOver(out.data(), PMRT_F32, {whole, whole, onCol});
    pmrt_reshard(&ctx, nullptr, 0, &a, &b);
    EXPECT_EQ(ctx.transport->sentBytes, 4 * 8 * 3 * 4);
    EXPECT_EQ(ctx.transport->sentMessages, 2);
    ctx.transport->sentBytes = 0;
    pmrt_reshard(&ctx, nullptr, 0, &all, &a); // a slice of what is here
    EXPECT_EQ(ctx.transport->sentBytes, 0);
  });
}

TEST(Reshard, DifferentFieldsAreInternalErrors) {
  Dims dims;
  const int32_t x = dims.dim(6, {"row"}), y = dims.dim(7, {});
  EXPECT_CONTAINS(messageOf([&] {
                    onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
                      std::vector<float> a(7), b(7);
                      const pmrt_array in = arrayOver(a.data(), PMRT_F32, {x});
                      const pmrt_array out = arrayOver(b.data(), PMRT_F32, {y});
                      pmrt_reshard(&ctx, nullptr, 0, &in, &out);
                    });
                  }),
                  "reshard 6 of f32 to 7 of f32");
}

/// After an error exchanges are still under way. They look at the fields'
/// memory when they are given up.
TEST(Reshard, WhatIsUnderWayEndsBeforeTheMemory) {
  struct Reading : Exchange {
    explicit Reading(const char *memory) : memory(memory) {}
    ~Reading() override { EXPECT_EQ(*memory, 7); }
    void wait() override {}
    const volatile char *memory;
  };
  Descriptor program;
  program.buffers.push_back({PMRT_F32, {0}, 0, 1, "f"});
  auto context = makeContext({1 << 20}, 1, {}, program);
  auto *memory = static_cast<char *>(context->buffer(0));
  *memory = 7;
  context->pending.push_back(std::make_shared<pmrt_pending>());
  context->pending.back()->exchange = std::make_unique<Reading>(memory);
  context.reset();
}
