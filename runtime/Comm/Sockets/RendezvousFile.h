//===- RendezvousFile.h - The file by which processes meet ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_RENDEZVOUSFILE_H
#define PMRT_COMM_SOCKETS_RENDEZVOUSFILE_H

#include "runtime/Comm/Sockets/PeerInfo.h"

#include <optional>

namespace pmrt {

/// What the first rank writes for the others.
struct Invitation {
  std::string key; ///< random; who knows it may come
  std::string job;
  PeerInfo first; ///< without its connection
};

/// None if there is no such file, or it is another one. One that others could
/// have written, or can read, is an error.
std::optional<Invitation> readInvitation(const std::string &path);

/// Removes what an earlier run has left, if it is still that.
void removeInvitation(const std::string &path, const std::string &key);

/// The file, while ranks are waited for. It must not be there before.
class WrittenInvitation {
public:
  WrittenInvitation(std::string where, const Invitation &what);
  WrittenInvitation(const WrittenInvitation &) = delete;
  WrittenInvitation &operator=(const WrittenInvitation &) = delete;
  ~WrittenInvitation();

private:
  const std::string path, key;
};

std::string randomKey();

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_RENDEZVOUSFILE_H
