//===- TimeLimit.cpp - Whether a run fits into its time -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/TimeLimit.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Checkpoints/StepBound.h"
#include "runtime/Core/Context.h"

#include <algorithm>
#include <fmt/format.h>

using namespace pmrt;

void TimeLimit::judge(Context &context, pmrt_loc loc, double done,
                      const std::string &step) {
  const double limit = context.settings.timeLimit;
  double most[] = {done};
  context.world.reduce(PMRT_MAX, 1, most);
  if (most[0] <= limit)
    return;
  const std::string text =
      fmt::format("a step {}; the {} steps of this loop would end {} after the "
                  "start, but --time-limit is {}",
                  step, context.progress.loops().front().count,
                  secondsText(most[0]), secondsText(limit));
  if (context.settings.checkpoint.empty())
    throw context
        .failure(loc, "[PM9106] " + text +
                          "; reduce the number of steps or the grid, use "
                          "more ranks, or raise --time-limit")
        .everywhere();
  told = true;
  if (context.transport->rank() == 0)
    context.transport->watch->warn("[PM9203] " + text +
                                   "; the run will save a state and end "
                                   "in time; continue it with --resume");
}

/// The error of a run without --checkpoint whose time is over.
static Error passed(Context &context, pmrt_loc loc, double limit) {
  const Loop &outer = context.progress.loops().front();
  const std::string steps =
      outer.count > 0
          ? fmt::format("after {} of {} steps of {}", outer.step, outer.count,
                        context.progress.loops().size() == 1
                            ? "this loop"
                            : "the outermost loop")
          : std::string("and the number of remaining steps of this loop is "
                        "unknown");
  return context.failure(
      loc, fmt::format("[PM9106] --time-limit={} has passed{} {}; reduce the "
                       "number of steps or the grid, use more ranks, or raise "
                       "--time-limit; with --checkpoint, the run saves a state "
                       "before the limit",
                       secondsText(limit), outer.count > 0 ? "" : ",", steps));
}

void TimeLimit::step(Context &context, pmrt_loc loc) {
  const double limit = context.settings.timeLimit;
  if (limit <= 0)
    return;
  // Predictions can be too low: later steps may take longer.
  const bool isKept = !context.settings.checkpoint.empty();
  if (!isKept && secondsSince(start) > limit)
    throw passed(context, loc, limit);
  if (context.progress.loops().size() != 1)
    return;
  const double lasted = seen > 0 ? secondsSince(last) : 0;
  const Loop &loop = context.progress.loops().front();
  if (seen == 0 && loop.count > 0)
    if (const StepBound bound = boundStep(context, loc); bound.seconds > 0)
      judge(context, loc,
            secondsSince(start) + bound.seconds * double(loop.count),
            bound.text());
  last = Clock::now();
  ++seen;
  if (seen < 3)
    return;
  longest = std::max(longest, lasted);
  // Time for a step, and for a state.
  if (isKept && secondsSince(start) + 2 * longest > limit) {
    over = true;
    askToStop();
  }
  if (seen > 3 || told || loop.count <= 0)
    return;
  double most[] = {lasted};
  context.world.reduce(PMRT_MAX, 1, most);
  judge(context, loc,
        secondsSince(start) + lasted * double(loop.count - loop.step),
        "takes " + secondsText(most[0]));
}
