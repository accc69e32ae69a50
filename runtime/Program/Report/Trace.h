//===- Trace.h - The profile's file -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_TRACE_H
#define PMRT_PROGRAM_REPORT_TRACE_H

#include "runtime/Core/Context.h"

#include <string>

namespace pmrt {

/// The calls of all ranks as events, on the first; elsewhere "". All ranks
/// call it at the same time, which their clocks are set by.
std::string gatherEvents(Context &context);

/// The file in the Chrome trace format: a process a rank. Beside its events,
/// `otherData` has `run`, the record `run` in JSON, and `calls`: the first
/// rank's, those of a name and place together, with the seconds that are their
/// own. `events`: what gatherEvents gave, or "" for this rank's alone.
std::string traceText(Context &context, const std::string &events,
                      const std::string &run);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_TRACE_H
