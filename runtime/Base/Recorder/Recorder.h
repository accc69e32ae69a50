//===- Recorder.h - What a rank did last ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flight recorder: each rank keeps its last calls of the runtime, always, in
// a log that others can read at any time: a thread that prints it when SIGUSR2
// comes or a wait takes too long, the handler of a crash, and other processes,
// which share the memory and can still read it when the writer has died.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_RECORDER_RECORDER_H
#define PMRT_BASE_RECORDER_RECORDER_H

#include "pmrt/pmrt.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace pmrt {

/// A rank that another one waits for.
struct Awaited {
  int rank = 0;
  int64_t bytes = 0;
  bool receives = false; ///< from it; else the bytes go there
};

/// What a rank says of itself. Plain memory: nothing in it points anywhere.
struct RankLog {
  enum State : int32_t { Running, Done, Failed, Crashed };
  static constexpr size_t nameWords = 3, mostAwaited = 6;

  struct Call {
    std::array<std::atomic<uint64_t>, nameWords> name; ///< its letters
    std::atomic<int64_t> begin, end;                   ///< ns; end 0: it runs
    std::atomic<int64_t> bytes;
    std::atomic<pmrt_loc> loc;
  };
  struct Wait {
    std::atomic<int64_t> bytes; ///< below 0: received
    std::atomic<int32_t> rank;
  };

  std::atomic<int32_t> rank, process, state;
  std::atomic<int64_t> step;       ///< of the innermost loop; -1: in none
  std::atomic<int64_t> iterations; ///< of all loops, since the start
  std::atomic<uint64_t> calls;
  std::array<Call, 16> ring;
  std::atomic<int64_t> waitsSince; ///< ns; 0: does not wait
  std::atomic<int32_t> waits;      ///< for so many, the first of them here
  std::array<Wait, mostAwaited> awaited;
  std::atomic<int64_t> told; ///< ns: when the table was printed last
  int64_t copied;            ///< ns: when this copy was made; 0: it is none
};

class Recorder {
public:
  /// `locations`: of the program, which outlive this.
  Recorder(int rank, const std::vector<std::string> &locations);
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Records the begin of a call. `name` is a literal. Returns the argument of
  /// `leave`. Reading the clock takes longer than a brief call. Therefore only
  /// one in 16 brief calls reads it, and the others use the last time.
  uint64_t enter(const char *name, pmrt_loc loc, int64_t bytes = 0,
                 bool isBrief = false);
  void leave(uint64_t number, int64_t bytes, bool isBrief = false) {
    RankLog::Call &call = log->ring[number % log->ring.size()];
    call.bytes.store(bytes, std::memory_order_relaxed);
    if (!isBrief)
      lastTime = now();
    call.end.store(lastTime, std::memory_order_relaxed);
  }
  /// The step of the innermost loop, from 0; -1: in none.
  void step(int64_t number) {
    log->step.store(number, std::memory_order_relaxed);
    if (number >= 0)
      log->iterations.store(log->iterations.load(std::memory_order_relaxed) + 1,
                            std::memory_order_relaxed);
  }
  /// Whom this rank waits for, until `goesOn`.
  void waits(const std::vector<Awaited> &others);
  void goesOn() { log->waitsSince.store(0, std::memory_order_relaxed); }
  void end(RankLog::State state) {
    log->state.store(state, std::memory_order_relaxed);
  }

  /// Moves the log to memory that other processes of this user can map, at
  /// /proc/PROCESS/fd/NUMBER. Returns the number, -1 if there is no such
  /// memory. It has no name, so that nothing is left of it when all have ended.
  int share();
  /// Has this process read another's log, too. False if it cannot.
  bool readOther(int process, int descriptor);

  /// A copy, to be sent to another machine, and back; null if it is none.
  std::string bytes() const;
  static std::shared_ptr<const RankLog> fromBytes(const std::string &bytes);

  /// What all ranks that this process can read did last: a table of a line a
  /// rank, then who waits for whom, and whose calls differ. `more`: logs of
  /// ranks that this process cannot read.
  static std::string table(const std::vector<const RankLog *> &more = {});
  /// Whether this process is the one of its machine that prints it now.
  static bool isFirstToTell();

private:
  static int64_t now();
  struct Mapping;

  const std::vector<std::string> &locations;
  int64_t lastTime = 0;   ///< ns: the last time that was read
  RankLog *log = nullptr; ///< in the last of `mappings` that is this rank's
  std::vector<std::unique_ptr<Mapping>> mappings;
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

#endif // PMRT_BASE_RECORDER_RECORDER_H
