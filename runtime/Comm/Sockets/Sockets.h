//===- Sockets.h - Sockets, and how long to wait for them -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_SOCKETS_H
#define PMRT_COMM_SOCKETS_SOCKETS_H

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace pmrt {

/// An open socket, or none.
class Socket {
public:
  Socket() = default;
  explicit Socket(int number) : number(number) {}
  Socket(Socket &&other) noexcept : number(other.release()) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Socket() { close(); }

  int get() const { return number; }
  bool open() const { return number >= 0; }
  void close();
  int release() { return std::exchange(number, -1); }

private:
  int number = -1;
};

/// A deadline for waits.
class Deadline {
public:
  explicit Deadline(double seconds);
  bool over() const { return Clock::now() >= end; }
  /// For poll; short, so that Ctrl-C is heard.
  int milliseconds() const;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end;
};

/// What the last call of the system has failed at.
std::runtime_error systemError(const char *action);

/// Until the socket is ready for `events`; false if the time is over.
bool await(int socket, short events, const Deadline &deadline);

/// A socket that listens, and where it is reached.
struct Listener {
  Socket socket;
  std::vector<std::string> addresses; ///< "10.0.0.5:4711"; loopbacks last
};

/// How processes may talk.
struct Ways {
  /// By the network: over the interface of that name or address; empty: over
  /// any.
  std::string interface;
  /// Within a machine also by sockets that the kernel keeps to itself.
  bool local = true;
};

/// At all addresses of this machine, or only at those of `interface`: its name
/// or address.
Listener listenAt(const std::string &interface);
/// At a socket for processes of this machine.
Listener listenLocally();
/// None if no connection is waiting.
Socket acceptOne(const Socket &listener);
/// Begins to connect to "10.0.0.5:4711"; none if that cannot be.
Socket beginConnection(const std::string &where);
/// Once the socket can be written to: whether somebody has answered.
bool isConnected(const Socket &socket);

/// The process and user that have made the other end of a local socket, as the
/// kernel knows them; none of any other socket.
struct Maker {
  int process = 0;
  uid_t user = 0;
};
std::optional<Maker> otherEnd(int socket);

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_SOCKETS_H
