//===- ThreadsTest.cpp - Jobs on several threads --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pmrt;

TEST(Threads, EveryJobRunsOnce) {
  Threads threads(3);
  for (int64_t jobs : {0, 1, 2, 3, 7, 100}) {
    std::vector<std::atomic<int>> runs(static_cast<size_t>(jobs));
    threads.team(jobs, [&](int64_t job) { ++runs[size_t(job)]; });
    for (const std::atomic<int> &count : runs)
      EXPECT_EQ(count, 1);
  }
}

/// The message of what `work` throws.
template <typename Work> static std::string failure(const Work &work) {
  try {
    work();
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "nothing";
}

TEST(Threads, AnExceptionOfAnyJobReachesTheCaller) {
  Threads threads(3);
  for (int64_t bad : {0, 1, 2})
    EXPECT_EQ(failure([&] {
                threads.team(3, [&](int64_t job) {
                  if (job == bad)
                    throw std::runtime_error("job " + std::to_string(job));
                });
              }),
              "job " + std::to_string(bad));
  EXPECT_EQ(failure([&] {
              threads.run([&] {
                Threads::spread(
                    4, [](int) { throw std::runtime_error("spread"); });
              });
            }),
            "spread");
  EXPECT_EQ(
      failure([&] { threads.run([] { throw std::runtime_error("run"); }); }),
      "run");
  // The next jobs run as if nothing had happened.
  std::atomic<int> runs = 0;
  threads.team(3, [&](int64_t) { ++runs; });
  EXPECT_EQ(runs, 3);
}

TEST(Threads, JobsAfterAFailureAreSkipped) {
  Threads threads(1);
  std::atomic<int> runs = 0;
  EXPECT_EQ(failure([&] {
              threads.team(1000, [&](int64_t) {
                ++runs;
                throw std::runtime_error("first");
              });
            }),
            "first");
  EXPECT_EQ(runs, 1);
}
