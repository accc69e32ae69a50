//===- PendingConnectionsTest.cpp - Attacks on a rendezvous ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"
#include "runtime/Comm/Processes/LocalProcess.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Comm/Sockets/Rendezvous.h"
#include "test/runtime/Comm/Meeting.h"

#include <future>

using namespace pmrt;
using namespace pmrt::test;

namespace {

class PendingConnections : public Rendezvous {
protected:
  /// What is sent until the other end has had enough.
  static size_t pour(const Socket &socket, const std::string &part,
                     size_t most) {
    const Deadline deadline(30);
    size_t sent = 0;
    while (sent < most && await(socket.get(), POLLOUT, deadline)) {
      const ssize_t done =
          send(socket.get(), part.data(), part.size(), MSG_NOSIGNAL);
      if (done < 0 && errno != EAGAIN)
        break;
      sent += size_t(std::max<ssize_t>(done, 0));
    }
    return sent;
  }
};

/// A process that only sleeps, and that somebody may want to end.
class Sleeper {
public:
  Sleeper() {
    if ((process = fork()) == 0) {
      execlp("sleep", "sleep", "300", nullptr);
      _exit(98);
    }
    // It is this program until then.
    while (slurp(fmt::format("/proc/{}/comm", process)) != "sleep\n")
      usleep(1000);
  }
  ~Sleeper() {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  Sleeper(const Sleeper &) = delete;
  Sleeper &operator=(const Sleeper &) = delete;

  int number() const { return process; }
  bool lives() const { return waitpid(process, nullptr, WNOHANG) == 0; }

private:
  pid_t process = 0;
};

} // namespace

TEST_F(PendingConnections, AreNotHeard) {
  startRank(0, 2);
  ASSERT_TRUE(meetingFile().is_object());
  std::vector<Socket> silent;
  for (int i = 0; i < 3; ++i)
    silent.push_back(visit());
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_GT(send(silent[0].get(), request.data(), request.size(), MSG_NOSIGNAL),
            0);
  TlsConnection toAnother = insider(1, 1);
  EXPECT_FALSE(settle(toAnother));
  TlsConnection ofAnother(visit(), Secret("another run's", 1), 0);
  EXPECT_FALSE(settle(ofAnother));
  // Ranks that give up before they have heard the answer, or when they have.
  EXPECT_TRUE(insider(1).greet());
  TlsConnection gone = insider(1);
  EXPECT_TRUE(settle(gone));
  gone.close();
  const Result r = finish(startRank(1, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  const Result first = finish(0);
  EXPECT_EQ(first.exit, 0) << first.said;
}

// More than are let in at a time, each with a byte of nothing.
TEST_F(PendingConnections, ThatKeepSilentDoNotStopTheStart) {
  startRank(0, 2);
  ASSERT_TRUE(meetingFile().is_object());
  std::vector<Socket> silent;
  for (int i = 0; i < 300; ++i) {
    silent.push_back(visit());
    EXPECT_EQ(send(silent.back().get(), "\x16", 1, MSG_NOSIGNAL), 1);
  }
  const Result r = finish(startRank(1, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  const Result first = finish(0);
  EXPECT_EQ(first.exit, 0) << first.said;
}

// As a text of 60 MiB, and as a record of TLS that never ends.
TEST_F(PendingConnections, ThatSayMuchAreCutOff) {
  startRank(0, 2);
  ASSERT_TRUE(meetingFile().is_object());
  const uint32_t size = 60 << 20;
  const Socket text = visit();
  EXPECT_EQ(send(text.get(), &size, sizeof size, MSG_NOSIGNAL), 4);
  EXPECT_LT(pour(text, std::string(1 << 16, '['), size), size_t(size));
  const Socket record = visit();
  const std::string head("\x16\x03\x01\x3f\xff\x01\0\x3f\xfb\x03\x03", 11);
  EXPECT_EQ(send(record.get(), head.data(), head.size(), MSG_NOSIGNAL), 11);
  EXPECT_LT(pour(record, std::string(1 << 16, '['), size), size_t(size));
  const Result r = finish(startRank(1, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  const Result first = finish(0);
  EXPECT_EQ(first.exit, 0) << first.said;
}

// Who listens where an earlier run has gets no key, and is not joined.
TEST_F(PendingConnections, AtThePortOfAStaleFileLearnNothing) {
  const Listener listener = listenAt("127.0.0.1");
  const std::string key = randomKey();
  auto left = std::make_unique<WrittenInvitation>(
      folder / "meeting", Invitation{key, "", introduce(listener.addresses)});
  const size_t guest = startRank(1, 2);
  // The first call is only read.
  const Socket heard = awaitOne(listener.socket);
  char said[4096];
  ASSERT_TRUE(await(heard.get(), POLLIN, Deadline(30)));
  const ssize_t size = recv(heard.get(), said, sizeof said, 0);
  ASSERT_GT(size, 0);
  for (size_t at = 0; at + 8 <= key.size(); ++at)
    EXPECT_EQ(std::string(said, size_t(size)).find(key.substr(at, 8)),
              std::string::npos);
  // The next one is answered, by somebody who claims to be the first rank.
  TlsConnection answered(awaitOne(listener.socket), Secret("guessed", 0));
  EXPECT_FALSE(settle(answered));
  left.reset();
  const Result first = finish(startRank(0, 2));
  EXPECT_EQ(first.exit, 0) << first.said;
  EXPECT_EQ(finish(guest).exit, 0);
}

// A rank that stands still is ended by those that have failed, but not what
// only has the number that it said.
TEST_F(PendingConnections, ThatWereNamedAsARankAreNotEnded) {
  const Sleeper sleeper;
  startRank(0, 2, {"--watchdog-end=1"});
  ASSERT_TRUE(meetingFile().is_object());
  nlohmann::json said = hello(2);
  said["self"]["process"] = sleeper.number();
  said["self"]["started"] = startOf(sleeper.number());
  ASSERT_FALSE(startOf(sleeper.number()).empty());
  TlsConnection connection = pretend(1, said);
  const Result r = finish(0);
  EXPECT_NE(r.exit, 0);
  EXPECT_CONTAINS(r.said, "rank 1 did not reach it");
  EXPECT_TRUE(sleeper.lives());
}

TEST(LocalProcess, IsOneOfTheRun) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  const std::string start = startOf(child);
  EXPECT_FALSE(LocalProcess(child, start + "0").known()); // a later one
  EXPECT_FALSE(LocalProcess(child, "").known());
  EXPECT_FALSE(LocalProcess(getpid(), startOf(getpid())).known());
  const Sleeper other;
  EXPECT_FALSE(LocalProcess(other.number(), startOf(other.number())).known());
  const LocalProcess held(child, start);
  EXPECT_TRUE(held.known());
  held.end();
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  held.end(); // nobody has its number now
  EXPECT_EQ(startOf(child), "");
}

TEST_F(PendingConnections, BytesThatNoRankHasSentEndTheRun) {
  const std::string file = folder / "meeting";
  auto other =
      std::async(std::launch::async, [&file] { return meet(file, 1, 2, 30); });
  const auto transport = makeTcpTransport(file, 0, 2, 30);
  transport->watch->end = 30;
  const std::vector<PeerInfo> peers = other.get();
  Threads one(1);
  std::vector<char> memory(16);
  Messages messages;
  messages.receives = {{1, Region::flat(memory.data(), 8)}};
  const auto exchange = transport->start(one, nullptr, messages);
  // A record of TLS with a message of 8 bytes, as it would be without keys.
  std::string forged("\x17\x03\x03\0\x18\1\0\0\0\0\0\0\0\x8\0\0\0\0\0\0\0", 21);
  forged += "altered!";
  EXPECT_EQ(send(peers[0].connection.get(), forged.data(), forged.size(), 0),
            ssize_t(forged.size()));
  EXPECT_CONTAINS(messageOf([&] { exchange->wait(); }),
                  "does not match what it sent (");
  EXPECT_EQ(memory, std::vector<char>(16));
}

TEST_F(PendingConnections, FilesThatOthersMayUseAreRefused) {
  startRank(0, 2, {"--watchdog-end=300"});
  const nlohmann::json there = meetingFile();
  ASSERT_TRUE(there.is_object());
  struct stat facts = {};
  ASSERT_EQ(stat((folder / "meeting").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  spill(folder / "readable", there.dump());
  ASSERT_EQ(chmod((folder / "readable").c_str(), 0640), 0);
  std::filesystem::create_symlink("meeting", folder / "link");
  const std::pair<const char *, const char *> cases[] = {
      {"readable",
       "other users have access to readable (mode 0640, expected 0600)"},
      {"link", "link is a symbolic link, which is not followed"}};
  for (const auto &[name, message] : cases)
    for (const char *rank : {"PMRT_RANK=0", "PMRT_RANK=1"}) {
      const Result r =
          run({rank, "PMRT_RANKS=2"},
              {"--mesh=row=2", fmt::format("--rendezvous={}", name)});
      EXPECT_EQ(r.exit, 1);
      EXPECT_CONTAINS(r.said, message);
    }
  // Where somebody has put a link to be followed when the file is made.
  EXPECT_THROW(WrittenInvitation(folder / "link", {"key", "", introduce({})}),
               Error);
  end(0);
}

TEST_F(PendingConnections, CannotCallWhereNobodyListens) {
  // One machine, as the launcher says, or the user.
  const Strings slurm = {"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=2",
                         "SLURM_STEP_NUM_NODES=1"},
                chosen = {"PMRT_RANK=0", "PMRT_RANKS=2",
                          "PMRT_INTERFACE=127.0.0.1"};
  for (const Strings &environment : {slurm, chosen}) {
    // Over the loopback, and where nothing was chosen by a socket that only
    // this machine has.
    const size_t local = environment == slurm;
    const size_t first =
        start(environment, {"--mesh=row=2", "--rendezvous=meeting"});
    const auto found = meetingFile();
    const auto addresses =
        found["first"]["addresses"].get<std::vector<std::string>>();
    ASSERT_EQ(addresses.size(), 1 + local) << found;
    EXPECT_TRUE(addresses.front().starts_with(local ? "local:" : "127.0.0.1:"));
    EXPECT_TRUE(addresses.back().starts_with("127.0.0.1:"));
    EXPECT_EQ(finish(startRank(1, 2)).exit, 0);
    EXPECT_EQ(finish(first).exit, 0);
  }
  const Result none = run({"PMRT_RANK=0", "PMRT_RANKS=2", "PMRT_INTERFACE=ib7"},
                          {"--mesh=row=2", "--rendezvous=meeting"});
  EXPECT_NE(none.exit, 0);
  EXPECT_CONTAINS(none.said,
                  "PMRT_INTERFACE=ib7 is neither an active network interface");
  EXPECT_CONTAINS(none.said, "lo (127.0.0.1)");
}

TEST_F(PendingConnections, IPv6IsEnough) {
  if (slurp("/proc/net/if_inet6").find(" lo\n") == std::string::npos)
    GTEST_SKIP() << "there is no IPv6";
  std::vector<size_t> ranks;
  for (int rank : {0, 1})
    ranks.push_back(start({fmt::format("PMRT_RANK={}", rank), "PMRT_RANKS=2",
                           "PMRT_INTERFACE=::1"},
                          {"--mesh=row=2", "--rendezvous=meeting"}));
  for (size_t rank : ranks) {
    const Result r = finish(rank);
    EXPECT_EQ(r.exit, 0) << r.said;
  }
}
