//===- ArenaTest.cpp - The memory plan ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

void expectSound(const std::vector<Lifetime> &buffers, const Placement &plan) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_GE(plan.offsets[i], 0);
    EXPECT_EQ(plan.offsets[i] % Placement::alignment, 0);
    EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.total);
    for (size_t j = 0; j < i; ++j) {
      const bool together = buffers[i].start <= buffers[j].end &&
                            buffers[j].start <= buffers[i].end;
      const bool apart =
          plan.offsets[i] + buffers[i].bytes <= plan.offsets[j] ||
          plan.offsets[j] + buffers[j].bytes <= plan.offsets[i];
      EXPECT_TRUE(!together || apart) << "buffers " << i << " and " << j;
    }
  }
  EXPECT_GE(plan.total, plan.lowerBound);
}

} // namespace

TEST(Arena, ReusesMemoryOfDeadBuffers) {
  const std::vector<Lifetime> buffers = {{1000, 0, 1}, {1000, 2, 3}};
  const Placement plan = place(buffers);
  expectSound(buffers, plan);
  EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
  EXPECT_EQ(plan.total, 1024);
}

TEST(Arena, LifetimesIncludeBothEnds) {
  const std::vector<Lifetime> buffers = {{64, 0, 2}, {64, 2, 3}};
  const Placement plan = place(buffers);
  expectSound(buffers, plan);
  EXPECT_EQ(plan.total, 128);
}

TEST(Arena, RandomPlansNeverOverlap) {
  uint64_t state = 1;
  auto random = [&](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int64_t((state >> 33) % uint64_t(below));
  };
  double waste = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> buffers;
    for (int64_t i = random(40); i >= 0; --i) {
      const int64_t start = random(30);
      buffers.push_back({random(10) ? random(5000) : random(1 << 22), start,
                         start + random(12)});
    }
    const Placement plan = place(buffers);
    expectSound(buffers, plan);
    waste += double(plan.total) / double(std::max<int64_t>(plan.lowerBound, 1));
  }
  EXPECT_LT(waste / 200, 1.1); // on average near the lower bound
}

TEST(Arena, LargeBuffersStartInDifferentCacheSets) {
  const int64_t size = 1 << 22;
  const Placement plan = place({{size, 0, 9}, {size, 0, 9}, {size, 0, 9}});
  EXPECT_NE(plan.offsets[0] % 4096, plan.offsets[1] % 4096);
  EXPECT_NE(plan.offsets[1] % 4096, plan.offsets[2] % 4096);
}

TEST(Arena, NothingToPlace) {
  EXPECT_EQ(place({}).total, 0);
  EXPECT_GE(place({{0, 0, 0}}).total, 0);
}

TEST(Arena, PagesAreZeroAndWritable) {
  for (int64_t size : {int64_t(1), int64_t(5000), int64_t(5) << 20}) {
    Pages pages(size);
    ASSERT_NE(pages.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pages.data()) % 64, 0u);
    EXPECT_EQ(pages.data()[0], 0);
    EXPECT_EQ(pages.data()[size - 1], 0);
    std::fill_n(pages.data(), size, 'x');
  }
}

TEST(Arena, ContextPlacesBuffersOfTheDescriptor) {
  Descriptor d;
  d.dims = {{"x", 10, 1, DimKind::Space, {}}, {"kx", 10, 1, DimKind::Half, {}}};
  d.buffers = {{PMRT_F32, {0, 0}, 0, 1, "a"}, {PMRT_C64, {0, 1}, 1, 2, "b"}};
  auto context = makeContext({}, 1, {}, d);
  EXPECT_EQ(context->bufferBytes(), (std::vector<int64_t>{400, 480}));
  auto *a = static_cast<char *>(pmrt_buffer(context.get(), 0));
  auto *b = static_cast<char *>(pmrt_buffer(context.get(), 1));
  EXPECT_TRUE(a + 400 <= b || b + 480 <= a);
}

TEST(Arena, LimitIsNamed) {
  Descriptor d;
  d.dims = {{"x", 1024, 1, DimKind::Space, {}}};
  d.buffers = {{PMRT_F64, {0, 0}, 0, 1, "a"}};
  Settings settings;
  settings.memoryLimit = 1 << 20;
  auto context = makeContext({}, 1, settings, d);
  const std::string text = messageOf([&] { context->placement(); });
  EXPECT_CONTAINS(text, "8.0 MiB");
  EXPECT_CONTAINS(text, "1.0 MiB of --memory-limit");
}
