//===- LifeCycle.h - From a program to its outcome --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of a run on one rank: a context is opened, memory is planned, the
// program's entry runs, and an outcome says how it ended. The command line and
// embedded sessions share this. Nothing here prints, exits the process or
// touches a folder of outputs.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_LIFECYCLE_H
#define PMRT_PROGRAM_LIFECYCLE_H

#include "runtime/Base/Error.h"
#include "runtime/Base/Memory/Device.h"
#include "runtime/Core/Context.h"
#include "runtime/Program/Flags/CommandLine.h"
#include "runtime/Program/Report/Report.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pmrt {

/// What all ranks of a process share.
struct RunStart {
  const pmrt_program &program;
  const Descriptor &descriptor;
  const Launch &launch;
  const DeviceKind &devices;
};

/// How a run, or its preparation, has ended on this rank.
struct Outcome {
  Exit code = Exit::Done;
  /// "done", "failed", "interrupted" or "suspended".
  std::string status = "done";
  /// Of a failure: what this rank has found, or what stopped it.
  std::string message;
  std::optional<Error> error; ///< none: done, interrupted, or stopped by others
  /// Whether this rank reports the error or the interruption for all.
  bool reports = false;
  std::string rank;     ///< "rank 2: " if the error is that rank's alone
  std::string location; ///< of an interruption, if known
};

/// Throws Exit::Usage if the program was made for another runtime.
void checkVersion(const pmrt_program &program);

/// Opens this rank's context. Throws if the mesh has not as many ranks as the
/// transport. `context` must outlive the transport's last call.
void openContext(std::optional<pmrt_context> &context, const RunStart &start,
                 std::shared_ptr<Transport> transport,
                 const Surroundings &surroundings = {});

/// Finds this rank's GPU, if the program is for GPUs. A dry run does without.
void takeDevice(pmrt_context &context, const DeviceKind &devices);

/// Plans the memory of the fields and of all that the program needs besides.
/// Throws if it exceeds the memory limit. A dry run gets the reason instead, as
/// `problem`.
MemoryNeeds planMemory(pmrt_context &context, std::string &problem);

/// Runs the program's entry, then `finish`, on this rank. Stops the other ranks
/// of a failure.
Outcome runEntry(pmrt_context &context, void (*entry)(pmrt_context *),
                 const std::function<void()> &finish = {});

/// The outcome of an exception that is being handled and was thrown before the
/// entry. Stops the other ranks.
Outcome failedStart(Transport &transport);

} // namespace pmrt

#endif // PMRT_PROGRAM_LIFECYCLE_H
