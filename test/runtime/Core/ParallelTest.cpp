//===- ParallelTest.cpp - Loops and reductions ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Reduce.h"
#include "test/runtime/Support.h"

#include "pmrt/particles.h"

#include <atomic>
#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

TEST(Parallel, ForCoversEveryRowOnce) {
  for (int threads : {1, 2, 5})
    for (int64_t count : {0, 1, 2, 3, 100, 1001}) {
      auto context = makeContext({}, threads);
      std::vector<int> seen(size_t(count), 0);
      pmrt_parallel_for(
          context.get(), nullptr, 0, "count",
          [](void *args, int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
              ++(*static_cast<std::vector<int> *>(args))[size_t(i)];
          },
          &seen, count, 1 << 20);
      EXPECT_EQ(seen, std::vector<int>(size_t(count), 1));
    }
}

namespace {

/// Elements with cell blocks; where each of them came in the list of its
/// thread.
struct Listed {
  std::vector<int32_t> cellBlock;
  std::vector<int> seen;
  std::atomic<bool> inOrder = true;
};

} // namespace

TEST(Parallel, ListsFollowTheCellBlocks) {
  const pmrt_list_bodies bodies = {
      [](void *args, int64_t begin, int64_t end, int32_t *cellBlock) {
        const auto &all = *static_cast<Listed *>(args);
        for (int64_t i = begin; i < end; ++i)
          cellBlock[i] = all.cellBlock[size_t(i)];
      },
      [](void *args, const int64_t *elements, int64_t count) {
        auto &all = *static_cast<Listed *>(args);
        for (int64_t i = 0; i < count; ++i) {
          ++all.seen[size_t(elements[i])];
          const auto key = [&](int64_t place) {
            return std::pair(all.cellBlock[size_t(elements[place])],
                             elements[place]);
          };
          if (i > 0 && !(key(i - 1) < key(i)))
            all.inOrder = false;
        }
      }};
  for (int threads : {1, 2, 5})
    for (int64_t most : {1, 2048, 1 << 22}) // digits: none, one, two
      for (int64_t count : {0, 1, 100, 5000, (1 << 21) + 5000}) {
        if (count > 5000 && (threads != 2 || most != 2048))
          continue;
        SCOPED_TRACE(count);
        auto context = makeContext({}, threads);
        Listed all;
        all.seen.resize(size_t(count));
        for (int64_t i = 0; i < count; ++i)
          all.cellBlock.push_back(int32_t((i * 7919 * 7919) % most));
        pmrt_parallel_list(context.get(), nullptr, 0, "list", &bodies, &all,
                           count, 8);
        EXPECT_EQ(all.seen, std::vector<int>(size_t(count), 1));
        // Few elements are not sorted.
        EXPECT_TRUE(all.inOrder || count == 100);
      }
}

TEST(Parallel, ExceptionsReachTheCaller) {
  auto context = makeContext({}, 2);
  const std::string text = messageOf([&] {
    pmrt_parallel_for(
        context.get(), nullptr, 0, "throw",
        [](void *, int64_t begin, int64_t) {
          if (begin > 0)
            throw std::runtime_error("from a worker");
        },
        nullptr, 100, 1 << 20);
  });
  EXPECT_EQ(text, "from a worker");
}

TEST(Parallel, SumsDoNotDependOnThreads) {
  std::vector<double> values(100003);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(double(i)) * std::exp(double(i % 37));
  std::vector<double> results;
  for (int threads : {1, 2, 3, 8}) {
    auto context = makeContext({}, threads);
    double out[2];
    pmrt_parallel_reduce(
        context.get(), nullptr, 0, "sum",
        [](void *args, int64_t begin, int64_t end, double *partial) {
          const auto &v = *static_cast<std::vector<double> *>(args);
          for (int64_t i = begin; i < end; ++i) {
            partial[0] += v[size_t(i)];
            partial[1] += 1;
          }
        },
        &values, int64_t(values.size()), 8, 2, PMRT_SUM, out);
    results.push_back(out[0]);
    EXPECT_EQ(out[1], double(values.size()));
  }
  for (double result : results)
    EXPECT_EQ(result, results[0]); // bit for bit
}

TEST(Parallel, SmallSumsHaveTheBitsOfLargeOnes) {
  std::vector<double> values(301);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(double(i)) * std::exp(double(i % 37));
  // A row of 1 byte makes a loop small, and one of 1 MiB makes it large.
  for (int64_t width : {1, 2, 40})
    for (int64_t count : {1, 7, 128, 301}) {
      std::vector<std::vector<double>> results;
      for (int threads : {1, 3})
        for (int64_t rowBytes : {1, 1 << 20}) {
          auto context = makeContext({}, threads);
          struct Args {
            const double *values;
            int64_t width;
          } args{values.data(), width};
          std::vector<double> out(size_t(width), 7.0);
          pmrt_parallel_reduce(
              context.get(), nullptr, 0, "sum",
              [](void *args, int64_t begin, int64_t end, double *partial) {
                const auto &a = *static_cast<Args *>(args);
                for (int64_t i = begin; i < end; ++i)
                  for (int64_t j = 0; j < a.width; ++j)
                    partial[j] += a.values[i] * double(j + 1);
              },
              &args, count, rowBytes, width, PMRT_SUM, out.data());
          results.push_back(out);
        }
      for (const auto &result : results)
        EXPECT_EQ(result, results[0]); // bit for bit
      double expected = 0;
      for (int64_t i = 0; i < count; ++i)
        expected += values[size_t(i)];
      EXPECT_NEAR(results[0][0], expected, 1e-9 * std::abs(expected) + 1e-9);
    }
}

TEST(Parallel, MinAndMax) {
  auto context = makeContext({}, 2);
  auto body = [](void *, int64_t begin, int64_t end, double *partial) {
    for (int64_t i = begin; i < end; ++i) {
      const double value = double((i * 7919) % 1000);
      if (!(partial[0] <= value))
        partial[0] = value;
    }
  };
  double out = 0;
  pmrt_parallel_reduce(context.get(), nullptr, 0, "min", body, nullptr, 1000, 8,
                       1, PMRT_MIN, &out);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(combine(PMRT_MAX, 1, 2), 2);
  EXPECT_TRUE(std::isnan(combine(PMRT_MAX, 1, NAN)));
  EXPECT_TRUE(std::isnan(combine(PMRT_MIN, NAN, 1)));
}

TEST(Parallel, EmptyReductionsAreNeutral) {
  auto context = makeContext({}, 2);
  double out = 7;
  pmrt_parallel_reduce(context.get(), nullptr, 0, "sum", nullptr, nullptr, 0, 8,
                       1, PMRT_SUM, &out);
  EXPECT_EQ(out, 0);
  pmrt_parallel_reduce(context.get(), nullptr, 0, "min", nullptr, nullptr, 0, 8,
                       1, PMRT_MIN, &out);
  EXPECT_EQ(out, INFINITY);
}

TEST(Parallel, WideReductionsStayAffordable) {
  EXPECT_EQ(reductionChunks(1000, 1 << 21), 1);
  EXPECT_EQ(reductionChunks(1000, 8), 128);
  EXPECT_EQ(reductionChunks(3, 8), 3);
}

TEST(Parallel, ZeroAndCopy) {
  auto context = makeContext({33, 77}, 3);
  std::vector<float> a(33 * 77), b(a.size(), 1.0f);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = float(i);
  const pmrt_array from = array(a, PMRT_F32, 0, 2),
                   to = array(b, PMRT_F32, 0, 2);
  pmrt_copy(context.get(), nullptr, 0, &from, &to);
  EXPECT_EQ(a, b);
  pmrt_zero(context.get(), nullptr, 0, &to);
  EXPECT_EQ(b, std::vector<float>(a.size(), 0.0f));
  pmrt_array other = to;
  other.element = PMRT_F64;
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_copy(context.get(), nullptr, 0, &from, &other); }),
      "internal error");
}

TEST(Parallel, DeviceArraysAreRefused) {
  auto context = makeContext({4}, 1);
  std::vector<float> a(4);
  pmrt_array device = array(a, PMRT_F32, 0, 1);
  device.space = PMRT_DEVICE;
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_zero(context.get(), nullptr, 0, &device); }),
      "device memory");
}

// For programs that are compiled to stop there (--sanitize=address).
TEST(Parallel, UndefinedBehaviorNamesItsPlace) {
  try {
    pmrt_undefined("l.pm:3:4", "a division by zero");
    FAIL();
  } catch (const Error &e) {
    EXPECT_STREQ(e.what(), "undefined behavior: a division by zero [PM9102]");
    EXPECT_EQ(e.location(), "l.pm:3:4");
    EXPECT_EQ(e.exit(), Exit::Failure);
  }
}

TEST(Parallel, ErrorsTellTheLoopStep) {
  auto context = makeContext({}, 1);
  pmrt_context *ctx = context.get();
  pmrt_loop_begin(ctx, 0, 10);
  pmrt_loop_step(ctx, 0, 2);
  pmrt_loop_begin(ctx, 1, 4);
  pmrt_loop_step(ctx, 1, 3);
  try {
    const double value = 1.5;
    pmrt_assert(ctx, 1, 0, "a = {}", 1, &value);
    FAIL();
  } catch (const Error &e) {
    EXPECT_STREQ(e.what(), "a = 1.5 (in step 4 of 4) [PM9101]");
    EXPECT_EQ(e.location(), "l.pm:2:2");
    EXPECT_EQ(e.exit(), Exit::Failure);
    ASSERT_EQ(e.notes().size(), 2u);
    EXPECT_EQ(e.notes()[1].location, "l.pm:1:1");
    EXPECT_EQ(e.notes()[1].message, "in step 3 of 10 of this loop");
  }
  pmrt_loop_end(ctx, 1);
  pmrt_loop_end(ctx, 0);
  EXPECT_STREQ(ctx->failure(0, "x").what(), "x [PM9109]");
}

TEST(Parallel, WarningsOfOnePlaceAreToldOnce) {
  auto context = makeContext({}, 1);
  pmrt_context *ctx = context.get();
  ctx->progress.setMode(ProgressMode::Never, /*quiet=*/false);
  const auto said = [&](pmrt_loc loc, int condition, double value,
                        bool own = false) {
    testing::internal::CaptureStderr();
    (own ? pmrt_warn_own : pmrt_warn)(ctx, loc, condition, "a = {}", 1, &value);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said(1, 1, 0.5), "");
  EXPECT_EQ(said(1, 0, 1.5), "l.pm:2:2: warning: a = 1.5 [PM9201]\n");
  EXPECT_EQ(said(1, 0, 2.5), "");
  EXPECT_EQ(said(0, 0, 2.5, /*own=*/true),
            "l.pm:1:1: warning: a = 2.5 [PM9201]\n");
  EXPECT_EQ(said(0, 0, 2.5, /*own=*/true), "");
  EXPECT_EQ(ctx->progress.warnings().size(), 2u); // for the report
}
