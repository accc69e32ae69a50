//===- Wire.h - A connection between two ranks that are sure ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TLS 1.3 of OpenSSL with a key that both know before (RFC 8446, 2.2), and no
// certificates: each proves to the other that it knows the run's key, of which
// nothing goes over the wire, and that it means this pair of ranks. What is
// sent then is encrypted, and what was altered, repeated or left out on the way
// is an error. Until the proof few bytes are read, and none of them is ours to
// interpret.
//
// Between processes of which the kernel says the same, keys add nothing: after
// the proofs, such a wire may go on without (Rendezvous.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_WIRE_H
#define PMRT_COMM_WIRE_H

#include "runtime/Comm/Sockets.h"

#include <memory>
#include <string>
#include <sys/types.h>

namespace pmrt {

struct SecretState;
struct WireState;

/// The run's key, as a rank has it; or none.
class Secret {
public:
  Secret() = default;
  Secret(std::string key, int rank);

  bool known() const { return state != nullptr; }

private:
  friend class Wire;
  std::shared_ptr<const SecretState> state;
};

/// One end of a connection, or none.
class Wire {
public:
  Wire();
  /// Of the rank that calls rank `to`.
  Wire(Socket socket, const Secret &secret, int to);
  /// Of the one that is called.
  Wire(Socket socket, const Secret &secret);
  Wire(Wire &&) noexcept;
  Wire &operator=(Wire &&) noexcept;
  ~Wire();

  int get() const;
  bool open() const { return state != nullptr; }
  void close();

  /// Moves the proofs on. False, and closed, if there will be none.
  bool greet();
  /// Both have proved what they have to.
  bool greeted() const;
  /// The other's rank, which it has proved to mean; -1 before.
  int peer() const;
  /// What greet waits for: POLLIN or POLLOUT.
  short waitsFor() const;

  /// Bytes that have come, 0 if there are none yet, -1 if there will be none:
  /// `why` tells.
  ssize_t read(void *data, size_t size);
  /// Bytes that were taken; the rest when there is room. Their memory is not
  /// needed any more.
  size_t write(const void *data, size_t size);
  /// Sends what was taken. False if there is no room for all of it.
  bool flush();
  /// Nothing can be sent any more, and what was taken is dropped.
  bool lost() const;
  /// New keys for what is sent from now on.
  void renewKeys();
  /// What either end sends from now on goes as it is: both have agreed, as they
  /// know without keys that nobody is between them.
  void goBare();
  bool bare() const;
  /// Why reading has ended; empty if the other end was closed.
  const std::string &why() const;

private:
  std::unique_ptr<WireState> state;
};

} // namespace pmrt

#endif // PMRT_COMM_WIRE_H
