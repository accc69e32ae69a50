//===- Handshake.h - How two processes make sure of each other --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address may lead to another process, as bridges have the same address on
// many machines, and anybody may come to a port, or listen where an earlier run
// has. So who calls and who is called first prove to each other that they know
// the run's key and mean this pair of ranks (Wire.h); then the caller says
// hello. Who is called keeps the wire when it has heard that: a call that was
// given up meanwhile is nobody's.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_HANDSHAKE_H
#define PMRT_COMM_HANDSHAKE_H

#include "runtime/Comm/Texts.h"

#include <poll.h>
#include <vector>

namespace pmrt {

/// What a rank says of itself at most, in bytes.
constexpr size_t mostOfARank = 1 << 14;

/// Calls a process at its addresses, one after the other and again, until it
/// has proved to be the one that is meant.
class Call {
public:
  /// Calls rank `to`. An address gets `patience` seconds, twice as many in the
  /// next round.
  Call(std::vector<std::string> addresses, const Secret &secret, int to,
       nlohmann::json hello, double patience);

  bool done() const { return stage == Stage::Done; }
  /// How often all addresses have been tried.
  int rounds() const { return fullRounds; }
  Wire takeWire() { return std::move(wire); }

  pollfd watched() const;
  void advance(short happened);

private:
  enum class Stage { Connect, Greet, Pause, Done };

  void tryNext();

  const std::vector<std::string> addresses;
  const Secret secret;
  const int to;
  const nlohmann::json hello;
  double patience;
  size_t next = 0; ///< address
  int fullRounds = 0;
  Stage stage = Stage::Pause;
  Deadline deadline{0};
  Socket socket; ///< until there is a wire
  Wire wire;
};

/// Where this process is called.
class Reception {
public:
  struct Visitor {
    Wire wire;
    nlohmann::json hello;
  };

  explicit Reception(const Ways &ways = {});

  /// The local one first.
  std::vector<std::string> addresses() const;
  /// Who is let in: who knows the key, and means this rank. Nobody before.
  void expect(const Secret &theSecret) { secret = theSecret; }
  /// Waits for a moment, moves the calls on, and returns who has come.
  std::vector<Visitor> turn(std::vector<Call> &calls, const Deadline &deadline);

private:
  struct Stranger {
    Wire wire;
    Deadline early, late; ///< may be ended for others; is ended
  };

  void letIn();
  bool havePlace();

  const Listener network, local;
  Secret secret;
  std::vector<Stranger> strangers; ///< in the order of their coming
};

} // namespace pmrt

#endif // PMRT_COMM_HANDSHAKE_H
