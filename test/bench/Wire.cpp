//===- Wire.cpp - What protected messages between processes cost ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There and back between two processes of this machine: by a bare socket over
// the loopback, and by the transport tcp, as within a machine and as between
// machines.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Comm/Sockets/Sockets.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmrt;
using Clock = std::chrono::steady_clock;

namespace {

/// Sends or receives.
using Move = std::function<void(bool sends, std::vector<char> &data)>;

struct Cost {
  double median = 0, best = 0; ///< seconds
};

} // namespace

static Cost measure(bool first, size_t bytes, const Move &move) {
  std::vector<char> data(bytes, 'x');
  const size_t turns = std::clamp<size_t>((size_t(64) << 20) / bytes, 20, 1000);
  std::vector<double> times;
  for (size_t i = 0; i < turns; ++i) {
    const auto start = Clock::now();
    move(first, data);
    move(!first, data);
    times.push_back(
        std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times[turns / 2], times[0]};
}

static void bare(int socket, bool sends, std::vector<char> &data) {
  for (size_t at = 0; at < data.size();) {
    const size_t left = std::min(data.size() - at, size_t(1) << 18);
    const ssize_t done = sends ? send(socket, data.data() + at, left, 0)
                               : recv(socket, data.data() + at, left, 0);
    if (done <= 0)
      std::_Exit(1);
    at += size_t(done);
  }
}

/// Two ends of a connection over the loopback.
static std::pair<Socket, Socket> connectBare() {
  const Listener listener = listenAt("127.0.0.1");
  Socket one = beginConnection(listener.addresses[0]);
  await(listener.socket.get(), POLLIN, Deadline(10));
  Socket other = acceptOne(listener.socket);
  for (const Socket *end : {&one, &other}) {
    const int yes = 1;
    setsockopt(end->get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(end->get(), F_SETFL, fcntl(end->get(), F_GETFL) & ~O_NONBLOCK);
  }
  return {std::move(one), std::move(other)};
}

int main() {
  std::string folder =
      (std::filesystem::temp_directory_path() / "pmrt-wire-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return 1;
  const auto ends = connectBare();
  const pid_t child = fork();
  const bool first = child != 0;
  const int socket = (first ? ends.first : ends.second).get();
  const std::shared_ptr<Transport> transports[] = {
      makeTcpTransport(folder + "/one", first ? 0 : 1, 2, 60),
      makeTcpTransport(folder + "/two", first ? 0 : 1, 2, 60,
                       {"127.0.0.1", false})};
  Threads one(1);
  if (first)
    fmt::print("us: {:>16} {:>25} {:>25}\n{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}"
               "{:>9}{:>9}{:>8}\n",
               "bare socket", "in a machine", "between machines", "bytes",
               "median", "best", "median", "best", "ratio", "median", "best",
               "ratio");
  for (size_t bytes :
       {size_t(8), size_t(1) << 16, size_t(1) << 20, size_t(1) << 24}) {
    const Cost plain =
        measure(first, bytes, [&](bool sends, std::vector<char> &data) {
          bare(socket, sends, data);
        });
    if (first)
      fmt::print("{:>9}{:>9.0f}{:>9.0f}", bytes, 1e6 * plain.median,
                 1e6 * plain.best);
    for (const auto &transport : transports) {
      const Cost wire =
          measure(first, bytes, [&](bool sends, std::vector<char> &data) {
            Messages messages;
            (sends ? messages.sends : messages.receives) = {
                {first ? 1 : 0,
                 Region::flat(data.data(), int64_t(data.size()))}};
            transport->start(one, nullptr, messages)->wait();
          });
      if (first)
        fmt::print("{:>9.0f}{:>9.0f}{:>8.2f}", 1e6 * wire.median,
                   1e6 * wire.best, wire.median / plain.median);
    }
    if (first)
      fmt::print("\n");
  }
  for (const auto &transport : transports)
    transport->leave(Exit::Done);
  if (!first)
    return 0;
  waitpid(child, nullptr, 0);
  double load[1] = {};
  (void)!getloadavg(load, 1);
  fmt::print("load of the machine: {:.1f}\n", load[0]);
  std::filesystem::remove_all(folder);
  return 0;
}
