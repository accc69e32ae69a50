//===- Member.h - A process, as the others know it --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_MEMBER_H
#define PMRT_COMM_MEMBER_H

#include "runtime/Comm/Texts.h"

#include <vector>

namespace pmrt {

/// A rank that has come.
struct Member {
  std::vector<std::string> addresses; ///< where it listens, "10.0.0.5:4711"
  std::string host;                   ///< its machine's name
  std::string machine; ///< equal for processes that share a machine
  std::string kernel;  ///< equal for those that see each other's numbers
  int process = 0;
  std::string started; ///< when, to tell it from a later one of that number
  Wire wire;           ///< to it; none to this rank itself
};

/// This process, which listens at `addresses`.
Member introduce(std::vector<std::string> addresses);

/// By which `self` may reach it, as far as can be known: from the same machine
/// its local socket and the loopback first, and not from others.
std::vector<std::string> addressesFrom(const Member &self, const Member &other);

/// Puts those first that are most like the one that `wire` leads to: of the
/// same network. Local ones stay before them.
void nearestFirst(std::vector<std::string> &addresses, const Wire &wire);

/// The kernel says that the other end of its wire is that member's process, and
/// nobody between: both see the same numbers of processes, and it is one of
/// this user and program that has started when it has told.
bool kernelKnows(const Member &self, const Member &other);

nlohmann::json toJson(const Member &member);
Member toMember(const nlohmann::json &text);

} // namespace pmrt

#endif // PMRT_COMM_MEMBER_H
