//===- LocalProcess.h - A rank that may be ended ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank that has failed ends those that stand still. The numbers of their
// processes were told, so nothing is done to a process that is not provably one
// of the run's: of this user, of this program, and started when it was told.
// What holds it afterwards is a descriptor, which no later process of the same
// number can get.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_PROCESSES_LOCALPROCESS_H
#define PMRT_COMM_PROCESSES_LOCALPROCESS_H

#include <string>
#include <utility>

namespace pmrt {

/// When a process of this machine has started, in ticks since the machine has;
/// empty if there is none.
std::string startOf(int process);

/// A process, or none.
class LocalProcess {
public:
  LocalProcess() = default;
  /// None if it is not another one of this user and program that has started
  /// then.
  LocalProcess(int process, const std::string &started);
  LocalProcess(LocalProcess &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)) {}
  LocalProcess &operator=(LocalProcess &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~LocalProcess();

  bool known() const { return descriptor >= 0; }
  /// By SIGKILL.
  void end() const noexcept;

private:
  int descriptor = -1;
};

} // namespace pmrt

#endif // PMRT_COMM_PROCESSES_LOCALPROCESS_H
