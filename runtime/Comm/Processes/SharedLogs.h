//===- SharedLogs.h - Ranks read what others did last -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_PROCESSES_SHAREDLOGS_H
#define PMRT_COMM_PROCESSES_SHAREDLOGS_H

#include "runtime/Base/Recorder/Recorder.h"
#include "runtime/Comm/Group.h"

namespace pmrt {

/// Ranks that are processes of one machine map each other's logs, and can read
/// them when the writer has died. A collective.
void shareLogs(Group &world, Recorder &recorder);

} // namespace pmrt

#endif // PMRT_COMM_PROCESSES_SHAREDLOGS_H
