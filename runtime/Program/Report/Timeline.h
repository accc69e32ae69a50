//===- Timeline.h - What ranks did when -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_TIMELINE_H
#define PMRT_PROGRAM_REPORT_TIMELINE_H

#include <string>

namespace pmrt {

/// For the page about a run; "" of what was not recorded.
struct TimePictures {
  std::string ranks;  ///< a row for each, in the colours of what it did most
  std::string memory; ///< of the ranks' processes
};

/// `events`: what gatherEvents gave.
TimePictures picturesOverTime(const std::string &events);

/// The colours of both, light and dark.
extern const char *const timelineStyle;

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_TIMELINE_H
