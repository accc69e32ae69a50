//===- RecorderTest.cpp - What a rank did last ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Recorder.h"

#include <array>
#include <gmock/gmock.h>

using namespace pmrt;
using testing::ContainsRegex;
using testing::Not;

static std::string describe(const Recorder &recorder, size_t room = 2048) {
  std::string text(room, '?');
  text.resize(recorder.describe(text.data(), room));
  return text;
}

static const std::vector<std::string> places = {"a.pm:1:1", "a.pm:2:1"};

TEST(Recorder, TellsWhatRunsAndWhatWasBefore) {
  Recorder recorder(3, places);
  EXPECT_EQ(describe(recorder), "rank 3: has not begun");
  recorder.leave(recorder.enter("paint", 0));
  EXPECT_THAT(
      describe(recorder),
      ContainsRegex("^rank 3: between calls for .* s; before that 'paint' "
                    "\\(a.pm:1:1\\) for .* s$"));
  recorder.step(6);
  const uint64_t outer = recorder.enter("fft", 1);
  recorder.enter("reshard", -1);
  EXPECT_THAT(describe(recorder),
              ContainsRegex("^rank 3: in 'reshard' for .* s, within 'fft' "
                            "\\(a.pm:2:1\\) for .* s, step 7; before that "
                            "'paint'"));
  recorder.leave(outer);
  EXPECT_THAT(describe(recorder), Not(ContainsRegex("within")));
}

TEST(Recorder, KeepsTheLastCallsOnly) {
  Recorder recorder(0, places);
  for (int i = 0; i < 100; ++i)
    recorder.leave(recorder.enter(i < 90 ? "early" : "late", 0));
  const std::string text = describe(recorder);
  EXPECT_THAT(text, Not(ContainsRegex("early")));
  EXPECT_THAT(text, ContainsRegex("late.*late.*late.*late.*late"));
  // Of a buffer that is too small as much as there is room for.
  EXPECT_EQ(describe(recorder, 20), text.substr(0, 20));
}

TEST(Recorder, KnowsAllRanksOfTheProcess) {
  Recorder one(1, places);
  {
    Recorder two(2, places);
    EXPECT_THAT(
        Recorder::describeAll(),
        ContainsRegex("rank 1: has not begun\nrank 2: has not begun\n"));
  }
  EXPECT_THAT(Recorder::describeAll(), Not(ContainsRegex("rank 2")));
}
