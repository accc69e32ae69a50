//===- Address.h - Where a process can be reached ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_ADDRESS_H
#define PMRT_COMM_ADDRESS_H

#include <netinet/in.h>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// An IP address and a port.
class Address {
public:
  /// "10.0.0.5:4711" or "[fd00::5]:4711".
  static std::optional<Address> parse(const std::string &text);
  /// An IPv4 address that is written as one of IPv6 becomes one of IPv4.
  static std::optional<Address> of(const sockaddr *address);

  std::string text() const;
  std::string host() const; ///< without the port
  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&storage);
  }
  socklen_t size() const;
  int family() const { return storage.ss_family; }

  int port() const;
  void setPort(int port);

  bool isLoopback() const;
  /// Of one cable: another machine may have the same.
  bool isLinkLocal() const;
  /// Leading bits in common; -1 if one is IPv4 and the other IPv6.
  int bitsLike(const Address &other) const;

private:
  std::string bytes() const;

  sockaddr_storage storage = {};
};

/// This machine's addresses that are up, the most useful first and loopbacks
/// last; only those of the network interface `chosen` (a name or an address),
/// if that is not empty. Throws Exit::Usage if there is none.
std::vector<Address> ownAddresses(const std::string &chosen);

} // namespace pmrt

#endif // PMRT_COMM_ADDRESS_H
