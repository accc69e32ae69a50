//===- Interrupts.h - Requests to end a run ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several runs may share a process, and each has its own requests. A thread
// works for one run at a time: InterruptScope says for which. Outside of any
// scope a thread works for the process, whose requests signals make.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_INTERRUPTS_H
#define PMRT_BASE_INTERRUPTS_H

#include <atomic>
#include <chrono>
#include <cstdint>

namespace pmrt {

struct Interrupts {
  std::atomic<int32_t> interrupted = 0;     ///< end the run now
  std::atomic<int32_t> askedToStop = 0;     ///< end it at the next state
  std::atomic<int32_t> loopsWithStates = 0; ///< loops that run and keep states

  /// If set, the thread that has started the run calls it with `asked` ten
  /// times a second. True interrupts the run.
  bool (*ask)(void *asked) = nullptr;
  void *asked = nullptr;
  std::chrono::steady_clock::time_point nextAsk;

  /// Those of the calling thread's run.
  static Interrupts &current();
  /// Those that signals set.
  static Interrupts &ofProcess();
};

/// While it lives, the calling thread works for the run with these requests.
class InterruptScope {
public:
  /// `starts`: the thread has started the run, and calls `requests.ask`.
  explicit InterruptScope(Interrupts &requests, bool starts = false);
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

private:
  Interrupts *before;
  bool startedBefore;
};

/// While one lives, the first SIGTERM asks for the next state only, as SIGUSR1.
class StopsAtState {
public:
  StopsAtState();
  ~StopsAtState();
  StopsAtState(const StopsAtState &) = delete;
  StopsAtState &operator=(const StopsAtState &) = delete;

private:
  Interrupts &requests;
};

/// As SIGUSR1 does: the program ends at its next state.
void askToStop();
/// Whether the run is to end at its next state.
bool isAskedToStop();

bool isInterrupted();
/// Throws Interrupted once the run is to end.
void checkInterrupt();

} // namespace pmrt

#endif // PMRT_BASE_INTERRUPTS_H
