//===- Address.h - Where a process can be reached ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_ADDRESS_H
#define PMRT_COMM_SOCKETS_ADDRESS_H

#include <netinet/in.h>
#include <optional>
#include <string>
#include <sys/un.h>
#include <vector>

namespace pmrt {

/// An IP address and a port, or the name of a socket that only this machine
/// has.
class Address {
public:
  /// "10.0.0.5:4711", "[fd00::5]:4711" or "local:00a3f".
  static std::optional<Address> parse(const std::string &text);
  /// An IPv4 address that is written as one of IPv6 becomes one of IPv4.
  static std::optional<Address> of(const sockaddr *address);
  /// An unused port of this machine; known once it is bound.
  static Address anyLocal();
  static Address ofLocal(const sockaddr_un &name, socklen_t size);

  std::string text() const;
  std::string host() const; ///< without the port
  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&storage);
  }
  socklen_t size() const { return length; }
  int family() const { return storage.ss_family; }
  bool isLocal() const { return family() == AF_UNIX; }

  int port() const;
  void setPort(int port);

  bool isLoopback() const;
  /// Of one cable: another machine may have the same.
  bool isLinkLocal() const;
  /// Leading bits in common; -1 if they are of different kinds.
  int bitsLike(const Address &other) const;

private:
  void setFamily(int family);
  std::string bytes() const;

  sockaddr_storage storage = {};
  socklen_t length = 0;
};

/// This machine's addresses that are up, the most useful first and loopbacks
/// last; only those of the network interface `chosen` (a name or an address),
/// if that is not empty. Throws Exit::Usage if there is none.
std::vector<Address> ownAddresses(const std::string &chosen);

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_ADDRESS_H
