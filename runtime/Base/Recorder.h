//===- Recorder.h - What a rank did last ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flight recorder: each rank keeps its last calls of the runtime, always, in
// a ring that others can read at any time: a thread that tells when SIGUSR2
// comes or a wait takes too long, and the handler of a crash.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_RECORDER_H
#define PMRT_CORE_RECORDER_H

#include "pmrt/pmrt.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace pmrt {

class Recorder {
public:
  /// `locations`: of the program, which outlive this.
  Recorder(int rank, const std::vector<std::string> &locations);
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// A call begins. `name` is a literal. Returns what `leave` wants.
  uint64_t enter(const char *name, pmrt_loc loc) {
    const uint64_t number = calls.load(std::memory_order_relaxed);
    Call &call = ring[number % ring.size()];
    call.end.store(0, std::memory_order_relaxed);
    call.name.store(name, std::memory_order_relaxed);
    call.loc.store(loc, std::memory_order_relaxed);
    call.begin.store(now(), std::memory_order_relaxed);
    calls.store(number + 1, std::memory_order_release);
    return number;
  }
  void leave(uint64_t number) {
    ring[number % ring.size()].end.store(now(), std::memory_order_relaxed);
  }
  /// The step of the innermost loop, from 0; -1: in none.
  void step(int64_t number) {
    stepNow.store(number, std::memory_order_relaxed);
  }

  /// "rank 2: in 'all_reduce' (nbody.pm:14:9) for 12.3 s, step 4; before that
  /// 'paint' (nbody.pm:9:3) 0.21 s, ..." into `to`, of `size` bytes. Needs no
  /// memory and no lock. Returns the length.
  size_t describe(char *to, size_t size) const;

  /// The same of all ranks of this process, a line each.
  static std::string describeAll();

private:
  struct Call {
    std::atomic<const char *> name{nullptr};
    std::atomic<pmrt_loc> loc{-1};
    std::atomic<int64_t> begin{0}, end{0}; ///< ns; end 0: it runs
  };
  static int64_t now();

  const int rank;
  const std::vector<std::string> &locations;
  std::array<Call, 16> ring;
  std::atomic<uint64_t> calls{0};
  std::atomic<int64_t> stepNow{-1};
};

/// While it lives, SIGUSR2 has the last calls of this process's ranks printed
/// on stderr, and so has a crash.
class RecorderSignals {
public:
  RecorderSignals();
  ~RecorderSignals();
  RecorderSignals(const RecorderSignals &) = delete;
  RecorderSignals &operator=(const RecorderSignals &) = delete;

private:
  int ends[2] = {-1, -1}; ///< of a pipe
  std::thread teller;
};

} // namespace pmrt

#endif // PMRT_CORE_RECORDER_H
