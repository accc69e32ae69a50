//===- Handshake.cpp - How two processes make sure of each other ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Handshake.h"

#include "runtime/Base/Interrupts.h"

#include <algorithm>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;

/// That have proved nothing yet, at a time; others wait in the kernel's queue.
static constexpr size_t mostPending = 256;
/// For the proof, in seconds; after the first, others may take the place.
static constexpr double pendingPatience = 5, pendingTurn = 1;

/// A process of this machine that does not belong to this run.
static bool isOfAnotherUser(const Socket &socket) {
  const auto maker = otherEnd(socket.get());
  return maker && maker->user != geteuid();
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

Call::Call(std::vector<std::string> addresses, const Secret &secret, int to,
           json hello, double patience)
    : addresses(std::move(addresses)), secret(secret), to(to),
      hello(std::move(hello)), patience(patience) {
  tryNext();
}

pollfd Call::watched() const {
  switch (stage) {
  case Stage::Connect:
    return {socket.get(), POLLOUT, 0};
  case Stage::Greet:
    return {connection.get(), connection.waitsFor(), 0};
  case Stage::Pause:
  case Stage::Done:
    break;
  }
  return {-1, 0, 0};
}

void Call::advance(short happened) {
  if (done())
    return;
  if (!happened) {
    if (deadline.over())
      tryNext();
    return;
  }
  if (stage == Stage::Connect && isConnected(socket) &&
      !isOfAnotherUser(socket)) {
    connection = TlsConnection(std::move(socket), secret, to);
    stage = Stage::Greet;
    deadline = Deadline(patience);
  }
  if (stage != Stage::Greet || !connection.greet() ||
      (connection.greeted() ? !tell(connection, hello) : deadline.over()))
    tryNext();
  else if (connection.greeted())
    stage = Stage::Done;
}

void Call::tryNext() {
  connection.close();
  socket.close();
  if (next == addresses.size()) {
    next = 0;
    ++fullRounds;
    patience = std::min(2 * patience, 30.0);
    stage = Stage::Pause;
    deadline = Deadline(0.05);
    return;
  }
  socket = beginConnection(addresses[next++]);
  stage = Stage::Connect;
  deadline = Deadline(socket.open() ? patience : 0);
}

//===----------------------------------------------------------------------===//
// Who is called
//===----------------------------------------------------------------------===//

Reception::Reception(const Ways &ways)
    : network(listenAt(ways.interface)),
      local(ways.local ? listenLocally() : Listener()) {}

std::vector<std::string> Reception::addresses() const {
  std::vector<std::string> all = local.addresses;
  all.insert(all.end(), network.addresses.begin(), network.addresses.end());
  return all;
}

bool Reception::havePlace() {
  if (pending.size() < mostPending)
    return true;
  const auto oldest = std::find_if(
      pending.begin(), pending.end(),
      [](const PendingConnection &one) { return !one.connection.greeted(); });
  if (oldest == pending.end() || !oldest->early.over())
    return false;
  pending.erase(oldest);
  return true;
}

void Reception::letIn() {
  for (const Listener *listener : {&local, &network})
    // Not for ever: some come faster than they are refused.
    for (size_t i = 0; i < mostPending && havePlace(); ++i) {
      Socket socket = acceptOne(listener->socket);
      if (!socket.open())
        break;
      if (secret.known() && !isOfAnotherUser(socket))
        pending.push_back({TlsConnection(std::move(socket), secret),
                           Deadline(pendingTurn), Deadline(pendingPatience)});
    }
}

std::vector<Reception::Visitor> Reception::turn(std::vector<Call> &calls,
                                                const Deadline &deadline) {
  checkInterrupt();
  const bool full = pending.size() >= mostPending;
  std::vector<pollfd> watched = {{full ? -1 : network.socket.get(), POLLIN, 0},
                                 {full ? -1 : local.socket.get(), POLLIN, 0}};
  for (const PendingConnection &one : pending)
    watched.push_back({one.connection.get(), one.connection.waitsFor(), 0});
  for (const Call &call : calls)
    watched.push_back(call.watched());
  if (poll(watched.data(), watched.size(), deadline.milliseconds()) < 0)
    return {};

  std::vector<Visitor> come;
  auto it = watched.begin() + 2;
  for (PendingConnection &one : pending) {
    if (!(it++)->revents)
      continue;
    if (!one.connection.greeted()) {
      one.connection.greet();
      continue;
    }
    if (json hello = hear(one.connection, Deadline(10), mostOfARank);
        hello.is_object())
      come.push_back({std::move(one.connection), std::move(hello)});
    one.connection.close();
  }
  for (Call &call : calls)
    call.advance((it++)->revents);
  // Who has proved to be ours may take its time.
  std::erase_if(pending, [](const PendingConnection &one) {
    return !one.connection.open() ||
           (!one.connection.greeted() && one.late.over());
  });
  letIn();
  return come;
}
