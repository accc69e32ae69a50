//===- ProgressTest.cpp - The progress bar --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Progress.h"
#include "test/runtime/Support.h"

#include <unistd.h>

using namespace pmrt;
using namespace pmrt::test;

TEST(Progress, FractionCountsNestedLoops) {
  Progress progress;
  EXPECT_EQ(progress.fraction(), 0);
  progress.begin(0, 4);
  progress.step(1);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.25);
  progress.begin(1, 2);
  progress.step(1);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.375);
  progress.end();
  progress.begin(1, 0); // no count: adds nothing
  progress.step(100);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.25);
  progress.end();
  progress.end();
  progress.end(); // one too many does no harm
  EXPECT_TRUE(progress.loops().empty());
}

TEST(Progress, CountsStepsAndNotWhatPreparesThem) {
  Progress progress;
  progress.begin(0, 10);
  progress.step(-1);
  EXPECT_EQ(progress.loops()[0].step, 0);
  EXPECT_EQ(progress.fraction(), 0);
  progress.step(5);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.5);
}

TEST(Progress, StepsThatAreSkippedAreNotDone) {
  Progress progress;
  std::vector<std::pair<int64_t, double>> seen;
  progress.whenStepped = [&] {
    seen.emplace_back(progress.loops()[0].step, progress.fraction());
  };
  progress.begin(0, 10);
  progress.step(0);
  progress.step(1);
  for (int skipped = 0; skipped < 8; ++skipped)
    progress.skip();
  progress.end();
  // The loop is over after two of ten steps.
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[2].first, 2);
  EXPECT_EQ(seen[2].second, 1);
}

TEST(Progress, TellsThatACallOfALibraryTakesLong) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  std::string text;
  {
    Progress progress;
    progress.setMode(ProgressMode::Always, /*quiet=*/false);
    const Waiting waiting(progress, "planning FFTs");
    // Until it has been told: this takes as long as it must.
    for (char c = 0; c != '\n' && read(ends[0], &c, 1) == 1;)
      text += c;
  }
  {
    Progress silent;
    silent.setMode(ProgressMode::Never, /*quiet=*/true);
    const Waiting waiting(silent, "planning FFTs");
  }
  dup2(before, STDERR_FILENO);
  for (int file : {before, ends[0], ends[1]})
    close(file);
  EXPECT_EQ(text.rfind("planning FFTs, ", 0), 0u) << text;
  EXPECT_NE(text.find(" so far"), std::string::npos) << text;
}

TEST(Progress, BarTellsTheTimeLeft) {
  Loop loop;
  loop.count = 10;
  loop.step = 5;
  EXPECT_EQ(Progress::bar(0.5, loop, 30, 10),
            "[=====>    ]  50%  5/10 iterations  30.0 s, 30.0 s left");
  loop.step = 10;
  EXPECT_EQ(Progress::bar(1, loop, 30, 10),
            "[==========] 100%  10/10 iterations  30.0 s");
  loop.count = 0;
  loop.step = 2;
  EXPECT_EQ(Progress::bar(0, loop, 30, 10), "iteration 3, 30.0 s so far");
}
