//===- StepBound.cpp - What a step takes at least -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever caches there are: of N bytes that are read in one go, at least N - S
// come from beyond a cache of S bytes, and sweeps over S bytes, one after the
// other, run at least as fast as what is beyond caches below S. So each size S
// gives a lower bound of the time, and the largest of these is taken. All ranks
// sweep at one time, as they step at one time.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/StepBound.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Checkpoints/CheckpointStore.h"
#include "runtime/Core/Context.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace pmrt;

/// Sizes of sweeps: beyond the caches of a core, of several, of a socket.
static constexpr std::array<int64_t, 3> sizes = {8 << 20, 32 << 20, 128 << 20};

/// How much faster the run may be than what was measured: other work may stand
/// beside the measurement, and reads and writes together can be faster than
/// reads.
static constexpr double doubt = 2;

static constexpr int tries = 5;

/// Vectors of eight, and four of them at a time, so that loads need not wait
/// for additions.
static uint64_t sweep(const char *from, int64_t bytes) {
  using Lanes = uint64_t __attribute__((vector_size(64)));
  Lanes a = {}, b = {}, c = {}, d = {}, next[4];
  for (int64_t at = 0; at + int64_t(sizeof next) <= bytes; at += sizeof next) {
    std::memcpy(next, from + at, sizeof next);
    a += next[0];
    b += next[1];
    c += next[2];
    d += next[3];
  }
  const Lanes sum = a + b + c + d;
  uint64_t all = 0;
  for (int i = 0; i < 8; ++i)
    all += sum[i];
  return all;
}

/// Bytes/s of this rank's threads; the fastest of some tries.
static double measureSweep(Threads &threads, const Pages &pages,
                           int64_t bytes) {
  std::atomic<uint64_t> sum = 0; // so that the sweeps are made
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries; ++i) {
    const auto begin = Clock::now();
    threads.forRange(bytes / 4096, [&](int64_t from, int64_t to) {
      sum += sweep(pages.data() + 4096 * from, 4096 * (to - from));
    });
    least = std::min(least, secondsSince(begin));
  }
  return double(bytes) / std::max(least, 1e-9);
}

namespace {

/// Fields that are gone through in one go.
struct Pass {
  double bytes, times;
};

} // namespace

static std::vector<Pass> passesOf(const Context &context,
                                  const LoopMoves &loop) {
  std::vector<Pass> passes;
  for (const LoopMoves::Move &move : loop.moves) {
    double bytes = double(move.bytes);
    for (int32_t dim : move.dims)
      bytes *= double(context.shards[size_t(dim)].extent);
    passes.push_back(
        {bytes, double(evaluate(context, move.times).value_or(0))});
  }
  return passes;
}

std::string StepBound::text() const {
  return fmt::format("moves at least {} of memory; the measured rate is {}/s: "
                     "at least {} at twice that rate",
                     bytesText(bytes), bytesText(rate), secondsText(seconds));
}

StepBound pmrt::boundStep(Context &context, const LoopMoves &loop) {
  const std::vector<Pass> passes = passesOf(context, loop);
  double most = 0;
  for (const Pass &pass : passes)
    most = std::max(most, pass.bytes);
  // A rank without memory for it bounds nothing.
  const auto available =
      double(context.memoryLimit() - context.placement().total);
  double limits[] = {most, -available};
  context.world.reduce(PMRT_MAX, 2, limits);
  const double largest = std::min(limits[0], -limits[1]);

  Pages pages;
  StepBound best;
  for (int64_t size : sizes) {
    if (double(size) >= largest)
      break;
    if (pages.size() == 0) {
      // Touched by who sweeps over it.
      pages = Pages(*std::find_if(sizes.rbegin(), sizes.rend(), [&](int64_t s) {
        return double(s) < largest;
      }));
      context.threads.forRange(pages.size() / 4096, [&](int64_t a, int64_t b) {
        std::memset(pages.data() + 4096 * a, 1, size_t(4096 * (b - a)));
      });
    }
    double sums[] = {0, measureSweep(context.threads, pages, size)};
    for (const Pass &pass : passes)
      sums[0] += pass.times * std::max(0.0, pass.bytes - double(size));
    context.world.reduce(PMRT_SUM, 2, sums);
    const double seconds = sums[0] / (doubt * sums[1]);
    if (seconds > best.seconds)
      best = {sums[0], sums[1], seconds};
  }
  return best;
}

StepBound pmrt::boundStep(Context &context, pmrt_loc loc) {
  StepBound least;
  bool found = false;
  for (const LoopMoves &loop : context.program.loops) {
    if (loop.location != loc || context.gpu())
      continue;
    const StepBound bound = boundStep(context, loop);
    if (!found || bound.seconds < least.seconds)
      least = bound;
    found = true;
  }
  return least;
}
