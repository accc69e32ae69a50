//===- RendezvousTest.cpp - Processes that meet without MPI ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Support.h"

#include <csignal>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmrt;
using namespace pmrt::test;
using Strings = std::vector<std::string>;

namespace {

struct Result {
  int exit = -1;
  std::string said;
};

/// Processes of one program in one folder.
class Rendezvous : public testing::Test {
protected:
  ~Rendezvous() override {
    for (const auto &[child, said] : children)
      if (!said.empty()) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
      }
  }

  /// Starts one process; its number is the index of its result.
  size_t start(const Strings &environment, const Strings &flags) {
    Strings words = {PMRT_MESH_TOY, "--plan=estimate", "--threads=1",
                     "--format=npy"};
    words.insert(words.end(), flags.begin(), flags.end());
    const std::string said = folder / fmt::format("said{}", children.size());
    const pid_t child = fork();
    if (child == 0) {
      setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
      for (const std::string &variable : environment)
        putenv(strdup(variable.c_str()));
      if (!freopen(said.c_str(), "w", stdout) || dup2(1, 2) < 0 ||
          chdir(folder.path().c_str()) != 0)
        _exit(99);
      std::vector<char *> argv;
      for (std::string &word : words)
        argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(98);
    }
    children.emplace_back(child, said);
    return children.size() - 1;
  }

  size_t startRank(int rank, int ranks, Strings flags = {}) {
    flags.insert(flags.begin(),
                 {"--rendezvous=meeting", fmt::format("--mesh=row={}", ranks)});
    return start({fmt::format("PMRT_RANK={}", rank),
                  fmt::format("PMRT_RANKS={}", ranks)},
                 flags);
  }

  Result finish(size_t index) {
    auto &[child, said] = children[index];
    int status = 0;
    waitpid(child, &status, 0);
    const std::string path = std::exchange(said, "");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            slurp(path)};
  }

  Result run(const Strings &environment, const Strings &flags) {
    return finish(start(environment, flags));
  }

  void end(size_t index) { kill(children[index].first, SIGKILL); }

  /// Until the first rank waits.
  nlohmann::json meetingFile() {
    for (int i = 0; i < 1000 && slurp(folder / "meeting").empty(); ++i)
      usleep(10000);
    return nlohmann::json::parse(slurp(folder / "meeting"), nullptr, false);
  }

  Folder folder;

private:
  std::vector<std::pair<pid_t, std::string>> children;
};

} // namespace

TEST_F(Rendezvous, SlurmTellsTheRanks) {
  const Result one = run({}, {"--out=one"});
  ASSERT_EQ(one.exit, 0) << one.said;
  for (int rank : {1, 0})
    start({fmt::format("SLURM_PROCID={}", rank), "SLURM_NTASKS=2",
           fmt::format("SLURM_LOCALID={}", rank), "SLURM_JOB_ID=17",
           "SLURM_STEP_ID=3"},
          {"--mesh=row=2", "--rendezvous=meeting"});
  EXPECT_EQ(meetingFile()["job"], "17.3");
  for (size_t i : {1, 2}) {
    const Result r = finish(i);
    EXPECT_EQ(r.exit, 0) << r.said;
  }
  EXPECT_EQ(slurp(folder / "out/noise.npy"), slurp(folder / "one/noise.npy"));
  EXPECT_FALSE(std::filesystem::exists((folder / "meeting").c_str()));
  const auto record = nlohmann::json::parse(slurp(folder / "out/run.json"));
  EXPECT_EQ(record["transport"], "tcp");
  EXPECT_EQ(record["ranks"], 2);
}

TEST_F(Rendezvous, MissingRanksAreNamed) {
  startRank(0, 4, {"--watchdog=2"});
  startRank(2, 4, {"--watchdog=2"});
  const Result first = finish(0), other = finish(1);
  EXPECT_EQ(first.exit, 2);
  EXPECT_CONTAINS(first.said, "error: ranks 1, 3 of 4 did not come to meeting "
                              "in 2 s (--watchdog); ranks 0, 2 wait");
  EXPECT_EQ(other.exit, 2);
  EXPECT_EQ(other.said, "");
  EXPECT_FALSE(std::filesystem::exists((folder / "meeting").c_str()));
  const Result alone = finish(startRank(1, 4, {"--watchdog=1"}));
  EXPECT_EQ(alone.exit, 2);
  EXPECT_CONTAINS(alone.said, "rank 1: rank 0 did not come in 1 s (--watchdog)"
                              ": there is no meeting");
}

TEST_F(Rendezvous, WhatAnEarlierRunHasLeftIsNotJoined) {
  startRank(0, 2);
  const nlohmann::json left = meetingFile();
  ASSERT_TRUE(left.is_object());
  startRank(1, 2);
  EXPECT_EQ(finish(0).exit, 0);
  EXPECT_EQ(finish(1).exit, 0);
  // As if that run had been killed.
  spill(folder / "meeting", left.dump());
  const Result alone = finish(startRank(1, 2, {"--watchdog=1"}));
  EXPECT_EQ(alone.exit, 2);
  EXPECT_CONTAINS(alone.said, "nobody answers where meeting leads, process ");
  // The others come first, and wait for the first rank of their own run.
  const size_t second = startRank(1, 2);
  usleep(300000);
  const Result r = finish(startRank(0, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  EXPECT_EQ(finish(second).exit, 0);
}

TEST_F(Rendezvous, AnotherJobIsNotJoined) {
  startRank(0, 2, {"--watchdog=4"}); // waits all the time
  ASSERT_TRUE(meetingFile().is_object());
  const Result other =
      run({"PMRT_RANK=1", "PMRT_RANKS=2", "SLURM_JOB_ID=18"},
          {"--mesh=row=2", "--rendezvous=meeting", "--watchdog=1"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_CONTAINS(other.said, "meeting is of job '', this is '18'");
  const Result busy = finish(startRank(0, 2));
  EXPECT_EQ(busy.exit, 1);
  EXPECT_CONTAINS(busy.said, "--rendezvous: another run waits for its ranks at "
                             "meeting (process ");
  EXPECT_CONTAINS(finish(0).said, "rank 1 of 2 did not come");
}

TEST_F(Rendezvous, RanksThatDoNotFitAreRefused) {
  startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  startRank(1, 3);
  usleep(500000);
  startRank(1, 3);
  EXPECT_CONTAINS(finish(0).said, "two processes say they are rank 1");
  EXPECT_EQ(finish(1).exit, 1);
  EXPECT_EQ(finish(2).exit, 1);

  const size_t first = startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  const size_t other = startRank(1, 2);
  EXPECT_CONTAINS(finish(first).said, "a process that says it is rank 1 of 2 "
                                      "has come to meeting, but this run has "
                                      "3 ranks");
  EXPECT_EQ(finish(other).exit, 1);
}

TEST_F(Rendezvous, ARankThatEndsBeforeAllHaveComeEndsTheOthers) {
  startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  const size_t waiting = startRank(2, 3);
  usleep(1500000); // until it has come
  end(waiting);
  const Result r = finish(0);
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.said, "rank 2 (process ");
  EXPECT_CONTAINS(r.said, ") has ended before all ranks had come");
}

TEST_F(Rendezvous, ARankThatHangsEndsWhenTheOthersAreGone) {
  for (int rank = 0; rank < 4; ++rank)
    start({fmt::format("PMRT_RANK={}", rank), "PMRT_RANKS=4"},
          {"--rendezvous=meeting", "--mesh=row=2,col=2", "--hang", "--at=7"});
  for (int i = 0; i < 1000 && slurp(folder / "said0").empty(); ++i)
    usleep(10000);
  usleep(500000); // until rank 2 hangs
  for (size_t rank : {0, 1, 3})
    end(rank);
  const Result r = finish(2);
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.said, "rank 2: another rank has ended, and this one has "
                          "not looked up since");
}

TEST_F(Rendezvous, WhatIsMissingIsTold) {
  const std::vector<std::tuple<Strings, Strings, std::string>> cases = {
      {{},
       {"--mesh=row=2", "--transport=tcp"},
       "--transport tcp needs --rendezvous=FILE"},
      {{},
       {"--mesh=row=2", "--rendezvous=f"},
       "which rank is this process? Set PMRT_RANK and PMRT_RANKS"},
      {{"PMRT_RANK=0"},
       {"--mesh=row=2", "--rendezvous=f"},
       "PMRT_RANK and PMRT_RANKS go together"},
      {{"PMRT_RANK=2", "PMRT_RANKS=2"},
       {"--mesh=row=2", "--rendezvous=f"},
       "PMRT_RANK=2 is no rank: there are 2, from 0 on"},
      {{"PMRT_RANK=one", "PMRT_RANKS=2"},
       {"--mesh=row=2", "--rendezvous=f"},
       "PMRT_RANK=one is not a number of processes"},
      {{"PMRT_RANK=0", "PMRT_RANKS=3"},
       {"--mesh=row=2", "--rendezvous=f"},
       "the mesh row=2,col=1 has 2 ranks, but 3 processes were started"},
      {{"PMRT_RANK=0", "PMRT_RANKS=2"},
       {"--mesh=row=2", "--rendezvous=f", "--transport=threads"},
       "--rendezvous is for --transport tcp or nccl, not threads"},
      {{"PMRT_RANK=0", "PMRT_RANKS=2"},
       {"--mesh=row=2", "--rendezvous=none/f"},
       "--rendezvous: cannot write none/f: No such file or directory"},
      {{"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=4"},
       {"--mesh=row=2"},
       "srun has started 4 processes, and every one would run the whole "
       "program: give --rendezvous=FILE"}};
  for (const auto &[environment, flags, message] : cases) {
    const Result r = run(environment, flags);
    EXPECT_EQ(r.exit, 1) << message;
    EXPECT_CONTAINS(r.said, message);
  }
  spill(folder / "mine.txt", "precious");
  const Result other = run({"PMRT_RANK=0", "PMRT_RANKS=2"},
                           {"--mesh=row=2", "--rendezvous=mine.txt"});
  EXPECT_EQ(other.exit, 1);
  EXPECT_CONTAINS(other.said, "mine.txt is there and something else");
  EXPECT_EQ(slurp(folder / "mine.txt"), "precious");
  // A script of SLURM that starts the program itself.
  const Result script =
      run({"SLURM_PROCID=0", "SLURM_NTASKS=4"}, {"--mesh=row=2"});
  EXPECT_EQ(script.exit, 0) << script.said;
}
