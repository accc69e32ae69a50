//===- TlsConnection.h - Authenticated connections of ranks -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TLS 1.3 of OpenSSL with a pre-shared key (RFC 8446, 2.2) and no certificates.
// Each end proves that it knows the key of the run, which is never sent, and
// that it means this pair of ranks. All later bytes are encrypted; altered,
// repeated or missing bytes are an error. Before the proof only a few bytes are
// read, and only OpenSSL interprets them.
//
// Encryption adds nothing between processes whose identity the kernel confirms.
// After the proofs, such a connection may continue without it (Rendezvous.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_WIRE_H
#define PMRT_COMM_WIRE_H

#include "runtime/Comm/Sockets/Sockets.h"

#include <memory>
#include <string>
#include <sys/types.h>

namespace pmrt {

struct SecretState;
struct TlsConnectionState;

/// The key of the run as one rank uses it, or no key.
class Secret {
public:
  Secret() = default;
  Secret(std::string key, int rank);

  bool known() const { return state != nullptr; }

private:
  friend class TlsConnection;
  std::shared_ptr<const SecretState> state;
};

/// One end of a connection, or a closed one.
class TlsConnection {
public:
  TlsConnection();
  /// The end of the rank that calls rank `to`.
  TlsConnection(Socket socket, const Secret &secret, int to);
  /// The end of the rank that is called.
  TlsConnection(Socket socket, const Secret &secret);
  TlsConnection(TlsConnection &&) noexcept;
  TlsConnection &operator=(TlsConnection &&) noexcept;
  ~TlsConnection();

  int get() const;
  bool open() const { return state != nullptr; }
  void close();

  /// Continues the handshake. Returns false and closes if it failed.
  bool greet();
  /// Whether both ends have proved that they know the key.
  bool greeted() const;
  /// The rank of the other end; -1 before the handshake has ended.
  int peer() const;
  /// The event that `greet` waits for: POLLIN or POLLOUT.
  short waitsFor() const;

  /// Returns the number of bytes read, 0 if none has arrived yet, or -1 if none
  /// will arrive; `why` returns the reason.
  ssize_t read(void *data, size_t size);
  /// Copies bytes into the send buffer and returns how many fitted.
  size_t write(const void *data, size_t size);
  /// Sends the buffered bytes. Returns false if the socket did not accept all.
  bool flush();
  /// Whether nothing can be sent any more; buffered bytes are dropped.
  bool lost() const;
  /// Uses new session keys for all bytes sent from now on.
  void renewKeys();
  /// Stops encrypting in both directions. Both ends must have agreed, because
  /// the kernel confirmed the identity of the other.
  void goBare();
  bool bare() const;
  /// The reason why reading ended; empty if the other end closed normally.
  const std::string &why() const;

private:
  std::unique_ptr<TlsConnectionState> state;
};

} // namespace pmrt

#endif // PMRT_COMM_WIRE_H
