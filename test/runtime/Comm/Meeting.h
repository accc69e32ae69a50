//===- Meeting.h - Processes that meet, in tests ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_RUNTIME_MEETING_H
#define PMC_TEST_RUNTIME_MEETING_H

#include "runtime/Comm/Sockets/Handshake.h"
#include "runtime/Comm/Sockets/RendezvousFile.h"
#include "test/runtime/Support.h"

#include <csignal>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pmrt::test {

using Strings = std::vector<std::string>;

/// Processes of one program in one folder.
class Rendezvous : public testing::Test {
protected:
  struct Result {
    int exit = -1;
    std::string said;
  };

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

  size_t startRank(int rank, int ranks, Strings flags = {"--watchdog-end=30"}) {
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

  /// Until there is something in the file.
  std::string awaitText(const std::string &file, const std::string &part = "") {
    std::string text;
    for (int i = 0; i < 3000; ++i) {
      text = slurp(folder / file);
      if (!text.empty() && text.find(part) != std::string::npos)
        break;
      usleep(10000);
    }
    return text;
  }

  /// Until the first rank waits.
  nlohmann::json meetingFile() {
    return nlohmann::json::parse(awaitText("meeting"), nullptr, false);
  }

  /// Starts a rank, and returns when it looks for the first one.
  size_t startEarly(int rank, int ranks) {
    const Listener listener = listenAt("127.0.0.1");
    std::filesystem::remove(folder / "meeting");
    const WrittenInvitation left(
        folder / "meeting",
        {"of an earlier run", "", introduce(listener.addresses)});
    const size_t index = startRank(rank, ranks);
    EXPECT_TRUE(awaitOne(listener.socket).open());
    return index;
  }

  static Socket awaitOne(const Socket &listener) {
    Socket socket;
    for (int i = 0; i < 3000 && !socket.open(); ++i) {
      socket = acceptOne(listener);
      usleep(10000);
    }
    return socket;
  }

  /// Connects to where the first rank waits.
  Socket visit() {
    const auto found = readInvitation(folder / "meeting");
    if (!found)
      return {};
    Socket socket =
        beginConnection(found->first.addresses.back()); // the loopback
    pollfd one = {socket.get(), POLLOUT, 0};
    poll(&one, 1, 10000);
    return socket;
  }

  /// What a rank says first.
  static nlohmann::json hello(int ranks) {
    return {{"ranks", ranks}, {"self", toJson(introduce({"127.0.0.1:1"}))}};
  }

  /// Moves the proofs on as far as they go.
  static bool settle(TlsConnection &connection) {
    const Deadline deadline(30);
    while (connection.greet() && !connection.greeted())
      if (!await(connection.get(), connection.waitsFor(), deadline))
        return false;
    return connection.greeted();
  }

  /// Who knows the key, and calls as that rank.
  TlsConnection insider(int rank, int to = 0) {
    const auto found = readInvitation(folder / "meeting");
    return {visit(), Secret(found ? found->key : "", rank), to};
  }

  /// A rank that comes, and does no more.
  TlsConnection pretend(int rank, const nlohmann::json &hello) {
    TlsConnection connection = insider(rank);
    EXPECT_TRUE(settle(connection));
    EXPECT_TRUE(tell(connection, hello));
    return connection;
  }

  /// A file that only its owner may read.
  void spillOwn(const std::string &name, const std::string &text) {
    spill(folder / name, text);
    ASSERT_EQ(chmod((folder / name).c_str(), 0600), 0);
  }

  Folder folder;

protected:
  std::vector<std::pair<pid_t, std::string>> children;
};

} // namespace pmrt::test

#endif // PMC_TEST_RUNTIME_MEETING_H
