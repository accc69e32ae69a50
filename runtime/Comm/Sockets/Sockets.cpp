//===- Sockets.cpp - Sockets, and how long to wait for them ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Sockets.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Comm/Sockets/Address.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace pmrt;

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

bool pmrt::await(int socket, short events, const Deadline &deadline) {
  for (;;) {
    checkInterrupt();
    pollfd one = {socket, events, 0};
    if (poll(&one, 1, deadline.milliseconds()) > 0)
      return true;
    if (deadline.over())
      return false;
  }
}

static Socket makeSocket(int family) {
  return Socket(
      ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// A socket that listens at `address`, whose port it then has; none if that
/// cannot be.
static Socket listenOn(Address &address) {
  Socket socket = makeSocket(address.family());
  const int no = 0;
  if (socket.open() && address.family() == AF_INET6)
    (void)setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (!socket.open() || bind(socket.get(), address.get(), address.size()) ||
      listen(socket.get(), SOMAXCONN) ||
      getsockname(socket.get(), reinterpret_cast<sockaddr *>(&bound), &size))
    return {};
  address.setPort(
      Address::of(reinterpret_cast<const sockaddr *>(&bound))->port());
  return socket;
}

Listener pmrt::listenAt(const std::string &interface) {
  std::vector<Address> own = ownAddresses(interface);
  Address where = *Address::parse("[::]:0"); // both kinds
  if (!interface.empty()) {
    own.resize(1);
    where = own[0];
  }
  Listener all;
  all.socket = listenOn(where);
  if (!all.socket.open() && interface.empty()) { // no IPv6
    where = *Address::parse("0.0.0.0:0");
    std::erase_if(own,
                  [](const Address &one) { return one.family() == AF_INET6; });
    all.socket = listenOn(where);
  }
  if (!all.socket.open())
    throw systemError("listen for the other ranks");
  for (Address &one : own) {
    one.setPort(where.port());
    all.addresses.push_back(one.text());
  }
  return all;
}

Listener pmrt::listenLocally() {
  const Address any = Address::anyLocal();
  sockaddr_un bound = {};
  socklen_t size = sizeof bound;
  Listener all;
  all.socket = makeSocket(AF_UNIX);
  if (!all.socket.open() || bind(all.socket.get(), any.get(), any.size()) ||
      listen(all.socket.get(), SOMAXCONN) ||
      getsockname(all.socket.get(), reinterpret_cast<sockaddr *>(&bound),
                  &size))
    throw systemError("listen for the other ranks of this machine");
  all.addresses = {Address::ofLocal(bound, size).text()};
  return all;
}

Socket pmrt::acceptOne(const Socket &listener) {
  return Socket(
      accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Socket pmrt::beginConnection(const std::string &where) {
  const auto address = Address::parse(where);
  if (!address)
    return {};
  Socket socket = makeSocket(address->family());
  if (!socket.open() ||
      (connect(socket.get(), address->get(), address->size()) != 0 &&
       errno != EINPROGRESS))
    return {};
  return socket;
}

bool pmrt::isConnected(const Socket &socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
         error == 0;
}

std::optional<Maker> pmrt::otherEnd(int socket) {
  int family = 0;
  ucred told = {};
  socklen_t familySize = sizeof family, toldSize = sizeof told;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &familySize) != 0 ||
      family != AF_UNIX ||
      getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &told, &toldSize) != 0)
    return std::nullopt;
  return Maker{told.pid, told.uid};
}
