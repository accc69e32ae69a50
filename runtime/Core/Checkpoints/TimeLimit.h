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

/// Ends runs by --time-limit. Before the first step of a loop, it knows a lower
/// bound of the time of a step. After two steps, it knows the time of a step,
/// because the first one also plans transforms. Then a loop that cannot end in
/// time is an error. With --checkpoint, this is a warning, and the run ends
/// with a state before the limit. Without --checkpoint, a run also ends when
/// the limit has passed and a step of a loop over fields begins.
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
