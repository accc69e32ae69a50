//===- Samples.h - Samples that are read as they are needed -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread reads what will be needed next while the program computes. Whoever
// reads at once waits for it before, so that the files are of one thread at a
// time.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_SAMPLES_H
#define PMRT_IO_INPUTS_SAMPLES_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Inputs/SampleFiles.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace pmrt {

/// This rank's part of the samples of an input.
class SampleStream {
public:
  /// Throws std::runtime_error.
  SampleStream(Context &context, const Input &input, const std::string &spec);
  ~SampleStream();
  SampleStream(const SampleStream &) = delete;
  SampleStream &operator=(const SampleStream &) = delete;

  const SampleFiles &set() const { return files; }
  /// The first number that no sample has, if there is one.
  std::optional<int64_t>
  firstMissing(const std::vector<int64_t> &numbers) const;
  int64_t bytes(const std::vector<int64_t> &numbers) const;
  /// Reads one into `memory` of the host, and looks for wrong values.
  void look(int64_t number, char *memory);
  /// Into memory of the context's fields, one sample after the other. Throws
  /// std::runtime_error if one is not as it should be.
  void read(const std::vector<int64_t> &numbers, void *out);
  /// Begins to read them into `memory`, of the host; null: its own.
  void prefetch(const std::vector<int64_t> &numbers, char *memory);

  const std::string &name() const { return input.name; }
  int64_t reads() const { return all; }
  /// Reads of what had been begun before.
  int64_t foreseen() const { return early; }

private:
  void work();
  void load(const std::vector<int64_t> &numbers, char *out,
            const std::function<void()> &between);
  void check(const std::vector<int64_t> &numbers, const char *data);
  /// Until the thread has nothing to do.
  void await(std::unique_lock<std::mutex> &lock);

  Context &context;
  const Input &input;
  SampleFiles files;
  std::vector<int64_t> start, shape; ///< of this rank's part
  int64_t cells = 1;
  int64_t all = 0, early = 0;

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int64_t> wanted; ///< what is prefetched; empty: nothing
  char *ahead = nullptr;
  std::vector<char> own; ///< on GPUs, whose memory no file is read into
  bool isReading = false, ends = false;
  std::string problem; ///< of what was prefetched
  std::atomic<bool> gaveUp = false;
  std::thread thread;
};

} // namespace pmrt

#endif // PMRT_IO_INPUTS_SAMPLES_H
