//===- XlaCall.h - A program in a computation of XLA ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_XLACALL_H
#define PMRT_EMBED_XLACALL_H

#include "runtime/Embed/Session.h"
#include "runtime/Embed/XlaAbi.h"

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace pmrt {

/// The memory that has the buffers of a call.
struct XlaMemory {
  int32_t space = PMRT_HOST; ///< pmrt_space
  void *stream = nullptr;    ///< a CUstream; null on the host
};

/// A program with the meaning of its operands and results in XLA. Threads call
/// it at the same time, each with a session of its own.
class XlaCall {
public:
  /// `text`: the attribute of XLA, JSON. Throws Error.
  explicit XlaCall(const std::string &text);

  /// Runs the program once, or once for each index of the dimensions that
  /// precede those of the program. Of a program on shards, waits for the calls
  /// of all ranks, and one of them runs it. Throws Error.
  void run(const xla::Buffers &arguments, const xla::Buffers &results,
           const XlaMemory &memory);
  /// Ends the runs of all threads with the exit code of an interrupt.
  void interrupt();

private:
  struct Batched;
  struct Lease;
  struct Meeting;
  /// The buffers of one rank.
  struct Operands {
    std::vector<Batched> from, to;
    XlaMemory memory;
  };
  struct Argument {
    std::string name;
    int32_t input = -1;
    std::vector<int32_t> params; ///< of no input: one, or those of a list
    size_t rank = 0;             ///< of one call
  };
  struct Fixed {
    int32_t param;
    std::string value;
  };

  int32_t paramIndex(const std::string &name) const;
  Argument argumentOf(const std::string &name) const;
  int32_t outputIndex(const std::string &name) const;
  std::unique_ptr<Session> take();
  void setFixed(Session &session) const;
  Operands operandsOf(const xla::Buffers &arguments,
                      const xla::Buffers &results) const;
  void checkMemory(const XlaMemory &memory) const;
  /// `all`: of each rank, or of all.
  void runAll(const std::vector<Operands> &all);
  void meet(size_t rank, Operands operands);
  /// Copied and converted arrays, which are kept until the end of a run.
  using Kept = std::deque<std::vector<int64_t>>;
  static void bind(Session &session, size_t rank, const Argument &argument,
                   const Batched &from, const void *data, XlaMemory memory,
                   Kept &kept);
  static void bind(Session &session, size_t rank, int32_t result,
                   const Batched &to, void *data, const XlaMemory &memory);

  std::unique_ptr<Library> library;
  std::vector<std::string> options;
  std::vector<Argument> arguments;
  std::vector<int32_t> results;
  std::vector<Fixed> values;
  bool shards = false; ///< the first operand is the rank
  size_t ranks = 1;    ///< of `shards`
  std::mutex lock;     ///< guards what follows
  std::vector<std::unique_ptr<Session>> idle;
  std::set<Session *> busy;
  std::shared_ptr<Meeting> meeting; ///< ranks that wait for others
};

} // namespace pmrt

#endif // PMRT_EMBED_XLACALL_H
