//===- Transport.h - Messages between ranks ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one thing that a transport does is a set of messages, started and waited
// for: everything else (Group.h) is made of it. It takes a queue, so that a
// transport between devices can order itself after the kernels before it.
//
// Between two ranks, messages match in the order in which both start them.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_TRANSPORT_H
#define PMRT_COMM_TRANSPORT_H

#include "pmrt/pmrt.h"
#include "runtime/Base/Error.h"
#include "runtime/Base/Memory/Region.h"
#include "runtime/Base/Recorder/Recorder.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmrt {

class Context;
class Device;

/// A box to be sent to `peer`, or to be received from it.
struct Message {
  int peer = 0;
  Region region;
};

/// What a rank sends and receives at one time. What arrives is combined in the
/// order of `receives`, a rank's own messages first, so that sums do not depend
/// on who is fast.
struct Messages {
  std::vector<Message> sends, receives;
  Combine combine = Combine::Replace;
  pmrt_element element = PMRT_F32; ///< of what is combined
  Device *device = nullptr; ///< in whose memory all regions lie; null: host

  /// Bytes that go to other ranks than `self`.
  int64_t bytesFrom(int self) const {
    int64_t bytes = 0;
    for (const Message &message : sends)
      if (message.peer != self)
        bytes += message.region.bytes();
    return bytes;
  }
};

/// Messages under way. Their memory must stay until `wait` returns, or until
/// the destructor has given them up after an error.
class Exchange {
public:
  virtual ~Exchange() = default;
  /// Once it has returned, another call has nothing to do.
  virtual void wait() = 0;
  /// What is received has come; what is sent may still be read, until `wait`.
  virtual void receive() { wait(); }
};

/// Thrown in the ranks that go on well when another one has failed: they clean
/// up and leave, and print nothing.
class Stopped : public std::exception {
public:
  Stopped(int rank, Exit code, std::string text)
      : failed(rank), exitCode(code), message(std::move(text)) {}

  const char *what() const noexcept override { return message.c_str(); }
  int rank() const { return failed; }
  Exit code() const { return exitCode; }

private:
  int failed;
  Exit exitCode;
  std::string message; ///< what the failed rank printed
};

/// Thrown where a rank is lost or does not respond: a failure of the run,
/// whatever this rank was about.
class RankLost : public std::runtime_error {
public:
  explicit RankLost(const std::string &message)
      : std::runtime_error("[PM9105] " + message) {}
};

/// How messages in the memory of a device are sent.
enum class DeviceMessages {
  InPlace, ///< from the memory of one rank to that of the other
  Packed,  ///< the same, with boxes packed to dense memory (Packed.h)
  Staged   ///< through the host (Staged.h)
};

/// One rank's end of the connections.
class Transport {
public:
  virtual ~Transport() = default;

  /// "self", "threads", "mpi", "tcp" or "nccl".
  virtual const char *name() const = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ranks that share this machine's memory and cores, and this one's place
  /// among them.
  virtual int localSize() const = 0;
  virtual int localRank() const = 0;

  /// The context has its device. A collective.
  virtual void attach(Context &) {}
  virtual std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *queue,
                                          Messages messages) = 0;
  virtual DeviceMessages deviceMessages(const Device &) const {
    return DeviceMessages::InPlace;
  }

  /// Throws Stopped if another rank has failed. Cheap; called by every op.
  virtual void poll() = 0;
  /// Asks the others to stop. False if another rank was first.
  virtual bool fail(Exit code, const std::string &text) = 0;
  /// Waits until all ranks are done. After an error, waits a few seconds, and
  /// then ends the process of ranks that have not noticed: the command line
  /// calls it, embedded sessions join their threads instead.
  virtual void leave(Exit code) = 0;

  /// What waits and reports about ranks that do not come go by.
  struct Watch {
    /// A wait of so many seconds is told, and again when it has doubled.
    double report = 60;
    /// A wait that takes longer is an error.
    double end = 300;
    /// Warns the user of something that is not an error yet.
    std::function<void(const std::string &)> warn = [](const std::string &) {};
    /// The .pm line of a location.
    std::function<std::string(pmrt_loc)> line;
    /// What this rank is doing.
    const char *activity = "";
    pmrt_loc location = -1;
    Recorder *recorder = nullptr; ///< of this rank; may be none
  };
  /// Shared with the transport below this one, if any.
  std::shared_ptr<Watch> watch = std::make_shared<Watch>();
  /// Bytes sent to other ranks, and messages, since the start.
  int64_t sentBytes = 0, sentMessages = 0;

protected:
  void count(const Messages &messages) {
    sentBytes += messages.bytesFrom(rank());
    for (const Message &message : messages.sends)
      sentMessages += message.peer != rank();
  }
  /// "'reshard' has not completed for 300 s: rank 2 did not reach it, ranks 0,
  /// 1 wait", and what all did last. `missing`: whom this rank waits for;
  /// `arrived`: ranks that wait; `logs`: of ranks of other machines.
  std::string lateText(double seconds, const std::vector<Awaited> &missing,
                       const std::vector<int> &arrived,
                       const std::vector<const RankLog *> &logs = {}) const;
};

/// The recorder's entry of a wait, until it is over.
class WaitNote {
public:
  explicit WaitNote(Recorder *recorder) : recorder(recorder) {}
  ~WaitNote() {
    if (recorder && written)
      recorder->goesOn();
  }
  WaitNote(const WaitNote &) = delete;
  WaitNote &operator=(const WaitNote &) = delete;

  /// `missing()`: whom it waits for.
  template <typename Missing> void write(const Missing &missing) {
    if (recorder)
      recorder->waits(missing());
    written = true;
  }
  bool isWritten() const { return written; }

private:
  Recorder *recorder;
  bool written = false;
};

/// The messages of a rank to itself: done at once, and removed.
void exchangeWithSelf(Threads &threads, Messages &messages, int self);

/// One rank alone.
std::unique_ptr<Transport> makeSelfTransport();

} // namespace pmrt

#endif // PMRT_COMM_TRANSPORT_H
