//===- LocalConnectionsTest.cpp - Connections that the kernel confirms ----===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Rendezvous.h"
#include "test/runtime/Comm/Meeting.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// What a process ends with that has met the other of two ranks.
enum Code { Bare = 10, Protected = 11, NotHeard = 12 };

class LocalConnections : public Rendezvous {
protected:
  /// Meets, and says something to the other.
  static Code greet(const std::string &file, int rank, const Ways &ways = {}) {
    std::vector<PeerInfo> peers = meet(file, rank, 2, 30, ways);
    TlsConnection &connection = peers[size_t(1 - rank)].connection;
    const nlohmann::json said = {
        {"text", std::string(100000, char('a' + rank))}};
    // One of them first: nobody reads meanwhile.
    const auto heard = [&] { return hear(connection, Deadline(30), 1 << 20); };
    nlohmann::json answer = rank == 0 ? nlohmann::json() : heard();
    if (!tell(connection, said))
      return NotHeard;
    if (rank == 0)
      answer = heard();
    const auto text = textOf(answer, "text");
    return text != std::string(100000, char('b' - rank)) ? NotHeard
           : connection.bare()                           ? Bare
                                                         : Protected;
  }

  /// The same in a process of its own.
  static pid_t startGreeting(const std::string &file, int rank) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        _exit(greet(file, rank));
      } catch (const std::exception &e) {
        fmt::print(stderr, "{}\n", e.what());
        _exit(1);
      }
    }
    return child;
  }

  static int codeOf(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

/// Copies what comes to the other; false at the end.
bool relay(const Socket &from, const Socket &to) {
  char bytes[4096];
  const ssize_t size = recv(from.get(), bytes, sizeof bytes, 0);
  for (ssize_t at = 0; at < size;) {
    const ssize_t done =
        send(to.get(), bytes + at, size_t(size - at), MSG_NOSIGNAL);
    if (done < 0 && errno != EAGAIN)
      return false;
    at += std::max<ssize_t>(done, 0);
  }
  return size > 0 || (size < 0 && errno == EAGAIN);
}

} // namespace

TEST_F(LocalConnections, NeedNoKeysAfterTheProofs) {
  const pid_t other = startGreeting(folder / "meeting", 1);
  EXPECT_EQ(greet(folder / "meeting", 0), Bare);
  EXPECT_EQ(codeOf(other), Bare);
}

// As by PMRT_INTERFACE.
TEST_F(LocalConnections, AreNotThereWhereTheNetworkWasChosen) {
  const pid_t other = startGreeting(folder / "meeting", 1);
  EXPECT_EQ(greet(folder / "meeting", 0, {"127.0.0.1", false}), Protected);
  EXPECT_EQ(codeOf(other), Protected);
}

// Somebody between two ranks, of the same user even, would read and alter.
TEST_F(LocalConnections, ThroughSomebodyElseKeepTheirKeys) {
  const pid_t first = startGreeting(folder / "real", 0);
  std::optional<Invitation> real;
  for (int i = 0; i < 3000 && !real; ++i, usleep(10000))
    real = readInvitation(folder / "real");
  ASSERT_TRUE(real);
  const std::string there = real->first.addresses.front();
  ASSERT_TRUE(there.starts_with("local:")) << there;
  const Listener listener = listenLocally();
  real->first.addresses = listener.addresses;
  const WrittenInvitation written(folder / "meeting", *real);
  const pid_t second = startGreeting(folder / "meeting", 1);
  const Socket one = awaitOne(listener.socket), other = beginConnection(there);
  const auto maker = otherEnd(other.get());
  ASSERT_TRUE(maker);
  EXPECT_EQ(maker->process, first);
  EXPECT_EQ(maker->user, geteuid());
  pollfd both[] = {{one.get(), POLLIN, 0}, {other.get(), POLLIN, 0}};
  while (poll(both, 2, 30000) > 0)
    if (!relay(one, other) || !relay(other, one))
      break;
  EXPECT_EQ(codeOf(first), Protected);
  EXPECT_EQ(codeOf(second), Protected);
}

// Told by the number of another process, though it knows the key.
TEST_F(LocalConnections, OfAnotherProcessThanWasToldKeepTheirKeys) {
  startRank(0, 2);
  ASSERT_TRUE(meetingFile().is_object());
  const auto found = readInvitation(folder / "meeting");
  TlsConnection connection(beginConnection(found->first.addresses.front()),
                           Secret(found->key, 1), 0);
  ASSERT_TRUE(settle(connection));
  nlohmann::json said = hello(2);
  said["self"]["process"] = getppid();
  ASSERT_TRUE(tell(connection, said));
  EXPECT_TRUE(hear(connection, Deadline(30), 1 << 20).contains("peers"));
  EXPECT_EQ(hear(connection, Deadline(30), 1 << 10),
            nlohmann::json({{"bare", false}}));
  connection.close();
  const Result r = finish(0);
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.said, "has ended while the ranks connected");
}

TEST_F(LocalConnections, OfOtherUsersAreNotHeard) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  startRank(0, 2);
  ASSERT_TRUE(meetingFile().is_object());
  const std::string there =
      readInvitation(folder / "meeting")->first.addresses.front();
  const pid_t stranger = fork();
  if (stranger == 0) {
    if (setuid(65534) != 0)
      _exit(1);
    const Socket socket = beginConnection(there);
    (void)send(socket.get(), "\x16", 1, MSG_NOSIGNAL);
    const bool told = await(socket.get(), POLLIN, Deadline(30));
    char byte = 0;
    _exit(told && recv(socket.get(), &byte, 1, 0) <= 0 ? 0 : 2);
  }
  EXPECT_EQ(codeOf(stranger), 0);
  const Result r = finish(startRank(1, 2));
  EXPECT_EQ(r.exit, 0) << r.said;
  EXPECT_EQ(finish(0).exit, 0);
}
