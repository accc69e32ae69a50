//===- StepBoundTest.cpp - What a step takes at least ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/StepBound.h"
#include "test/runtime/Ranks.h"
#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

static constexpr double MiB = 1 << 20;

TEST(StepBound, IsWhatStandsInTheDescriptor) {
  const Descriptor d = Descriptor::parse(R"({"name": "p",
    "params": [{"name": "a", "type": "int", "default": 1}],
    "dims": [{"name": "x", "extent": 4}, {"name": "y", "extent": 4}],
    "loops": [
    {"location": 7, "steps": {"mul": [3, 5]},
     "moves": [{"dims": [1, 0], "bytes": 12, "times": {"param": 0}}]},
    {"location": 9, "moves": []}]})");
  ASSERT_EQ(d.loops.size(), 2U);
  EXPECT_EQ(d.loops[0].location, 7);
  ASSERT_TRUE(d.loops[0].steps);
  EXPECT_EQ(d.loops[0].steps->kind, Count::Kind::Mul);
  ASSERT_EQ(d.loops[0].moves.size(), 1U);
  EXPECT_EQ(d.loops[0].moves[0].dims, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(d.loops[0].moves[0].bytes, 12);
  EXPECT_EQ(d.loops[0].moves[0].times.kind, Count::Kind::Param);
  EXPECT_FALSE(d.loops[1].steps);
}

/// A loop whose step goes three times through the dim, `bytes` a cell.
static LoopMoves threeTimes(int32_t dim, int64_t bytes) {
  LoopMoves loop;
  loop.moves = {{{dim}, bytes, {Count::Kind::Constant, 3, {}}}};
  return loop;
}

TEST(StepBound, CountsWhatIsBeyondCaches) {
  Dims dims;
  const int32_t n = dims.dim(16 << 20, {"row"});
  onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
    // 64 MiB on each of two ranks; sweeps are over 8 or 32 of these.
    const StepBound bound = boundStep(ctx, threeTimes(n, 8));
    EXPECT_TRUE(bound.bytes == 2 * 3 * (64 - 8) * MiB ||
                bound.bytes == 2 * 3 * (64 - 32) * MiB)
        << bound.bytes;
    EXPECT_GT(bound.rate, 0);
    EXPECT_DOUBLE_EQ(bound.seconds, bound.bytes / (2 * bound.rate));
  });
}

TEST(StepBound, KnowsNothingOfWhatFitsCaches) {
  Dims dims;
  const int32_t n = dims.dim(16 << 20, {"row"});
  onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
    EXPECT_EQ(boundStep(ctx, threeTimes(n, 1)).seconds, 0);
    EXPECT_EQ(boundStep(ctx, LoopMoves()).seconds, 0);
  });
}

TEST(StepBound, OfSeveralLoopsAtAPlaceTheFastest) {
  Dims dims;
  const int32_t n = dims.dim(16 << 20, {"row"});
  dims.program.loops = {threeTimes(n, 8), threeTimes(n, 1), threeTimes(n, 8)};
  dims.program.loops[0].location = dims.program.loops[1].location = 4;
  dims.program.loops[2].location = 5;
  onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
    EXPECT_EQ(boundStep(ctx, 4).seconds, 0);
    EXPECT_GT(boundStep(ctx, 5).seconds, 0);
    EXPECT_EQ(boundStep(ctx, 6).seconds, 0);
  });
}
