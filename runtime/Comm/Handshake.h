//===- Handshake.h - How two processes make sure of each other --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An address may lead to another process, as bridges have the same address on
// many machines, and anybody may come to a port. So who calls says the run's
// key and whom it means; who is meant answers; and the caller confirms that it
// has heard it. Only then both keep the socket: a call that was given up
// meanwhile is nobody's.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_HANDSHAKE_H
#define PMRT_COMM_HANDSHAKE_H

#include "runtime/Comm/Sockets.h"

#include <poll.h>
#include <vector>

namespace pmrt {

/// Calls a process at its addresses, one after the other and again, until it
/// answers.
class Call {
public:
  /// `hello` has the run's `key` and `to`, the rank that is meant. An address
  /// gets `patience` seconds, twice as many in the next round.
  Call(std::vector<std::string> addresses, nlohmann::json hello,
       double patience);

  bool done() const { return stage == Stage::Done; }
  /// How often all addresses have been tried.
  int rounds() const { return fullRounds; }
  Socket takeWire() { return std::move(wire); }

  pollfd watched() const;
  void advance(short happened);

private:
  enum class Stage { Connect, Ask, Pause, Done };

  void tryNext();

  const std::vector<std::string> addresses;
  const nlohmann::json hello;
  double patience;
  size_t next = 0; ///< address
  int fullRounds = 0;
  Stage stage = Stage::Pause;
  Deadline deadline{0};
  Socket wire;
};

/// Where this process is called.
class Reception {
public:
  struct Visitor {
    Socket wire;
    nlohmann::json hello;
  };

  Reception() : listener(listenAnywhere(listensAt)) {}

  int port() const { return listensAt; }
  /// Who is let in: those who call this rank of this run.
  void expect(std::string theKey, int rank) {
    key = std::move(theKey);
    self = rank;
  }
  /// Waits for a moment, moves the calls on, and returns who has come.
  std::vector<Visitor> turn(std::vector<Call> &calls, const Deadline &deadline);

private:
  struct Stranger {
    Socket wire;
    Deadline deadline;
    nlohmann::json hello; ///< if it is no stranger any more
  };

  /// Somebody has said something; true if that confirms that it has come.
  bool listenTo(Stranger &stranger) const;

  int listensAt = 0;
  const Socket listener;
  std::string key;
  int self = -1;
  std::vector<Stranger> strangers;
};

} // namespace pmrt

#endif // PMRT_COMM_HANDSHAKE_H
