//===- Session.h - Runs of a program within a process -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_SESSION_H
#define PMRT_EMBED_SESSION_H

#include "pmrt/embed.h"
#include "pmrt/pmrt_cuda.h"
#include "runtime/Base/Interrupts.h"
#include "runtime/Comm/ThreadRanks.h"
#include "runtime/Embed/Exchange.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/Program/LifeCycle.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// The exception that is being handled.
Error currentError();

/// A pmrt_error with its texts.
class ErrorRecord {
public:
  explicit ErrorRecord(const Error &error, int rank = -1);
  ErrorRecord(const ErrorRecord &) = delete;
  ErrorRecord &operator=(const ErrorRecord &) = delete;

  const pmrt_error &get() const { return record; }

private:
  Error kept;
  std::vector<pmrt_note> notes;
  pmrt_error record;
};

/// A program that has been opened.
class Library {
  /// Of dlopen, closed last; may be null.
  using Handle = std::unique_ptr<void, int (*)(void *)>;
  Handle handle;

public:
  /// `code`: of a program for GPUs; null: none. Both outlive the library.
  explicit Library(const pmrt_program &program,
                   const pmrt_device_code *code = nullptr)
      : Library(program, code, Handle(nullptr, nullptr)) {}
  /// Opens what `pmc --emit=shared` has made. Throws Error.
  explicit Library(const char *path) : Library(open(path)) {}
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const pmrt_program &program;
  const Descriptor descriptor;
  const std::vector<OutputArray> outputs;
  const std::string signature;
  const DeviceKind devices; ///< empty: the program runs on the CPU

private:
  Library(const pmrt_program &program, const pmrt_device_code *code,
          Handle handle);
  explicit Library(Handle handle);
  static Handle open(const char *path);
};

/// A program's parameters, arrays and ranks. The contexts of the ranks are kept
/// from run to run, and made anew after a failure.
class Session {
public:
  Session(Library &library, const std::vector<std::string> &options);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// Every rank takes and gives its own parts, by arraysOf(rank), instead of
  /// the whole arrays of `arrays`. Before the first run.
  void holdParts();
  size_t rankCount() const;
  SessionArrays &arraysOf(size_t rank) {
    return parts.empty() ? arrays : parts[rank];
  }

  // All but `interrupt` throw Error.
  void setReal(int32_t param, double value);
  void setBits(int32_t param, int64_t value);
  void unset(int32_t param);
  void run();
  /// What an output file says of its numbers; of the last run.
  std::vector<Attribute> attributesOf(size_t output) const;
  /// Bytes of the memory plan of the last run, without memory of the caller.
  int64_t plannedBytes();
  void interrupt() { requests.interrupted.store(1, std::memory_order_relaxed); }
  void setCallbacks(const pmrt_callbacks &chosen) { callbacks = chosen; }

  Library &library;
  SessionArrays arrays;
  std::string attributes; ///< the last text that was asked for
  std::unique_ptr<ErrorRecord> error;
  int failedRank = -1; ///< of the last error

private:
  struct Rank {
    std::shared_ptr<Transport> transport;
    std::optional<pmrt_context> context;
  };
  class Sink;

  const Parameter &paramAt(int32_t param) const;
  void openRanks();
  /// Over the communicator of the option `comm`.
  void attachRank();
  Outcome runRank(Rank &rank, const std::string &problem);
  /// The context and the device of a rank that has none.
  void openRank(Rank &rank, const RunStart &start);
  /// Ends the ranks after a failure: the next run opens new ones.
  void dropRanks();
  /// Restores the current device of the calling thread when it ends; may be
  /// null.
  std::shared_ptr<void> keepThread() const;
  void tellProgress();

  Launch launch;
  const void *comm = nullptr; ///< of MPI; null: ranks are threads
  /// After failures of ranks of MPI: messages under way may still be read.
  std::vector<std::shared_ptr<Transport>> abandoned;
  Interrupts requests;
  pmrt_callbacks callbacks = {};
  std::mutex calling; ///< a callback
  std::unique_ptr<Sink> sink;
  std::chrono::steady_clock::time_point nextProgress;
  std::unique_ptr<Hub> hub;        ///< outlives the ranks
  std::deque<SessionArrays> parts; ///< of the ranks; empty: they share `arrays`
  std::deque<Rank> ranks;          ///< empty until a run begins
};

} // namespace pmrt

#endif // PMRT_EMBED_SESSION_H
