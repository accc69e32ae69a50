//===- Handshake.h - How two processes make sure of each other --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address may lead to the wrong process: network bridges have the same
// address on many machines, and any process may connect to a port, or listen
// where an earlier run listened. Caller and callee therefore first prove to
// each other that they know the key of the run and mean this pair of ranks
// (TlsConnection.h). Then the caller sends a hello message. The callee keeps
// the connection once it has received that message, because the caller may have
// given up before.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_HANDSHAKE_H
#define PMRT_COMM_SOCKETS_HANDSHAKE_H

#include "runtime/Comm/Sockets/JsonMessages.h"

#include <poll.h>
#include <vector>

namespace pmrt {

/// The largest description of a rank, in bytes.
constexpr size_t mostOfARank = 1 << 14;

/// Calls a process at its addresses in turn, repeatedly, until one of them
/// leads to a process that proves to be the intended one.
class Call {
public:
  /// Calls rank `to`. Each address gets `patience` seconds, doubled in each
  /// round.
  Call(std::vector<std::string> addresses, const Secret &secret, int to,
       nlohmann::json hello, double patience);

  bool done() const { return stage == Stage::Done; }
  /// How often all addresses have been tried.
  int rounds() const { return fullRounds; }
  TlsConnection takeConnection() { return std::move(connection); }

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
  Socket socket; ///< until the connection is made
  TlsConnection connection;
};

/// The listening sockets of this process, and the connections that arrive.
class Reception {
public:
  struct Visitor {
    TlsConnection connection;
    nlohmann::json hello;
  };

  explicit Reception(const Ways &ways = {});

  /// The local one first.
  std::vector<std::string> addresses() const;
  /// From now on admits processes that know `theSecret` and mean this rank;
  /// before, none is admitted.
  void expect(const Secret &theSecret) { secret = theSecret; }
  /// Waits a moment, continues `calls`, and returns admitted processes.
  std::vector<Visitor> turn(std::vector<Call> &calls, const Deadline &deadline);

private:
  struct PendingConnection {
    TlsConnection connection;
    /// After `early` it may be dropped in favor of others; after `late` it is
    /// dropped.
    Deadline early, late;
  };

  void letIn();
  bool havePlace();

  const Listener network, local;
  Secret secret;
  std::vector<PendingConnection> pending; ///< in order of arrival
};

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_HANDSHAKE_H
