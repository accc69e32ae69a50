//===- Profile.h - Where the time goes --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_RECORDER_PROFILE_H
#define PMRT_BASE_RECORDER_PROFILE_H

#include "pmrt/pmrt.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pmrt {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Reports when a device has reached a point of its queue.
class DeviceClock {
public:
  virtual ~DeviceClock() = default;
  /// Marks the end of what is queued. Marks are numbered from 0.
  virtual int64_t mark() = 0;
  /// When the mark was reached, since the first one. Waits for it.
  virtual int64_t nanoseconds(int64_t mark) = 0;
  /// Marks before this one are no longer needed.
  virtual void forgetMarks(int64_t before) = 0;
};

/// Counts every runtime call, when enabled, and keeps the first ones one by
/// one: so its memory does not grow with the run. With a device, times are the
/// device's: those of the work that the call has queued.
class Profile {
public:
  /// Calls that the trace has at most.
  static constexpr int64_t mostEvents = 100000;

  Profile() : begin(Clock::now()) {}

  void enable() { on = true; }
  bool enabled() const { return on; }
  /// Times calls by the device from now on; null: no more, and what has been
  /// measured is kept.
  void follow(DeviceClock *device);

  /// A call begins; `outer` keeps what belongs to the call around it.
  Clock::time_point enter(int64_t &outer) {
    outer = std::exchange(innerNs, 0);
    if (clock)
      open.push_back(clock->mark());
    return Clock::now();
  }
  /// A call that began at `start` and ends now. `bytes`: memory traffic, or
  /// bytes sent. The time of calls inside of it, since `enter`, is theirs; a
  /// negative `outer`: there was no `enter`.
  void record(const char *name, pmrt_loc loc, Clock::time_point start,
              int64_t bytes, int64_t outer = -1);

  /// Calls with the same name and location, together.
  struct Row {
    std::string name;
    pmrt_loc loc;
    double seconds = 0;
    int64_t bytes = 0;
    int64_t calls = 0;
  };
  /// The slowest first. All calls are in them.
  std::vector<Row> rows();
  /// Calls that the trace does not have.
  int64_t leftOut() const {
    return std::max<int64_t>(0, recorded - mostEvents);
  }

  /// The table that a run with --profile ends with.
  std::string table(const std::vector<std::string> &locations,
                    double wallSeconds);
  /// Where the rank is now, on its profile's clock.
  int64_t nowNs() const;
  /// The calls one by one, in the Chrome trace format (chrome://tracing,
  /// ui.perfetto.dev), a line each that begins with a comma: the rank is a
  /// process. `laterNs` is what its clock is behind the first rank's.
  std::string events(const std::vector<std::string> &locations, int rank,
                     int64_t laterNs);

private:
  /// The process's memory at a time.
  struct Sample {
    int64_t ns;
    int64_t bytes;
  };
  struct Event {
    int32_t name;
    pmrt_loc loc;
    int64_t startNs;
    int64_t durationNs;
    int64_t ownNs; ///< without the calls inside of it
    int64_t bytes;
    /// Of a device, not read yet; -1: none.
    int64_t startMark = -1, endMark = -1;
    int32_t depth = 0; ///< calls around it
  };

  /// Notes the memory now and then: the more seldom the longer the run.
  void sampleMemory(int64_t ns);
  int32_t nameIndex(const char *name);
  /// Reads the device's times of what is pending. Waits for it.
  void resolve();
  /// The event's times are known.
  void keep(const Event &event);

  bool on = false;
  int64_t innerNs = 0; ///< of the calls inside of the current one
  Clock::time_point begin;
  DeviceClock *clock = nullptr;
  int64_t clockStart = 0;    ///< when the device's first mark was made
  std::vector<int64_t> open; ///< marks at the beginning of calls
  std::vector<std::string> names;
  std::vector<Event> pending; ///< calls whose times the device has yet to tell
  std::vector<Event> kept;    ///< the first `mostEvents`
  std::vector<Sample> memory;
  int64_t sampleGap = 1000000; ///< nanoseconds between samples
  int64_t recorded = 0;        ///< calls
  std::map<std::pair<int32_t, pmrt_loc>, Row> merged; ///< by name and location
};

} // namespace pmrt

#endif // PMRT_BASE_RECORDER_PROFILE_H
