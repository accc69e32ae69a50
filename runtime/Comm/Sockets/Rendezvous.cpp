//===- Rendezvous.cpp - How processes without MPI find each other ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Rendezvous.h"

#include "runtime/Comm/Processes/Launcher.h"
#include "runtime/Comm/Sockets/Handshake.h"
#include "runtime/Comm/Sockets/RendezvousFile.h"
#include "runtime/Comm/Transport.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

using namespace pmrt;
using nlohmann::json;
namespace fs = std::filesystem;

/// For the first answer of an address, in seconds.
static constexpr double firstPatience = 3;

/// The seconds after which a wait is first reported, by rank 0 and by another
/// rank. Other ranks report later, because each of them prints a warning.
static constexpr double hostReport = 5, guestReport = 20;

static std::string rankList(const std::vector<int> &ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s",
                     fmt::join(ranks, ", "));
}

namespace {

/// Prints a warning about a wait, and again whenever the wait has doubled.
class WaitReport {
public:
  explicit WaitReport(double seconds) : seconds(seconds), next(seconds) {}

  /// `text(seconds)` returns the text about a wait of this length.
  template <typename Text> void tell(const Text &text) {
    if (!next.over())
      return;
    const std::string line =
        codedWarning("warning: [PM9202] " + text(seconds)) + "\n";
    (void)std::fputs(line.c_str(), stderr);
    next = Deadline(seconds);
    seconds *= 2;
  }

private:
  double seconds;
  Deadline next;
};

/// The first rank: collects the others.
class Host {
public:
  Host(const std::string &file, int ranks, double patience, const Ways &ways)
      : file(file), ranks(ranks), patience(patience), deadline(patience),
        reception(ways) {}

  std::vector<PeerInfo> gather() {
    PeerInfo self = introduce(reception.addresses());
    removeStaleInvitation(self);
    const Invitation invitation{randomKey(), jobName(),
                                toPeerInfo(toJson(self))};
    const WrittenInvitation written(file, invitation);
    reception.expect(Secret(invitation.key, 0));
    peers.resize(size_t(ranks));
    peers[0] = std::move(self);
    try {
      collect(invitation.key);
    } catch (const std::exception &e) {
      const auto *error = dynamic_cast<const Error *>(&e);
      const Exit code = error ? error->exit()
                        : dynamic_cast<const Interrupted *>(&e)
                            ? Exit::Interrupted
                            : Exit::Failure;
      tellAll({{"failed", e.what()}, {"code", int(code)}});
      throw;
    }
    json all = json::array();
    for (const PeerInfo &peer : peers)
      all.push_back(toJson(peer));
    tellAll({{"peers", all}});
    return std::move(peers);
  }

private:
  /// Removes what an earlier run has left in the file. Another run that waits
  /// for its ranks there would get ours.
  void removeStaleInvitation(const PeerInfo &self) {
    const auto before = readInvitation(file);
    if (!before) {
      std::error_code error;
      if (!fs::exists(file, error))
        return;
      if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > 0)
        throw usageError(
            "[PM9012] --rendezvous: {} exists and is not a rendezvous "
            "file; name another file",
            file);
      fs::remove(file, error); // empty, as mktemp makes it
      return;
    }
    std::vector<Call> calls;
    calls.emplace_back(addressesFrom(self, before->first),
                       Secret(before->key, 0), 0, json{{"asks", true}},
                       firstPatience);
    const Deadline end(5);
    while (!calls[0].done() && calls[0].rounds() == 0 && !end.over())
      reception.turn(calls, end);
    if (calls[0].done())
      throw busy(*before);
    removeInvitation(file, before->key);
  }

  Error busy(const Invitation &other) const {
    return usageError(
        "[PM9012] --rendezvous: another run waits for its ranks at {} "
        "(process {} on {}); name another file, or end that run",
        file, other.first.process, other.first.host);
  }

  /// Until all have come.
  void collect(const std::string &key) {
    std::vector<Call> none;
    Deadline look(1);
    while (!missing().empty()) {
      auto come = reception.turn(none, deadline);
      for (auto &[connection, hello] : come)
        take(std::move(connection), hello);
      if (!come.empty())
        continue;
      checkAlive();
      if (deadline.over())
        throw Error(Exit::Failure, "", absentText());
      report.tell([&](double seconds) {
        return fmt::format(
            "rank 0 has waited {:.0f} s for {} of {} to connect through {}; "
            "check that these processes were started and see this file. The "
            "run ends after {:.0f} s (--watchdog-end)",
            seconds, rankList(missing()), ranks, file, patience);
      });
      if (!look.over())
        continue;
      // Two that have come at the same time miss each other: the last one
      // stays.
      if (const auto now = readInvitation(file); now && now->key != key)
        throw busy(*now);
      look = Deadline(1);
    }
  }

  void tellAll(const json &what) {
    for (PeerInfo &peer : peers)
      if (peer.connection.open())
        tell(peer.connection, what);
  }

  std::vector<int> missing() const {
    std::vector<int> all;
    for (int rank = 1; rank < ranks; ++rank)
      if (!peers[size_t(rank)].connection.open())
        all.push_back(rank);
    return all;
  }

  std::string absentText() const {
    std::vector<int> here;
    for (int rank = 0; rank < ranks; ++rank)
      if (rank == 0 || peers[size_t(rank)].connection.open())
        here.push_back(rank);
    return fmt::format("{} of {} did not connect through {} within {:.0f} s "
                       "(--watchdog-end); {} wait{}",
                       rankList(missing()), ranks, file, patience,
                       rankList(here), here.size() == 1 ? "s" : "");
  }

  /// A rank that has come, and ended while it waited.
  void checkAlive() const {
    for (int rank = 1; rank < ranks; ++rank) {
      const PeerInfo &peer = peers[size_t(rank)];
      char byte = 0;
      if (peer.connection.open() &&
          recv(peer.connection.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        throw Error(
            Exit::Failure, "",
            fmt::format("[PM9105] rank {} (process {} on {}) has ended before "
                        "all ranks were connected",
                        rank, peer.process, peer.host));
    }
  }

  void take(TlsConnection connection, const json &hello) {
    const int rank = connection.peer();
    if (rank == 0)
      return; // asked whether somebody is here
    auto refused = [&](Error error) {
      tell(connection, {{"failed", ""}, {"code", int(Exit::Usage)}});
      return error;
    };
    const int theirs = numberOf(hello, "ranks", 0);
    if (theirs != ranks || rank >= ranks)
      throw refused(
          usageError("[PM9012] a process connected as rank {} of {} through "
                     "{}, but this run has {} ranks",
                     rank, theirs, file, ranks));
    checkAlive(); // or the one before it
    PeerInfo &peer = peers[size_t(rank)];
    if (peer.connection.open())
      throw refused(usageError(
          "[PM9012] two processes are started as rank {}, expected one", rank));
    peer = toPeerInfo(hello.value("self", json()));
    peer.connection = std::move(connection);
  }

  const std::string &file;
  const int ranks;
  const double patience;
  const Deadline deadline;
  WaitReport report{hostReport};
  Reception reception;
  std::vector<PeerInfo> peers;
};

/// Any other rank.
class Guest {
public:
  Guest(const std::string &file, int rank, int ranks, double patience,
        const Ways &ways)
      : file(file), rank(rank), ranks(ranks), patience(patience),
        deadline(patience), reception(ways),
        self(introduce(reception.addresses())) {}

  std::vector<PeerInfo> join() {
    TlsConnection host = findHost();
    // The first rank waits as long, and reports who is missing.
    const json all =
        hear(host, Deadline(patience + 5), mostOfARank * (size_t(ranks) + 1));
    if (all.contains("failed"))
      throw Stopped(0, Exit(numberOf(all, "code", int(Exit::Failure))),
                    textOf(all, "failed"));
    std::vector<PeerInfo> peers;
    if (all.contains("peers"))
      for (const json &one : all.at("peers"))
        peers.push_back(toPeerInfo(one));
    if (peers.size() != size_t(ranks))
      throw Error(Exit::Failure, "",
                  fmt::format("[PM9105] rank {}: rank 0 has ended before all "
                              "ranks were connected",
                              rank));
    peers[0].connection = std::move(host);
    connectAll(peers);
    return peers;
  }

private:
  /// A connection to the first rank, which has said that it is this run's.
  TlsConnection findHost() {
    for (double wait = firstPatience;; wait = std::min(2 * wait, 30.0)) {
      std::vector<Call> calls;
      callHost(calls, wait);
      do {
        reception.turn(calls, deadline);
        report.tell([&](double seconds) {
          return fmt::format("rank {} has waited {:.0f} s for rank 0: {}; "
                             "check that rank 0 was started, and that both "
                             "processes see the same file",
                             rank, seconds, reason);
        });
      } while (!calls.empty() && !calls[0].done() && calls[0].rounds() == 0 &&
               !deadline.over());
      if (!calls.empty() && calls[0].done())
        return calls[0].takeConnection();
      if (deadline.over())
        throw Error(
            Exit::Failure, "",
            fmt::format(
                "[PM9105] rank {}: rank 0 did not connect within {:.0f} "
                "s (--watchdog-end): {}",
                rank, patience, reason));
    }
  }

  /// If the file says where.
  void callHost(std::vector<Call> &calls, double wait) {
    const auto found = readInvitation(file);
    if (!found) {
      reason = fmt::format("{} does not exist", file);
      return;
    }
    if (found->job != jobName()) {
      reason = fmt::format("{} belongs to job '{}', expected '{}'", file,
                           found->job, jobName());
      return;
    }
    reason = fmt::format(
        "{} names a process that does not respond, process {} on {}", file,
        found->first.process, found->first.host);
    secret = Secret(found->key, rank);
    calls.emplace_back(addressesFrom(self, found->first), secret, 0,
                       json{{"ranks", ranks}, {"self", toJson(self)}}, wait);
  }

  /// To those before this rank, and from those after it.
  void connectAll(std::vector<PeerInfo> &peers) {
    const Deadline end(std::min(patience, 60.0));
    reception.expect(secret);
    std::vector<Call> calls;
    for (int other = 1; other < rank; ++other) {
      auto addresses = addressesFrom(self, peers[size_t(other)]);
      nearestFirst(addresses, peers[0].connection);
      calls.emplace_back(std::move(addresses), secret, other, json::object(),
                         firstPatience);
    }
    for (;;) {
      for (auto &[connection, hello] : reception.turn(calls, end))
        if (const int other = connection.peer();
            other > rank && other < ranks &&
            !peers[size_t(other)].connection.open())
          peers[size_t(other)].connection = std::move(connection);
      for (size_t i = 0; i < calls.size(); ++i)
        if (calls[i].done() && !peers[i + 1].connection.open())
          peers[i + 1].connection = calls[i].takeConnection();
      std::vector<int> absent;
      for (int other = 0; other < ranks; ++other)
        if (other != rank && !peers[size_t(other)].connection.open())
          absent.push_back(other);
      if (absent.empty())
        return;
      if (end.over())
        throw Error(Exit::Failure, "", unreachedText(peers, absent));
    }
  }

  std::string unreachedText(const std::vector<PeerInfo> &peers,
                            const std::vector<int> &absent) const {
    const int other = absent[0];
    const PeerInfo &peer = peers[size_t(other)];
    if (other < rank)
      return fmt::format("rank {} on {} cannot reach rank {} on {} ({})", rank,
                         self.host, other, peer.host,
                         fmt::join(addressesFrom(self, peer), ", "));
    return fmt::format("rank {} on {}: {} did not connect to it", rank,
                       self.host, rankList(absent));
  }

  const std::string &file;
  const int rank, ranks;
  const double patience;
  const Deadline deadline;
  WaitReport report{guestReport};
  Reception reception;
  const PeerInfo self;
  Secret secret;
  std::string reason;
};

} // namespace

/// Where both ends of a local socket see that the kernel connects to no other
/// process, what follows goes as it is. That they do, they tell by the keys.
static void leaveToKernel(std::vector<PeerInfo> &peers, int rank,
                          double patience) {
  const Deadline deadline(std::min(patience, 60.0));
  std::vector<std::pair<int, bool>> asked;
  for (int other = 0; other < int(peers.size()); ++other) {
    PeerInfo &peer = peers[size_t(other)];
    if (!peer.connection.open() || !otherEnd(peer.connection.get()))
      continue;
    asked.emplace_back(other, kernelKnows(peers[size_t(rank)], peer));
    (void)tell(peer.connection, {{"bare", asked.back().second}});
  }
  for (const auto &[other, known] : asked) {
    PeerInfo &peer = peers[size_t(other)];
    const json answer = hear(peer.connection, deadline, mostOfARank);
    const auto it = answer.find("bare");
    if (it == answer.end() || !it->is_boolean())
      throw Error(
          Exit::Failure, "",
          fmt::format("[PM9105] rank {}: rank {} (process {} on {}) has ended "
                      "while the ranks connected to each other",
                      rank, other, peer.process, peer.host));
    if (known && it->get<bool>())
      peer.connection.goBare();
  }
}

/// As far as the kernel lets.
static void makeFast(int socket) {
  // A local socket can be written to again when three quarters of its buffer
  // are empty. TCP takes the memory it needs by itself.
  const int yes = 1, bufferSize = 1 << 20;
  if (otherEnd(socket))
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bufferSize,
                     sizeof bufferSize);
  else
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::vector<PeerInfo> pmrt::meet(const std::string &file, int rank, int ranks,
                                 double patience, const Ways &ways) {
  std::vector<PeerInfo> peers =
      rank == 0 ? Host(file, ranks, patience, ways).gather()
                : Guest(file, rank, ranks, patience, ways).join();
  leaveToKernel(peers, rank, patience);
  for (const PeerInfo &peer : peers)
    if (peer.connection.open())
      makeFast(peer.connection.get());
  return peers;
}
