//===- ProgressTest.cpp - The progress bar --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Progress.h"
#include "test/runtime/Support.h"

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

TEST(Progress, BarTellsTheTimeLeft) {
  Loop loop;
  loop.count = 10;
  loop.step = 5;
  EXPECT_EQ(Progress::bar(0.5, loop, 30, 10),
            "[=====>    ]  50%  5/10  30.0 s, 30.0 s left");
  loop.step = 10;
  EXPECT_EQ(Progress::bar(1, loop, 30, 10), "[==========] 100%  10/10  30.0 s");
  loop.count = 0;
  loop.step = 2;
  EXPECT_EQ(Progress::bar(0, loop, 30, 10), "step 3, 30.0 s so far");
}
