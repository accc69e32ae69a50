//===- TimeLimit.cpp - Whether a run fits into its time -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/TimeLimit.h"

#include "runtime/Base/Format.h"
#include "runtime/Base/Signals.h"
#include "runtime/Core/Context.h"

#include <algorithm>
#include <fmt/format.h>

using namespace pmrt;

void TimeLimit::step(Context &context, pmrt_loc loc) {
  const double limit = context.settings.timeLimit;
  if (limit <= 0 || context.progress.loops().size() != 1)
    return;
  const double lasted = seen > 0 ? secondsSince(last) : 0;
  last = Clock::now();
  ++seen;
  if (seen < 3)
    return;
  longest = std::max(longest, lasted);
  const bool keeps = !context.settings.checkpoint.empty();
  // Room for a step, and for a state.
  if (keeps && secondsSince(start) + 2 * longest > limit)
    askToStop();
  if (seen > 3)
    return;
  const Loop &loop = context.progress.loops().front();
  if (loop.count <= 0)
    return;
  double most[] = {lasted, 0};
  most[1] = secondsSince(start) + lasted * double(loop.count - loop.step);
  context.world.reduce(PMRT_MAX, 2, most);
  if (most[1] <= limit)
    return;
  const std::string text = fmt::format(
      "a step takes {}, and the {} steps of this loop until {} after the "
      "start, more than the {} of --time-limit",
      secondsText(most[0]), loop.count, secondsText(most[1]),
      secondsText(limit));
  if (!keeps)
    throw context.failure(loc, text).everywhere();
  if (context.transport->rank() == 0)
    context.transport->watch->warn(text +
                                   "; it will end with a state, for --resume");
}
