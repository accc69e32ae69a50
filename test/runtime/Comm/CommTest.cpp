//===- CommTest.cpp - Messages, groups, ranks that fail -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Memory/Arena.h"
#include "test/runtime/Ranks.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

using namespace pmrt;
using namespace pmrt::test;

TEST(Region, PiecesOfAnyLengthPackAndUnpack) {
  std::vector<float> field(6 * 7 * 8);
  std::iota(field.begin(), field.end(), 0.0f);
  const Box whole{{{0, 6}, {0, 7}, {0, 8}}};
  for (const Box &box :
       {Box{{{1, 3}, {2, 4}, {3, 2}}}, Box{{{0, 6}, {3, 2}, {0, 8}}},
        Box{{{2, 1}, {0, 7}, {0, 8}}}, Box{{{5, 1}, {6, 1}, {7, 1}}}}) {
    const Region region = regionOf(field.data(), 4, whole, box).merged(true);
    std::vector<float> want;
    for (int64_t x = 0; x < box.sides[0].extent; ++x)
      for (int64_t y = 0; y < box.sides[1].extent; ++y)
        for (int64_t z = 0; z < box.sides[2].extent; ++z)
          want.push_back(field[size_t(
              ((x + box.sides[0].offset) * 7 + y + box.sides[1].offset) * 8 +
              z + box.sides[2].offset)]);
    const int64_t bytes = region.bytes();
    ASSERT_EQ(bytes, int64_t(4 * want.size()));
    for (int64_t piece : {4, 12, 20, 64, 4096}) {
      std::vector<float> got(want.size()), copy(field.size(), -1);
      const Region target = regionOf(copy.data(), 4, whole, box).merged(true);
      for (int64_t begin = 0; begin < bytes; begin += piece) {
        const int64_t end = std::min(bytes, begin + piece);
        auto *buffer = reinterpret_cast<char *>(got.data()) + begin;
        pack(region, begin, end, buffer);
        unpack(target, begin, end, buffer, Combine::Replace, PMRT_F32);
      }
      EXPECT_EQ(got, want);
      for (size_t i = 0; i < copy.size(); ++i)
        EXPECT_TRUE(copy[i] == field[i] || copy[i] == -1);
      EXPECT_EQ(std::count(copy.begin(), copy.end(), -1.0f),
                int64_t(copy.size() - want.size()));
    }
  }
}

TEST(Group, BroadcastsAndGathersOfAnySize) {
  for (int64_t ranks : {1, 2, 3, 5, 8})
    onRanks({ranks}, {}, {}, [&](pmrt_context &ctx) {
      for (int root = 0; root < int(ranks); ++root) {
        const std::string mine =
            ctx.mesh.rank() == root ? fmt::format("from {}", root) : "other";
        EXPECT_EQ(ctx.world.broadcast(mine, root),
                  fmt::format("from {}", root));
      }
      const auto all = ctx.world.gather(10 * ctx.mesh.rank());
      for (int64_t r = 0; r < ranks; ++r)
        EXPECT_EQ(all[size_t(r)], 10 * r);
      // Some have nothing to tell.
      const auto texts = ctx.world.gather(
          std::string(size_t(ctx.mesh.rank() % 3 * 1000), 'a'));
      ASSERT_EQ(texts.size(), ctx.mesh.rank() == 0 ? size_t(ranks) : 0);
      for (size_t r = 0; r < texts.size(); ++r)
        EXPECT_EQ(texts[r], std::string(r % 3 * 1000, 'a'));
    });
}

TEST(Group, OneForEverySetOfAxes) {
  onRanks({3, 2}, {}, {}, [&](pmrt_context &ctx) {
    const int row = int(ctx.mesh.rank() / 2), col = int(ctx.mesh.rank() % 2);
    EXPECT_EQ(ctx.group(1).ranks(), (std::vector<int>{col, 2 + col, 4 + col}));
    EXPECT_EQ(ctx.group(2).ranks(), (std::vector<int>{2 * row, 2 * row + 1}));
    EXPECT_EQ(ctx.group(3).size(), 6);
    EXPECT_EQ(ctx.group(0).ranks(), std::vector<int>{int(ctx.mesh.rank())});
    EXPECT_EQ(ctx.group(1).index(), row);
  });
}

TEST(Faults, ARankThatThrowsStopsTheOthers) {
  const auto start = Clock::now();
  const std::string text = messageOf([&] {
    onRanks({4}, {}, {}, [&](pmrt_context &ctx) {
      if (ctx.mesh.rank() == 2)
        throw std::runtime_error("the disk is gone");
      ctx.world.barrier();
      FAIL() << "the barrier was passed";
    });
  });
  EXPECT_EQ(text, "the disk is gone");
  EXPECT_LT(secondsSince(start), 5);
}

TEST(Faults, ARankThatDoesNotComeIsNamed) {
  const std::string text = messageOf([&] {
    onRanks({3}, {}, {}, [&](pmrt_context &ctx) {
      ctx.transport->watch->end = 0.3;
      ctx.transport->watch->activity = "reshard";
      std::vector<char> bytes(8);
      Messages all;
      if (ctx.mesh.rank() == 0)
        for (int peer : {1, 2})
          all.receives.push_back({peer, Region::flat(bytes.data(), 8)});
      else if (ctx.mesh.rank() == 1)
        all.sends.push_back({0, Region::flat(bytes.data(), 8)});
      else
        while (true) { // hangs, until it looks up
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          ctx.transport->poll();
        }
      ctx.transport->start(ctx.threads, nullptr, std::move(all))->wait();
      ctx.world.barrier();
    });
  });
  EXPECT_CONTAINS(text, "'reshard' has not completed");
  EXPECT_CONTAINS(text, "rank 2 did not reach it, ranks 0, 1 wait");
}

TEST(Faults, AgreementNamesTheFirstRank) {
  const std::string text = messageOf([&] {
    onRanks({4}, {}, {}, [&](pmrt_context &ctx) {
      const int64_t rank = ctx.mesh.rank();
      ctx.agree(-1, "");
      ctx.agree(-1, rank == 1 || rank == 3 ? fmt::format("no {}", rank) : "");
    });
  });
  EXPECT_EQ(text, "rank 1: no 1 [PM9109]");
  EXPECT_EQ(messageOf([&] {
              onRanks({2}, {}, {},
                      [&](pmrt_context &ctx) { ctx.agree(-1, "all alike"); });
            }),
            "all alike [PM9109]");
}

TEST(Faults, MessagesThatDoNotFitAreInternalErrors) {
  EXPECT_CONTAINS(
      messageOf([&] {
        onRanks({2}, {}, {}, [&](pmrt_context &ctx) {
          std::vector<char> bytes(8);
          Messages all;
          const int64_t length = ctx.mesh.rank() == 0 ? 8 : 4;
          const int peer = ctx.mesh.rank() == 0;
          auto &list = peer ? all.sends : all.receives;
          list.push_back({peer, Region::flat(bytes.data(), length)});
          ctx.transport->start(ctx.threads, nullptr, std::move(all))->wait();
        });
      }),
      "ranks 0 and 1 do not make the same call: rank 0 sends 8 bytes in '', "
      "rank 1 receives 4 in ''");
}

/// Of `most` messages of so many bytes, how many the first rank can send before
/// the other one looks for any; that does so when it hears of `expected`, or
/// after half a minute.
static int sendAhead(int64_t bytes, int most, int expected) {
  std::atomic<int> sent = 0;
  int ahead = 0;
  onRanks({2}, {}, {}, [&](pmrt_context &ctx) {
    const bool sends = ctx.mesh.rank() == 0;
    std::vector<char> data(static_cast<size_t>(bytes));
    auto exchange = [&] {
      Messages one;
      (sends ? one.sends : one.receives)
          .push_back({sends, Region::flat(data.data(), bytes)});
      ctx.transport->start(ctx.threads, nullptr, std::move(one))->wait();
    };
    if (!sends) { // a busy machine may take its time
      for (int i = 0; i < 3000 && sent < expected; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      ahead = sent;
    }
    for (int i = 0; i < most; ++i) {
      const std::string text(size_t(bytes), char('a' + i % 26));
      if (sends)
        std::copy(text.begin(), text.end(), data.begin());
      exchange();
      if (sends)
        ++sent;
      else
        EXPECT_EQ(std::string(data.begin(), data.end()), text);
    }
  });
  return ahead;
}

TEST(Threads, SendersOfSmallMessagesGoOn) {
  EXPECT_EQ(sendAhead(8, 5, 5), 5);
  EXPECT_EQ(sendAhead(4096, 5, 5), 5);
  EXPECT_EQ(sendAhead(0, 3, 3), 3);
  // What is large, or the 65th, waits for its receiver.
  EXPECT_EQ(sendAhead(4097, 5, 0), 0);
  EXPECT_EQ(sendAhead(8, 100, 64), 64);
}

TEST(Memory, WhatGrowsReplacesWhatWasTooSmall) {
  onRanks({2}, {}, {}, [&](pmrt_context &ctx) {
    for (int64_t bytes = 100000; bytes < 200000; bytes += 10000) {
      Pages one = ctx.borrow(-1, bytes, "a test");
      Pages other = ctx.borrow(-1, bytes + 1, "a test");
      EXPECT_EQ(ctx.borrowedBytes(), one.size() + other.size());
      ctx.giveBack(std::move(one));
      ctx.giveBack(std::move(other));
    }
  });
}

TEST(Memory, RanksOfAMachineShareIt) {
  for (int64_t ranks : {1, 2, 3})
    onRanks({ranks}, {}, {}, [&](pmrt_context &ctx) {
      EXPECT_EQ(ctx.transport->localSize(), ranks);
      EXPECT_EQ(ctx.transport->localRank(), ctx.transport->rank());
      EXPECT_EQ(ctx.device->budget(), physicalMemory() / ranks);
    });
}

TEST(Memory, BorrowedPagesAreKeptAndRefusedByAll) {
  Settings settings;
  settings.memoryLimit = 1 << 20;
  const std::string text = messageOf([&] {
    onRanks({2}, {}, settings, [&](pmrt_context &ctx) {
      Pages pages = ctx.borrow(-1, 300000, "a test");
      char *first = pages.data();
      ctx.giveBack(std::move(pages));
      pages = ctx.borrow(-1, 200000, "a test");
      EXPECT_EQ(pages.data(), first);
      // One rank needs too much; all are told.
      ctx.borrow(-1, ctx.mesh.rank() ? 1000 : 900000, "a wide halo");
    });
  });
  EXPECT_CONTAINS(text, "a wide halo needs 878.9 KiB of memory a rank, 1.1 MiB "
                        "with the fields, more than the 1.0 MiB of "
                        "--memory-limit");
}
