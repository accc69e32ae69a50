//===- TimeLimit.h - Whether a run fits into its time -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_TIMELIMIT_H
#define PMRT_CORE_TIMELIMIT_H

#include "runtime/Base/Profile.h"
#include "runtime/Core/Progress.h"

namespace pmrt {

class Context;

/// What --time-limit asks for. How long a step takes is known when one has been
/// made: the second, as the first plans transforms. Then a loop that would not
/// be done in time is refused, or with --checkpoint told, and ends with a state
/// before the limit.
class TimeLimit {
public:
  /// A step of a loop begins. All ranks call it.
  void step(Context &context, pmrt_loc loc);
  void loopBegins() { seen = 0; }

private:
  const Clock::time_point start = Clock::now();
  Clock::time_point last;
  int64_t seen = 0; ///< steps of this loop
  double longest = 0;
};

} // namespace pmrt

#endif // PMRT_CORE_TIMELIMIT_H
