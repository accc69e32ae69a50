//===- PeerInfo.h - What ranks know of each other ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_PEERINFO_H
#define PMRT_COMM_SOCKETS_PEERINFO_H

#include "runtime/Comm/Sockets/JsonMessages.h"

#include <vector>

namespace pmrt {

/// A rank that has arrived at the rendezvous.
struct PeerInfo {
  std::vector<std::string> addresses; ///< where it listens, "10.0.0.5:4711"
  std::string host;                   ///< name of its machine
  std::string machine;      ///< equal for processes that share a machine
  std::string kernel;       ///< equal for processes that share a pid namespace
  int process = 0;          ///< pid
  std::string started;      ///< start time, because pids are reused
  TlsConnection connection; ///< closed for this rank itself
};

/// Describes this process, which listens at `addresses`.
PeerInfo introduce(std::vector<std::string> addresses);

/// The addresses by which `self` may reach `other`. On the same machine the
/// local socket and the loopback device come first; they are left out for
/// other machines.
std::vector<std::string> addressesFrom(const PeerInfo &self,
                                       const PeerInfo &other);

/// Moves addresses in the network of `connection`'s other end to the front,
/// behind local ones.
void nearestFirst(std::vector<std::string> &addresses,
                  const TlsConnection &connection);

/// Whether the kernel confirms that the other end of `other`'s connection is
/// the process that it claims to be: same pid namespace, user, program and
/// start time. No third party can then be between the two.
bool kernelKnows(const PeerInfo &self, const PeerInfo &other);

nlohmann::json toJson(const PeerInfo &peer);
PeerInfo toPeerInfo(const nlohmann::json &text);

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_PEERINFO_H
