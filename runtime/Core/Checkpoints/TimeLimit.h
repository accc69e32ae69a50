//===- TimeLimit.h - Whether a run fits into its time -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_CHECKPOINTS_TIMELIMIT_H
#define PMRT_CORE_CHECKPOINTS_TIMELIMIT_H

#include "runtime/Base/Recorder/Profile.h"
#include "runtime/Core/Progress.h"

#include <string>

namespace pmrt {

class Context;

/// What --time-limit asks for. Before a loop's first step, a lower bound of
/// what its steps take is known; how long one takes when two have been made, as
/// the first plans transforms. Then a loop that would not be done in time is
/// refused, or with --checkpoint told, and ends with a state before the limit.
class TimeLimit {
public:
  /// A step of a loop begins. All ranks call it.
  void step(Context &context, pmrt_loc loc);
  void loopBegins() {
    seen = 0;
    told = false;
  }

  /// Whether it has asked the run to stop.
  bool isOver() const { return over; }

private:
  /// The loop would be done so many seconds after the start; `step` is what is
  /// known of a step. All ranks call it.
  void judge(Context &context, pmrt_loc loc, double done,
             const std::string &step);

  Clock::time_point start = Clock::now();
  Clock::time_point last;
  int64_t seen = 0;  ///< steps of this loop
  bool told = false; ///< that it would not be done
  bool over = false;
  double longest = 0;
};

} // namespace pmrt

#endif // PMRT_CORE_CHECKPOINTS_TIMELIMIT_H
