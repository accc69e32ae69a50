//===- Rendezvous.cpp - How processes without MPI find each other ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Rendezvous.h"

#include "runtime/Comm/Handshake.h"
#include "runtime/Comm/Launcher.h"
#include "runtime/Comm/RendezvousFile.h"
#include "runtime/Comm/Transport.h"

#include <algorithm>
#include <filesystem>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

using namespace pmrt;
using nlohmann::json;
namespace fs = std::filesystem;

/// For the first answer of an address, in seconds.
static constexpr double firstPatience = 3;

static std::string rankList(const std::vector<int> &ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s",
                     fmt::join(ranks, ", "));
}

namespace {

/// The first rank: collects the others.
class Host {
public:
  Host(const std::string &file, int ranks, double patience, const Ways &ways)
      : file(file), ranks(ranks), patience(patience), deadline(patience),
        reception(ways) {}

  std::vector<Member> gather() {
    Member self = introduce(reception.addresses());
    makeRoom(self);
    const Invitation invitation{randomKey(), jobName(), toMember(toJson(self))};
    const WrittenInvitation written(file, invitation);
    reception.expect(Secret(invitation.key, 0));
    members.resize(size_t(ranks));
    members[0] = std::move(self);
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
    for (const Member &member : members)
      all.push_back(toJson(member));
    tellAll({{"members", all}});
    return std::move(members);
  }

private:
  /// Removes what an earlier run has left in the file. Another run that waits
  /// for its ranks there would get ours.
  void makeRoom(const Member &self) {
    const auto before = readInvitation(file);
    if (!before) {
      std::error_code error;
      if (!fs::exists(file, error))
        return;
      if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > 0)
        throw usageError("--rendezvous: {} is there and something else; name "
                         "a file that may be written",
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
    return usageError("--rendezvous: another run waits for its ranks at {} "
                      "(process {} on {}); use another file, or end it",
                      file, other.first.process, other.first.host);
  }

  /// Until all have come.
  void collect(const std::string &key) {
    std::vector<Call> none;
    Deadline look(1);
    while (!missing().empty()) {
      auto come = reception.turn(none, deadline);
      for (auto &[wire, hello] : come)
        take(std::move(wire), hello);
      if (!come.empty())
        continue;
      checkAlive();
      if (deadline.over())
        throw Error(Exit::Failure, "", absentText());
      if (!look.over())
        continue;
      // Two that have come at the same time find nobody: the last one stays.
      if (const auto now = readInvitation(file); now && now->key != key)
        throw busy(*now);
      look = Deadline(1);
    }
  }

  void tellAll(const json &what) {
    for (Member &member : members)
      if (member.wire.open())
        tell(member.wire, what);
  }

  std::vector<int> missing() const {
    std::vector<int> all;
    for (int rank = 1; rank < ranks; ++rank)
      if (!members[size_t(rank)].wire.open())
        all.push_back(rank);
    return all;
  }

  std::string absentText() const {
    std::vector<int> here;
    for (int rank = 0; rank < ranks; ++rank)
      if (rank == 0 || members[size_t(rank)].wire.open())
        here.push_back(rank);
    return fmt::format(
        "{} of {} did not come to {} in {:.0f} s (--watchdog-end); "
        "{} wait{}",
        rankList(missing()), ranks, file, patience, rankList(here),
        here.size() == 1 ? "s" : "");
  }

  /// A rank that has come, and ended while it waited.
  void checkAlive() const {
    for (int rank = 1; rank < ranks; ++rank) {
      const Member &member = members[size_t(rank)];
      char byte = 0;
      if (member.wire.open() &&
          recv(member.wire.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        throw Error(Exit::Failure, "",
                    fmt::format("rank {} (process {} on {}) has ended before "
                                "all ranks had come",
                                rank, member.process, member.host));
    }
  }

  void take(Wire wire, const json &hello) {
    const int rank = wire.peer();
    if (rank == 0)
      return; // asked whether somebody is here
    auto refused = [&](Error error) {
      tell(wire, {{"failed", ""}, {"code", int(Exit::Usage)}});
      return error;
    };
    const int theirs = numberOf(hello, "ranks", 0);
    if (theirs != ranks || rank >= ranks)
      throw refused(
          usageError("a process that says it is rank {} of {} has come to "
                     "{}, but this run has {} ranks",
                     rank, theirs, file, ranks));
    checkAlive(); // or the one before it
    Member &member = members[size_t(rank)];
    if (member.wire.open())
      throw refused(usageError("two processes say they are rank {}", rank));
    member = toMember(hello.value("self", json()));
    member.wire = std::move(wire);
  }

  const std::string &file;
  const int ranks;
  const double patience;
  const Deadline deadline;
  Reception reception;
  std::vector<Member> members;
};

/// Any other rank.
class Guest {
public:
  Guest(const std::string &file, int rank, int ranks, double patience,
        const Ways &ways)
      : file(file), rank(rank), ranks(ranks), patience(patience),
        deadline(patience), reception(ways),
        self(introduce(reception.addresses())) {}

  std::vector<Member> join() {
    Wire host = findHost();
    // The first rank is as patient, and tells who is missing.
    const json all =
        hear(host, Deadline(patience + 5), mostOfARank * (size_t(ranks) + 1));
    if (all.contains("failed"))
      throw Stopped(0, Exit(numberOf(all, "code", int(Exit::Failure))),
                    textOf(all, "failed"));
    std::vector<Member> members;
    if (all.contains("members"))
      for (const json &one : all.at("members"))
        members.push_back(toMember(one));
    if (members.size() != size_t(ranks))
      throw Error(Exit::Failure, "",
                  fmt::format("rank {}: rank 0 has ended before all ranks had "
                              "come",
                              rank));
    members[0].wire = std::move(host);
    connectAll(members);
    return members;
  }

private:
  /// A wire to the first rank, which has said that it is this run's.
  Wire findHost() {
    for (double wait = firstPatience;; wait = std::min(2 * wait, 30.0)) {
      std::vector<Call> calls;
      callHost(calls, wait);
      do
        reception.turn(calls, deadline);
      while (!calls.empty() && !calls[0].done() && calls[0].rounds() == 0 &&
             !deadline.over());
      if (!calls.empty() && calls[0].done())
        return calls[0].takeWire();
      if (deadline.over())
        throw Error(Exit::Failure, "",
                    fmt::format("rank {}: rank 0 did not come in {:.0f} s "
                                "(--watchdog-end): {}",
                                rank, patience, reason));
    }
  }

  /// If the file says where.
  void callHost(std::vector<Call> &calls, double wait) {
    const auto found = readInvitation(file);
    if (!found) {
      reason = fmt::format("there is no {}", file);
      return;
    }
    if (found->job != jobName()) {
      reason = fmt::format("{} is of job '{}', this is '{}'", file, found->job,
                           jobName());
      return;
    }
    reason = fmt::format("nobody answers where {} leads, process {} on {}",
                         file, found->first.process, found->first.host);
    secret = Secret(found->key, rank);
    calls.emplace_back(addressesFrom(self, found->first), secret, 0,
                       json{{"ranks", ranks}, {"self", toJson(self)}}, wait);
  }

  /// To those before this rank, and from those after it.
  void connectAll(std::vector<Member> &members) {
    const Deadline end(std::min(patience, 60.0));
    reception.expect(secret);
    std::vector<Call> calls;
    for (int other = 1; other < rank; ++other) {
      auto addresses = addressesFrom(self, members[size_t(other)]);
      nearestFirst(addresses, members[0].wire);
      calls.emplace_back(std::move(addresses), secret, other, json::object(),
                         firstPatience);
    }
    for (;;) {
      for (auto &[wire, hello] : reception.turn(calls, end))
        if (const int other = wire.peer(); other > rank && other < ranks &&
                                           !members[size_t(other)].wire.open())
          members[size_t(other)].wire = std::move(wire);
      for (size_t i = 0; i < calls.size(); ++i)
        if (calls[i].done() && !members[i + 1].wire.open())
          members[i + 1].wire = calls[i].takeWire();
      std::vector<int> absent;
      for (int other = 0; other < ranks; ++other)
        if (other != rank && !members[size_t(other)].wire.open())
          absent.push_back(other);
      if (absent.empty())
        return;
      if (end.over())
        throw Error(Exit::Failure, "", unreachedText(members, absent));
    }
  }

  std::string unreachedText(const std::vector<Member> &members,
                            const std::vector<int> &absent) const {
    const int other = absent[0];
    const Member &member = members[size_t(other)];
    if (other < rank)
      return fmt::format("rank {} on {} cannot reach rank {} on {} ({})", rank,
                         self.host, other, member.host,
                         fmt::join(addressesFrom(self, member), ", "));
    return fmt::format("rank {} on {}: {} did not reach it", rank, self.host,
                       rankList(absent));
  }

  const std::string &file;
  const int rank, ranks;
  const double patience;
  const Deadline deadline;
  Reception reception;
  const Member self;
  Secret secret;
  std::string reason;
};

} // namespace

/// Where both ends of a local socket see that the kernel leads to nobody else,
/// what follows goes as it is. That they do, they tell by the keys.
static void leaveToKernel(std::vector<Member> &members, int rank,
                          double patience) {
  const Deadline deadline(std::min(patience, 60.0));
  std::vector<std::pair<int, bool>> asked;
  for (int other = 0; other < int(members.size()); ++other) {
    Member &member = members[size_t(other)];
    if (!member.wire.open() || !otherEnd(member.wire.get()))
      continue;
    asked.emplace_back(other, kernelKnows(members[size_t(rank)], member));
    (void)tell(member.wire, {{"bare", asked.back().second}});
  }
  for (const auto &[other, known] : asked) {
    Member &member = members[size_t(other)];
    const json answer = hear(member.wire, deadline, mostOfARank);
    const auto it = answer.find("bare");
    if (it == answer.end() || !it->is_boolean())
      throw Error(Exit::Failure, "",
                  fmt::format("rank {}: rank {} (process {} on {}) has ended "
                              "while the ranks met",
                              rank, other, member.process, member.host));
    if (known && it->get<bool>())
      member.wire.goBare();
  }
}

/// As far as the kernel lets.
static void makeFast(int socket) {
  // A local socket can be written to again when three quarters of its room are
  // empty. TCP takes the room it needs by itself.
  const int yes = 1, room = 1 << 20;
  if (otherEnd(socket))
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  else
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::vector<Member> pmrt::meet(const std::string &file, int rank, int ranks,
                               double patience, const Ways &ways) {
  std::vector<Member> members =
      rank == 0 ? Host(file, ranks, patience, ways).gather()
                : Guest(file, rank, ranks, patience, ways).join();
  leaveToKernel(members, rank, patience);
  for (const Member &member : members)
    if (member.wire.open())
      makeFast(member.wire.get());
  return members;
}
