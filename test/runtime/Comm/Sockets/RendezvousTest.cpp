//===- RendezvousTest.cpp - Processes that meet without MPI ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Rendezvous.h"
#include "runtime/Base/Threads.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Comm/Transport.h"
#include "test/runtime/Comm/Meeting.h"

#include <future>

using namespace pmrt;
using namespace pmrt::test;

TEST_F(Rendezvous, SlurmTellsTheRanks) {
  const Result one = run({}, {"--out=one"});
  ASSERT_EQ(one.exit, 0) << one.said;
  const auto startOfJob = [&](int rank) {
    start({fmt::format("SLURM_PROCID={}", rank), "SLURM_NTASKS=2",
           fmt::format("SLURM_LOCALID={}", rank), "SLURM_JOB_ID=17",
           "SLURM_STEP_ID=3"},
          {"--mesh=row=2", "--rendezvous=meeting"});
  };
  startOfJob(0);
  // Read before all ranks are there: they end the meeting.
  EXPECT_EQ(meetingFile()["job"], "17.3");
  startOfJob(1);
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
  const size_t other = startEarly(2, 4);
  const Result first = finish(startRank(0, 4, {"--watchdog-end=3"}));
  EXPECT_EQ(first.exit, 2);
  EXPECT_CONTAINS(first.said,
                  "error: ranks 1, 3 of 4 did not connect through meeting "
                  "within 3 s (--watchdog-end); ranks 0, 2 wait");
  const Result waiting = finish(other);
  EXPECT_EQ(waiting.exit, 2);
  EXPECT_EQ(waiting.said, "");
  EXPECT_FALSE(std::filesystem::exists((folder / "meeting").c_str()));
  const Result alone = finish(startRank(1, 4, {"--watchdog-end=1"}));
  EXPECT_EQ(alone.exit, 2);
  EXPECT_CONTAINS(alone.said,
                  "rank 1: rank 0 did not connect within 1 s (--watchdog-end)"
                  ": meeting does not exist");
}

TEST_F(Rendezvous, LongWaitsAreReported) {
  const Result first = finish(startRank(0, 3, {"--watchdog-end=7"}));
  EXPECT_EQ(first.exit, 2);
  EXPECT_CONTAINS(
      first.said,
      "warning: rank 0 has waited 5 s for ranks 1, 2 of 3 to connect through "
      "meeting; check that these processes were started and see this file. "
      "The run ends after 7 s (--watchdog-end) [PM9202]");
  // The warning is printed once, because the run ends before the wait doubles.
  EXPECT_EQ(first.said.find("has waited"), first.said.rfind("has waited"));
}

TEST_F(Rendezvous, WhatAnEarlierRunHasLeftIsNotJoined) {
  startRank(0, 2);
  const nlohmann::json left = meetingFile();
  ASSERT_TRUE(left.is_object());
  startRank(1, 2);
  EXPECT_EQ(finish(0).exit, 0);
  EXPECT_EQ(finish(1).exit, 0);
  // As if that run had been killed.
  spillOwn("meeting", left.dump());
  const Result alone = finish(startRank(1, 2, {"--watchdog-end=1"}));
  EXPECT_EQ(alone.exit, 2);
  EXPECT_CONTAINS(alone.said,
                  "meeting names a process that does not respond, process ");
  // The others come first, and wait for the first rank of their own run.
  const size_t second = startEarly(1, 2);
  const Result r = finish(startRank(0, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  EXPECT_EQ(finish(second).exit, 0);
}

TEST_F(Rendezvous, AnotherJobIsNotJoined) {
  startRank(0, 2, {"--watchdog-end=300"}); // waits all the time
  ASSERT_TRUE(meetingFile().is_object());
  const Result other =
      run({"PMRT_RANK=1", "PMRT_RANKS=2", "SLURM_JOB_ID=18"},
          {"--mesh=row=2", "--rendezvous=meeting", "--watchdog-end=1"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_CONTAINS(other.said, "meeting belongs to job '', expected '18'");
  const Result busy = finish(startRank(0, 2));
  EXPECT_EQ(busy.exit, 1);
  EXPECT_CONTAINS(busy.said, "--rendezvous: another run waits for its ranks at "
                             "meeting (process ");
  // Two that have come at the same time have not found each other.
  nlohmann::json later = meetingFile();
  later["key"] = "another";
  spillOwn("later", later.dump());
  std::filesystem::rename(folder / "later", folder / "meeting");
  const Result first = finish(0);
  EXPECT_EQ(first.exit, 1);
  EXPECT_CONTAINS(first.said, "another run waits for its ranks at meeting");
  EXPECT_EQ(meetingFile()["key"], "another");
}

TEST_F(Rendezvous, RanksThatDoNotFitAreRefused) {
  startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  TlsConnection one = pretend(1, hello(3));
  const size_t two = startRank(1, 3);
  const Result twice = finish(0);
  EXPECT_EQ(twice.exit, 1);
  EXPECT_CONTAINS(twice.said, "two processes are started as rank 1");
  EXPECT_EQ(numberOf(hear(one, Deadline(30), 1 << 16), "code", 0), 1);
  EXPECT_EQ(finish(two).exit, 1);

  const size_t first = startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  const size_t other = startRank(1, 2);
  EXPECT_CONTAINS(finish(first).said, "a process connected as rank 1 of 2 "
                                      "through meeting, but this run has "
                                      "3 ranks");
  EXPECT_EQ(finish(other).exit, 1);
}

TEST_F(Rendezvous, AddressesThatLeadToOthersArePassedOver) {
  const std::string file = folder / "meeting";
  auto guest = [&](int rank) {
    return std::async(std::launch::async,
                      [&file, rank] { return meet(file, rank, 3, 30); });
  };
  Reception reception({"", false}); // no local one, which asks more
  const WrittenInvitation invitation(
      file, {"key", "", introduce(reception.addresses())});
  reception.expect(Secret("key", 0));
  auto first = guest(1), second = guest(2);
  std::vector<PeerInfo> peers(3);
  std::vector<Call> none;
  for (int come = 0; come < 2;)
    for (auto &[connection, hello] : reception.turn(none, Deadline(30))) {
      PeerInfo &peer = peers[size_t(connection.peer())];
      peer = toPeerInfo(hello["self"]);
      peer.connection = std::move(connection);
      ++come;
    }
  // Rank 2 finds itself there, then nobody, then rank 1.
  for (PeerInfo &peer : peers)
    if (!peer.addresses.empty())
      peer.addresses = {peer.addresses.back()};
  peers[1].addresses.insert(peers[1].addresses.begin(),
                            {peers[2].addresses[0], "127.0.0.1:1", "x"});
  nlohmann::json all;
  for (const PeerInfo &peer : peers)
    all.push_back(toJson(peer));
  for (int rank : {1, 2})
    tell(peers[size_t(rank)].connection, {{"peers", all}});
  std::vector<PeerInfo> ofFirst = first.get(), ofSecond = second.get();
  EXPECT_TRUE(tell(ofSecond[1].connection, {{"from", 2}}));
  EXPECT_EQ(hear(ofFirst[2].connection, Deadline(30), 1 << 16),
            nlohmann::json({{"from", 2}}));
}

TEST_F(Rendezvous, AMessageOfTheWrongSizeEndsTheRun) {
  const std::string file = folder / "meeting";
  auto other =
      std::async(std::launch::async, [&file] { return meet(file, 1, 2, 30); });
  const auto transport = makeTcpTransport(file, 0, 2, 30);
  transport->watch->end = 30;
  std::vector<PeerInfo> peers = other.get();
  // Kind (data), tag and length, as Tcp.cpp has them.
  struct {
    uint32_t kind;
    int32_t tag;
    int64_t bytes;
  } credit = {}, header = {1, 0, 4096};
  Threads one(1);
  std::vector<char> memory(16), beyond(4096, 'x');
  Messages messages;
  messages.receives = {{1, Region::flat(memory.data(), 8)}};
  const auto exchange = transport->start(one, nullptr, messages);
  // It has said that the receiver has credit for a message of this tag.
  for (size_t have = 0; have < sizeof credit;) {
    const ssize_t here = peers[0].connection.read(
        reinterpret_cast<char *>(&credit) + have, sizeof credit - have);
    ASSERT_GE(here, 0);
    have += size_t(here);
  }
  header.tag = credit.tag;
  for (const auto &[data, size] :
       {std::pair<const void *, size_t>{&header, sizeof header},
        {beyond.data(), beyond.size()}})
    EXPECT_EQ(peers[0].connection.write(data, size), size);
  EXPECT_CONTAINS(messageOf([&] { exchange->wait(); }),
                  fmt::format("has sent an invalid message (kind 1, tag {}, "
                              "4096 bytes for 8)",
                              credit.tag));
  EXPECT_EQ(memory, std::vector<char>(16));
}

TEST_F(Rendezvous, ARankThatEndsBeforeAllHaveComeEndsTheOthers) {
  startRank(0, 3);
  ASSERT_TRUE(meetingFile().is_object());
  pretend(2, hello(3)); // and closes
  const Result r = finish(0);
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.said, "rank 2 (process ");
  EXPECT_CONTAINS(r.said, ") has ended before all ranks were connected");
}

TEST_F(Rendezvous, ARankThatHangsEndsWhenTheOthersAreGone) {
  for (int rank = 0; rank < 4; ++rank)
    start({fmt::format("PMRT_RANK={}", rank), "PMRT_RANKS=4"},
          {"--rendezvous=meeting", "--mesh=row=2,col=2", "--hang", "--at=7",
           "--watchdog-end=30"});
  ASSERT_EQ(awaitText("said2", "hangs\n"), "hangs\n");
  for (size_t rank : {0, 1, 3})
    end(rank);
  const Result r = finish(2);
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.said, "rank 2: another rank has ended, and this rank has "
                          "not responded within seconds");
}

TEST_F(Rendezvous, TheFileOfAnotherUserIsNotRead) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root makes files of others";
  spill(folder / "meeting", R"({"what": "pmc rendezvous"})");
  ASSERT_EQ(chown((folder / "meeting").c_str(), 12345, -1), 0);
  for (int rank : {0, 1}) {
    const Result r = finish(startRank(rank, 2));
    EXPECT_EQ(r.exit, 1);
    EXPECT_CONTAINS(r.said, "--rendezvous: meeting belongs to user 12345");
  }
}

TEST_F(Rendezvous, WhatIsMissingIsTold) {
  const std::vector<std::tuple<Strings, Strings, std::string>> cases = {
      {{},
       {"--mesh=row=2", "--transport=tcp"},
       "--transport tcp requires --rendezvous=FILE"},
      {{},
       {"--mesh=row=2", "--rendezvous=f"},
       "the rank of this process is unknown; set PMRT_RANK and PMRT_RANKS"},
      {{"PMRT_RANK=0"},
       {"--mesh=row=2", "--rendezvous=f"},
       "PMRT_RANK and PMRT_RANKS must be set together"},
      {{"PMRT_RANK=0"}, // a flag of some program's own
       {"--rendezvous_scale=3"},
       "unknown flag '--rendezvous_scale'"},
      {{"PMRT_RANK=2", "PMRT_RANKS=2"},
       {"--mesh=row=2", "--rendezvous=f"},
       "PMRT_RANK=2 is not a rank, expected 0 to 1"},
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
       "srun has started 4 processes, and each would run the whole "
       "program: give --rendezvous=FILE"},
      {{"PMRT_RANK=0", "PMRT_RANKS=2"},
       {"--mesh=row=2"},
       "PMRT_RANKS is 2, but without --rendezvous=FILE each process would run "
       "the whole program"}};
  for (const auto &[environment, flags, message] : cases) {
    const Result r = run(environment, flags);
    EXPECT_EQ(r.exit, 1) << message;
    EXPECT_CONTAINS(r.said, message);
  }
  spill(folder / "mine.txt", "precious");
  const Result other = run({"PMRT_RANK=0", "PMRT_RANKS=2"},
                           {"--mesh=row=2", "--rendezvous=mine.txt"});
  EXPECT_EQ(other.exit, 1);
  EXPECT_CONTAINS(other.said, "mine.txt exists and is not a rendezvous file");
  EXPECT_EQ(slurp(folder / "mine.txt"), "precious");
  for (const char *text :
       {R"({"what": 1})", R"({"what": "pmc rendezvous"})",
        R"({"what": "pmc rendezvous", "key": 1, "first": []})"}) {
    spill(folder / "mine.json", text);
    const Result json = run({"PMRT_RANK=0", "PMRT_RANKS=2"},
                            {"--mesh=row=2", "--rendezvous=mine.json"});
    EXPECT_EQ(json.exit, 1);
    EXPECT_CONTAINS(json.said, "mine.json exists and is not a rendezvous file");
    EXPECT_EQ(slurp(folder / "mine.json"), text);
  }
  // A script of SLURM that starts the program itself.
  const Result script =
      run({"SLURM_PROCID=0", "SLURM_NTASKS=4"}, {"--mesh=row=2"});
  EXPECT_EQ(script.exit, 0) << script.said;
}
