//===- Timeline.h - What ranks did when -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_TIMELINE_H
#define PMRT_PROGRAM_TIMELINE_H

#include <string>

namespace pmrt {

/// Pictures for the page about a run: a row for each rank, in the colours of
/// what it did most of each moment, and the memory of the ranks' processes over
/// time. `events`: what gatherEvents gave; without any, "".
std::string timelineOf(const std::string &events);
std::string memoryOf(const std::string &events);

/// The colours of both, light and dark.
extern const char *const timelineStyle;

} // namespace pmrt

#endif // PMRT_PROGRAM_TIMELINE_H
