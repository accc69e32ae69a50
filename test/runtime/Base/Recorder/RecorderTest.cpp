//===- RecorderTest.cpp - What a rank did last ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder/Recorder.h"
#include "runtime/Base/Files/LibraryReading.h"

#include <csignal>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmrt;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

static const std::vector<std::string> places = {"a.pm:1:1", "a.pm:2:1"};

TEST(Recorder, TellsWhatRunsAndWhatWasBefore) {
  Recorder recorder(3, places);
  EXPECT_THAT(Recorder::table(), ContainsRegex("\n +3  has not begun "));
  recorder.leave(recorder.enter("paint", 0), 4096);
  EXPECT_THAT(Recorder::table(),
              ContainsRegex("\n +3  between calls .* s +- +4096  a.pm:1:1 +"
                            "before: paint .* s\n"));
  recorder.step(6);
  const uint64_t outer = recorder.enter("fft", 1, 64);
  recorder.enter("reshard", -1);
  EXPECT_THAT(Recorder::table(),
              ContainsRegex("\n +3  reshard .* s +7 +-  - +within fft; before: "
                            "paint .* s\n"));
  recorder.leave(outer, 64);
  EXPECT_THAT(Recorder::table(), Not(HasSubstr("within")));
}

TEST(Recorder, KeepsTheLastCallsOnly) {
  Recorder recorder(0, places);
  for (int i = 0; i < 100; ++i)
    recorder.leave(recorder.enter(i < 90 ? "early" : "late", 0), 0);
  EXPECT_THAT(Recorder::table(), Not(HasSubstr("early")));
  EXPECT_THAT(Recorder::table(),
              ContainsRegex("late.*late.*late.*late.*late.*\n"));
  // Names are cut, wherever they end.
  recorder.enter("a_name_that_is_longer_than_any", 0);
  EXPECT_THAT(Recorder::table(), HasSubstr("  a_name_that_is_longer_t  "));
}

TEST(Recorder, KnowsAllRanksOfTheProcessInOrder) {
  Recorder two(2, places);
  {
    Recorder one(1, places);
    EXPECT_THAT(Recorder::table(),
                ContainsRegex("\n +1  has not begun.*\n +2  has not begun"));
  }
  EXPECT_THAT(Recorder::table(), Not(ContainsRegex("\n +1 ")));
}

TEST(Recorder, NamesWhomTheOthersWaitFor) {
  Recorder one(0, places), two(1, places), three(2, places);
  one.enter("all_reduce", 0);
  two.enter("all_reduce", 0);
  three.enter("paint", 1);
  one.waits({{1, 8, true}});
  two.waits({{2, 8, true}, {7, 16, false}});
  const std::string table = Recorder::table();
  EXPECT_THAT(table, ContainsRegex("\n +0  all_reduce .*waits .* s for 1 "
                                   "\\(receives 8 B\\)"));
  EXPECT_THAT(table, HasSubstr("s for 2 (receives 8 B), 7 (sends 16 B); "));
  EXPECT_THAT(table, HasSubstr("waited for: rank 2, which does not wait\n"));
  EXPECT_THAT(table, HasSubstr("waited for: rank 7, which is on another "
                               "machine and has not responded\n"));
  // Ahead of those who are held up is not a mistake.
  EXPECT_THAT(table, Not(HasSubstr("differ")));
  one.goesOn();
  three.end(RankLog::Failed);
  EXPECT_THAT(Recorder::table(), Not(HasSubstr("for 1 (")));
  EXPECT_THAT(Recorder::table(), HasSubstr("rank 2, which has failed\n"));
}

TEST(Recorder, NamesRanksThatMakeOtherCalls) {
  Recorder one(0, places), two(1, places), three(2, places);
  for (Recorder *rank : {&one, &two})
    rank->enter("all_reduce", 0);
  three.enter("reshard", 1);
  one.waits({{1, 8, true}, {2, 8, true}});
  two.waits({{0, 8, false}});
  three.waits({{0, 4096, false}});
  EXPECT_THAT(
      Recorder::table(),
      HasSubstr(
          "calls differ: all_reduce (a.pm:1:1) in step 0 of ranks 0, 1\n"
          "calls differ: reshard (a.pm:2:1) in step 0 of ranks 2\n"
          "arguments differ: rank 0 expects 8 B from rank 2, which sends 4096 "
          "B\n"));
}

TEST(Recorder, ReadsOtherMachinesFromCopies) {
  Recorder here(0, places);
  std::string copy;
  {
    Recorder there(5, places);
    there.enter("fft", 1);
    copy = there.bytes();
  }
  EXPECT_THAT(Recorder::table(), Not(HasSubstr("fft")));
  const auto log = Recorder::fromBytes(copy);
  ASSERT_TRUE(log);
  EXPECT_THAT(Recorder::table({log.get()}),
              ContainsRegex("\n +5  fft .* a.pm:2:1"));
  EXPECT_FALSE(Recorder::fromBytes("W"));
}

/// A process that is killed cannot say anything any more: others read it.
TEST(Recorder, OutlivesItsProcess) {
  int up[2];
  ASSERT_EQ(pipe(up), 0);
  const pid_t child = fork();
  if (child == 0) {
    Recorder recorder(1, places);
    const int descriptor = recorder.share();
    recorder.step(3);
    recorder.enter("paint", 1); // after it is shared
    (void)!write(up[1], &descriptor, sizeof descriptor);
    pause();
  }
  int descriptor = -1;
  ASSERT_EQ(read(up[0], &descriptor, sizeof descriptor),
            ssize_t(sizeof descriptor));
  Recorder mine(0, places);
  mine.enter("all_reduce", 0);
  mine.waits({{1, 8, true}});
  EXPECT_TRUE(mine.readOther(child, descriptor));
  EXPECT_THAT(Recorder::table(),
              HasSubstr("waited for: rank 1, which does not wait\n"));
  kill(child, SIGKILL);
  siginfo_t facts = {};
  waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT); // a zombie
  for (const bool reaped : {false, true}) {
    if (reaped)
      waitpid(child, nullptr, 0);
    EXPECT_THAT(Recorder::table(),
                ContainsRegex("\n +1  paint .* 4 .* a.pm:2:1 +has ended; "));
    EXPECT_THAT(Recorder::table(),
                HasSubstr("waited for: rank 1, which has ended\n"));
  }
  EXPECT_FALSE(mine.readOther(child, descriptor));
  for (const int end : {up[0], up[1]})
    close(end);
}

TEST(RecorderSignals, NameTheFileThatALibraryCrashesOn) {
  struct sigaction old = {};
  sigaction(SIGSEGV, nullptr, &old);
  if (old.sa_handler != SIG_DFL)
    GTEST_SKIP() << "a sanitizer handles crashes";
  EXPECT_EXIT(
      {
        const RecorderSignals signals;
        const LibraryReading outer("outer.h5", "read it");
        const LibraryReading inner("inner.h5", "look at it");
        std::raise(SIGSEGV);
      },
      testing::ExitedWithCode(1),
      "\nerror: inner.h5: the library that reads this file crashed, because "
      "the file is damaged; look at it\n");
  EXPECT_EXIT(
      {
        const RecorderSignals signals;
        {
          const LibraryReading reading("a.h5", "look at it");
        }
        std::raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "the program has crashed \\(signal 11");
}
