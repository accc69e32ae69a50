//===- Profile.h - Where the time goes --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_PROFILE_H
#define PMRT_CORE_PROFILE_H

#include "pmrt/pmrt.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Collects one event a runtime call, when enabled.
class Profile {
public:
  Profile() : begin(Clock::now()) {}

  void enable() { on = true; }
  bool enabled() const { return on; }

  /// A call that began at `start` and ends now. `bytes`: memory traffic.
  void record(const char *name, pmrt_loc loc, Clock::time_point start,
              int64_t bytes);

  /// Calls with the same name and location, together.
  struct Row {
    std::string name;
    pmrt_loc loc;
    double seconds = 0;
    int64_t bytes = 0;
    int64_t calls = 0;
  };
  /// The slowest first.
  std::vector<Row> rows() const;

  /// The table that a run with --profile ends with.
  std::string table(const std::vector<std::string> &locations,
                    double wallSeconds) const;
  /// The Chrome trace format (chrome://tracing, ui.perfetto.dev).
  std::string trace(const std::vector<std::string> &locations,
                    const std::string &program) const;

private:
  struct Event {
    int32_t name;
    pmrt_loc loc;
    int64_t startNs;
    int64_t durationNs;
    int64_t bytes;
  };

  int32_t nameIndex(const char *name);

  bool on = false;
  Clock::time_point begin;
  std::vector<std::string> names;
  std::vector<Event> events;
};

} // namespace pmrt

#endif // PMRT_CORE_PROFILE_H
