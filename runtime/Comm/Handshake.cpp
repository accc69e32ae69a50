//===- Handshake.cpp - How two processes make sure of each other ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Handshake.h"

#include "runtime/Core/Signals.h"

#include <algorithm>

using namespace pmrt;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

Call::Call(std::vector<std::string> addresses, json hello, double patience)
    : addresses(std::move(addresses)), hello(std::move(hello)),
      patience(patience) {
  tryNext();
}

pollfd Call::watched() const {
  const bool waits = stage == Stage::Connect || stage == Stage::Ask;
  return {waits ? wire.get() : -1,
          short(stage == Stage::Connect ? POLLOUT : POLLIN), 0};
}

void Call::advance(short happened) {
  if (done())
    return;
  if (!happened) {
    if (deadline.over())
      tryNext();
  } else if (stage == Stage::Connect && isConnected(wire) &&
             tell(wire, hello)) {
    stage = Stage::Ask;
    deadline = Deadline(patience);
  } else if (stage == Stage::Ask &&
             hear(wire, Deadline(1)).contains("welcome") &&
             tell(wire, {{"here", true}})) {
    stage = Stage::Done;
  } else {
    tryNext();
  }
}

void Call::tryNext() {
  wire = Socket();
  if (next == addresses.size()) {
    next = 0;
    ++fullRounds;
    patience = std::min(2 * patience, 30.0);
    stage = Stage::Pause;
    deadline = Deadline(0.05);
    return;
  }
  wire = beginConnection(addresses[next++]);
  stage = Stage::Connect;
  deadline = Deadline(wire.open() ? patience : 0);
}

//===----------------------------------------------------------------------===//
// Who is called
//===----------------------------------------------------------------------===//

bool Reception::listenTo(Stranger &stranger) const {
  json said = hear(stranger.wire, Deadline(1));
  if (!stranger.hello.is_null() && said.contains("here"))
    return true;
  if (stranger.hello.is_null() && textOf(said, "key") == key && !key.empty() &&
      numberOf(said, "to", -1) == self &&
      tell(stranger.wire, {{"welcome", true}}))
    stranger.hello = std::move(said);
  else
    stranger.wire = Socket();
  return false;
}

std::vector<Reception::Visitor> Reception::turn(std::vector<Call> &calls,
                                                const Deadline &deadline) {
  checkInterrupt();
  std::vector<pollfd> watched = {{listener.get(), POLLIN, 0}};
  for (const Stranger &stranger : strangers)
    watched.push_back({stranger.wire.get(), POLLIN, 0});
  for (const Call &call : calls)
    watched.push_back(call.watched());
  if (poll(watched.data(), watched.size(), deadline.milliseconds()) < 0)
    return {};

  std::vector<Visitor> come;
  auto it = watched.begin() + 1;
  for (Stranger &stranger : strangers)
    if ((it++)->revents && listenTo(stranger))
      come.push_back({std::move(stranger.wire), std::move(stranger.hello)});
  for (Call &call : calls)
    call.advance((it++)->revents);
  if (watched[0].revents)
    if (Socket socket = acceptOne(listener); socket.open())
      strangers.push_back({std::move(socket), Deadline(10), nullptr});
  // Who was welcomed may take its time, as it knows that it has come.
  std::erase_if(strangers, [](const Stranger &stranger) {
    return !stranger.wire.open() ||
           (stranger.hello.is_null() && stranger.deadline.over());
  });
  return come;
}
