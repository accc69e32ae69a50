//===- Sockets.cpp - Sockets, and texts over them -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets.h"

#include "runtime/Core/Signals.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;

void Socket::close() {
  if (const int old = release(); old >= 0)
    ::close(old);
}

// Longer waits than the clock can count are for ever.
Deadline::Deadline(double seconds)
    : end(Clock::now() +
          std::chrono::duration_cast<Clock::duration>(
              std::chrono::duration<double>(std::min(seconds, 1e9)))) {}

int Deadline::milliseconds() const {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return int(std::clamp<int64_t>(left.count(), 0, 50));
}

std::runtime_error pmrt::systemError(const char *action) {
  return std::runtime_error(
      fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

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
// Texts
//===----------------------------------------------------------------------===//

std::string pmrt::dump(const json &what) {
  return what.dump(-1, ' ', false, json::error_handler_t::replace);
}

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

bool pmrt::tell(const Socket &socket, const json &what) {
  const std::string text = dump(what);
  const auto size = uint32_t(text.size());
  return writeAll(socket.get(), &size, sizeof size) &&
         writeAll(socket.get(), text.data(), size);
}

json pmrt::hear(const Socket &socket, const Deadline &deadline) {
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

std::string pmrt::textOf(const json &from, const char *name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_string() ? it->get<std::string>() : "";
}

int pmrt::numberOf(const json &from, const char *name, int fallback) {
  const auto it = from.find(name);
  return it != from.end() && it->is_number_integer() ? it->get<int>()
                                                     : fallback;
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

static Socket makeSocket() {
  Socket socket(
      ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.open())
    throw systemError("make a socket");
  return socket;
}

Socket pmrt::listenAnywhere(int &port) {
  Socket socket = makeSocket();
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  if (bind(socket.get(), reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      listen(socket.get(), SOMAXCONN) != 0 ||
      getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address),
                  &size) != 0)
    throw systemError("listen for the other ranks");
  port = ntohs(address.sin_port);
  return socket;
}

Socket pmrt::acceptOne(const Socket &listener) {
  return Socket(
      accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Socket pmrt::beginConnection(const std::string &where) {
  const size_t colon = where.rfind(':');
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  if (colon == std::string::npos ||
      inet_pton(AF_INET, where.substr(0, colon).c_str(), &address.sin_addr) !=
          1)
    return {};
  address.sin_port =
      htons(uint16_t(std::strtol(where.c_str() + colon + 1, nullptr, 10)));
  Socket socket = makeSocket();
  if (connect(socket.get(), reinterpret_cast<sockaddr *>(&address),
              sizeof address) != 0 &&
      errno != EINPROGRESS)
    return {};
  return socket;
}

bool pmrt::isConnected(const Socket &socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
         error == 0;
}
