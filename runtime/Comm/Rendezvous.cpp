//===- Rendezvous.cpp - How processes without MPI find each other ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Rendezvous.h"

#include "runtime/Comm/Launcher.h"
#include "runtime/Comm/Transport.h"
#include "runtime/Core/Signals.h"

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void Socket::close() {
  if (const int old = release(); old >= 0)
    ::close(old);
}

static std::runtime_error systemError(const char *action) {
  return std::runtime_error(
      fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

namespace {

/// A point in time after which nobody waits.
class Deadline {
public:
  explicit Deadline(double seconds)
      : end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(seconds))) {}
  bool over() const { return Clock::now() >= end; }
  /// For poll; short, so that Ctrl-C is heard.
  int milliseconds() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    return int(std::clamp<int64_t>(left.count(), 0, 50));
  }
  Deadline atMost(double seconds) const {
    Deadline one(seconds);
    one.end = std::min(one.end, end);
    return one;
  }

private:
  Clock::time_point end;
};

} // namespace

/// Until the socket is ready for `events`; false if the time is over.
static bool await(int socket, short events, const Deadline &deadline) {
  for (;;) {
    checkInterrupt();
    pollfd one = {socket, events, 0};
    if (poll(&one, 1, deadline.milliseconds()) > 0)
      return true;
    if (deadline.over())
      return false;
  }
}

//===----------------------------------------------------------------------===//
// Texts over sockets: their length, and JSON
//===----------------------------------------------------------------------===//

static bool writeAll(int socket, const void *data, size_t size) {
  const Deadline deadline(10);
  const auto *at = static_cast<const char *>(data);
  while (size > 0) {
    const ssize_t done = ::send(socket, at, size, MSG_NOSIGNAL);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (!await(socket, POLLOUT, deadline))
        return false;
      continue;
    }
    if (done <= 0)
      return false;
    at += done;
    size -= size_t(done);
  }
  return true;
}

static bool readAll(int socket, void *data, size_t size,
                    const Deadline &deadline) {
  auto *at = static_cast<char *>(data);
  while (size > 0) {
    if (!await(socket, POLLIN, deadline))
      return false;
    const ssize_t done = ::recv(socket, at, size, 0);
    if (done < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (done <= 0)
      return false;
    at += done;
    size -= size_t(done);
  }
  return true;
}

static bool tell(const Socket &socket, const json &what) {
  const std::string text = what.dump();
  const auto size = uint32_t(text.size());
  return writeAll(socket.get(), &size, sizeof size) &&
         writeAll(socket.get(), text.data(), size);
}

/// Null if nothing comes, or what is no text of ours.
static json hear(const Socket &socket, const Deadline &deadline) {
  constexpr uint32_t most = 64 << 20;
  uint32_t size = 0;
  if (!readAll(socket.get(), &size, sizeof size, deadline) || size > most)
    return nullptr;
  std::string text(size, '\0');
  if (!readAll(socket.get(), text.data(), size, deadline))
    return nullptr;
  json what = json::parse(text, nullptr, false);
  return what.is_object() ? what : json(nullptr);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static std::string firstLine(const char *path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

static Socket listenAnywhere(int &port) {
  Socket socket(
      ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  if (!socket.open() ||
      bind(socket.get(), reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      listen(socket.get(), SOMAXCONN) != 0 ||
      getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address),
                  &size) != 0)
    throw systemError("listen for the other ranks");
  port = ntohs(address.sin_port);
  return socket;
}

/// This process, as the others are to know it.
static Member introduce(int port) {
  Member self;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) == 0) {
    for (const bool loopback : {false, true})
      for (const ifaddrs *one = all; one; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
            (one->ifa_flags & IFF_UP) &&
            loopback == ((one->ifa_flags & IFF_LOOPBACK) != 0)) {
          char text[INET_ADDRSTRLEN] = "";
          const auto *address =
              reinterpret_cast<const sockaddr_in *>(one->ifa_addr);
          inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
          self.addresses.push_back(fmt::format("{}:{}", text, port));
        }
    freeifaddrs(all);
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  self.host = host;
  self.machine = firstLine("/proc/sys/kernel/random/boot_id");
  if (self.machine.empty())
    self.machine = host;
  std::error_code error;
  self.kernel =
      self.machine + fs::read_symlink("/proc/self/ns/pid", error).string();
  self.process = int(getpid());
  return self;
}

static json toJson(const Member &member) {
  return {{"addresses", member.addresses},
          {"host", member.host},
          {"machine", member.machine},
          {"kernel", member.kernel},
          {"process", member.process}};
}

static Member toMember(const json &text) {
  Member member;
  member.addresses = text.at("addresses").get<std::vector<std::string>>();
  member.host = text.at("host").get<std::string>();
  member.machine = text.at("machine").get<std::string>();
  member.kernel = text.at("kernel").get<std::string>();
  member.process = text.at("process").get<int>();
  return member;
}

static Socket connectTo(const std::string &where, const Deadline &deadline) {
  const size_t colon = where.rfind(':');
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  if (colon == std::string::npos ||
      inet_pton(AF_INET, where.substr(0, colon).c_str(), &address.sin_addr) !=
          1)
    return {};
  address.sin_port =
      htons(uint16_t(std::strtol(where.c_str() + colon + 1, nullptr, 10)));
  Socket socket(
      ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.open())
    throw systemError("make a socket");
  if (connect(socket.get(), reinterpret_cast<sockaddr *>(&address),
              sizeof address) != 0) {
    int error = 0;
    socklen_t size = sizeof error;
    if (errno != EINPROGRESS ||
        !await(socket.get(), POLLOUT, deadline.atMost(2)) ||
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
        error != 0)
      return {};
  }
  return socket;
}

/// By the machine's own loopback only if it is the same machine.
static Socket connectTo(const Member &other, const Member &self,
                        const Deadline &deadline) {
  for (const std::string &address : other.addresses)
    if (other.machine == self.machine || !address.starts_with("127."))
      if (Socket socket = connectTo(address, deadline); socket.open())
        return socket;
  return {};
}

static Socket acceptOne(const Socket &listener) {
  return Socket(
      accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// What tells the file from any other.
static const char *const mark = "pmc rendezvous";

/// Null if there is none.
static json readFile(const std::string &path) {
  std::ifstream file(path);
  json what = json::parse(file, nullptr, false);
  return what.is_object() && what.value("what", "") == mark ? what
                                                            : json(nullptr);
}

namespace {

/// What the first rank has written; goes when all have come, or never will.
class WrittenFile {
public:
  WrittenFile(std::string where, const json &what)
      : path(std::move(where)), key(what.at("key")) {
    const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
    const int file =
        open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const std::string text = what.dump() + "\n";
    const bool good =
        file >= 0 &&
        ::write(file, text.data(), text.size()) == ssize_t(text.size()) &&
        fsync(file) == 0;
    const int error = errno;
    if (file >= 0)
      ::close(file);
    if (good && rename(temporary.c_str(), path.c_str()) == 0)
      return;
    const std::string why = std::strerror(good ? errno : error);
    unlink(temporary.c_str());
    throw usageError("--rendezvous: cannot write {}: {}", path, why);
  }
  WrittenFile(const WrittenFile &) = delete;
  WrittenFile &operator=(const WrittenFile &) = delete;
  ~WrittenFile() {
    const json now = readFile(path);
    if (!now.is_null() && now.at("key") == key)
      unlink(path.c_str());
  }

private:
  const std::string path;
  const json key;
};

} // namespace

static std::string randomKey() {
  uint64_t words[2] = {};
  if (getrandom(words, sizeof words, 0) != ssize_t(sizeof words))
    throw systemError("get random numbers");
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

static std::string rankList(const std::vector<int> &ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s",
                     fmt::join(ranks, ", "));
}

namespace {

/// The first rank: collects the others.
class Host {
public:
  Host(const std::string &file, int ranks, double patience)
      : file(file), ranks(ranks), patience(patience), deadline(patience) {}

  std::vector<Member> gather() {
    int port = 0;
    const Socket listener = listenAnywhere(port);
    Member self = introduce(port);
    refuseIfBusy(self);
    const std::string key = randomKey();
    const WrittenFile written(file, {{"what", mark},
                                     {"key", key},
                                     {"job", jobName()},
                                     {"first", toJson(self)}});
    members.resize(size_t(ranks));
    members[0] = std::move(self);
    try {
      while (!missing().empty()) {
        if (!await(listener.get(), POLLIN, deadline.atMost(0.2))) {
          checkAlive();
          if (deadline.over())
            throw Error(Exit::Failure, "", absentText());
          continue;
        }
        take(acceptOne(listener), key);
      }
    } catch (const std::exception &e) {
      const auto *error = dynamic_cast<const Error *>(&e);
      for (const Member &member : members)
        if (member.wire.open())
          tell(member.wire,
               {{"failed", e.what()},
                {"code", int(error ? error->exit() : Exit::Interrupted)}});
      throw;
    }
    json all = json::array();
    for (const Member &member : members)
      all.push_back(toJson(member));
    for (const Member &member : members)
      if (member.wire.open())
        tell(member.wire, {{"members", all}});
    return std::move(members);
  }

private:
  /// Another run that waits for its ranks at the same file would get ours.
  void refuseIfBusy(const Member &self) const {
    const json before = readFile(file);
    if (before.is_null()) {
      std::error_code error;
      if (fs::exists(file, error) && !fs::is_empty(file, error))
        throw usageError("--rendezvous: {} is there and something else; name "
                         "a file that may be written",
                         file);
      return;
    }
    const Socket socket =
        connectTo(toMember(before.at("first")), self, deadline.atMost(2));
    if (!socket.open() ||
        !tell(socket, {{"key", before.at("key")}, {"rank", 0}}) ||
        hear(socket, deadline.atMost(3)).is_null())
      return;
    throw usageError("--rendezvous: another run waits for its ranks at {} "
                     "(process {} on {}); use another file, or end it",
                     file, before.at("first").at("process").get<int>(),
                     before.at("first").at("host").get<std::string>());
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
    return fmt::format("{} of {} did not come to {} in {:.0f} s (--watchdog); "
                       "{} wait{}",
                       rankList(missing()), ranks, file, patience,
                       rankList(here), here.size() == 1 ? "s" : "");
  }

  /// A rank that has come, and ended while it waited.
  void checkAlive() {
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

  void take(Socket socket, const std::string &key) {
    if (!socket.open())
      return;
    const json hello = hear(socket, deadline.atMost(2));
    if (hello.is_null() || hello.value("key", "") != key)
      return; // not one of ours
    tell(socket, {{"welcome", true}});
    const int rank = hello.value("rank", -1);
    if (rank == 0)
      return; // asks whether somebody is here
    const int theirs = hello.value("ranks", 0);
    if (theirs != ranks || rank < 0 || rank >= ranks) {
      tell(socket, {{"failed", ""}, {"code", int(Exit::Usage)}});
      throw usageError("a process that says it is rank {} of {} has come to "
                       "{}, but this run has {} ranks",
                       rank, theirs, file, ranks);
    }
    if (members[size_t(rank)].wire.open()) {
      tell(socket, {{"failed", ""}, {"code", int(Exit::Usage)}});
      throw usageError("two processes say they are rank {}", rank);
    }
    members[size_t(rank)] = toMember(hello.at("self"));
    members[size_t(rank)].wire = std::move(socket);
  }

  const std::string &file;
  const int ranks;
  const double patience;
  const Deadline deadline;
  std::vector<Member> members;
};

/// Any other rank.
class Guest {
public:
  Guest(const std::string &file, int rank, int ranks, double patience)
      : file(file), rank(rank), ranks(ranks), patience(patience),
        deadline(patience) {}

  std::vector<Member> join() {
    int port = 0;
    const Socket listener = listenAnywhere(port);
    const Member self = introduce(port);
    Socket host;
    while (!(host = findHost(self)).open()) {
      if (deadline.over())
        throw Error(Exit::Failure, "",
                    fmt::format("rank {}: rank 0 did not come in {:.0f} s "
                                "(--watchdog): {}",
                                rank, patience, reason));
      checkInterrupt();
      usleep(50000);
    }
    // The first rank is as patient, and tells who is missing.
    const json all = hear(host, Deadline(patience + 5));
    if (all.contains("failed"))
      throw Stopped(0, Exit(all.value("code", int(Exit::Failure))),
                    all.at("failed").get<std::string>());
    if (!all.contains("members"))
      throw Error(Exit::Failure, "",
                  fmt::format("rank {}: rank 0 has ended before all ranks had "
                              "come",
                              rank));
    std::vector<Member> members;
    for (const json &one : all.at("members"))
      members.push_back(toMember(one));
    members[0].wire = std::move(host);
    connectAll(members, self, listener);
    return members;
  }

private:
  /// A wire to the first rank, which has said that it is this run's.
  Socket findHost(const Member &self) {
    const json found = readFile(file);
    if (found.is_null()) {
      reason = fmt::format("there is no {}", file);
      return {};
    }
    if (const auto job = found.at("job").get<std::string>(); job != jobName()) {
      reason =
          fmt::format("{} is of job '{}', this is '{}'", file, job, jobName());
      return {};
    }
    const Member first = toMember(found.at("first"));
    reason = fmt::format("nobody answers where {} leads, process {} on {}",
                         file, first.process, first.host);
    key = found.at("key").get<std::string>();
    Socket host = connectTo(first, self, deadline);
    if (!host.open() ||
        !tell(host, {{"key", key},
                     {"rank", rank},
                     {"ranks", ranks},
                     {"self", toJson(self)}}) ||
        !hear(host, deadline.atMost(5)).contains("welcome"))
      return {};
    return host;
  }

  /// To those before this rank, and from those after it.
  void connectAll(std::vector<Member> &members, const Member &self,
                  const Socket &listener) {
    const Deadline end(std::min(patience, 60.0));
    for (int other = 1; other < rank; ++other) {
      Member &member = members[size_t(other)];
      member.wire = connectTo(member, self, end);
      if (!member.wire.open() ||
          !tell(member.wire, {{"key", key}, {"rank", rank}}))
        throw Error(Exit::Failure, "",
                    fmt::format("rank {} on {} cannot reach rank {} on {} ({})",
                                rank, self.host, other, member.host,
                                fmt::join(member.addresses, ", ")));
    }
    for (int left = ranks - 1 - rank; left > 0;) {
      if (!await(listener.get(), POLLIN, end))
        throw Error(Exit::Failure, "",
                    fmt::format("rank {} on {}: {} ranks after it did not "
                                "reach it",
                                rank, self.host, left));
      Socket socket = acceptOne(listener);
      const json hello = hear(socket, end.atMost(5));
      const int other = hello.is_null() ? -1 : hello.value("rank", -1);
      if (other <= rank || other >= ranks || hello.value("key", "") != key)
        continue; // not one of ours
      members[size_t(other)].wire = std::move(socket);
      --left;
    }
  }

  const std::string &file;
  const int rank, ranks;
  const double patience;
  const Deadline deadline;
  std::string key, reason;
};

} // namespace

std::vector<Member> pmrt::meet(const std::string &file, int rank, int ranks,
                               double patience) {
  std::vector<Member> members = rank == 0
                                    ? Host(file, ranks, patience).gather()
                                    : Guest(file, rank, ranks, patience).join();
  const int yes = 1;
  for (const Member &member : members)
    if (member.wire.open())
      setsockopt(member.wire.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return members;
}
