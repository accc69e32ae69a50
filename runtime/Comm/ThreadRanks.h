//===- ThreadRanks.h - Ranks as threads of one process ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is the address of its box: the receiver copies it from there, box
// to box, and the sender waits until that has happened. Only small ones of the
// host are copied aside when they are sent, so that no rank waits for their
// receiver: that wait costs two switches of threads, the copy nothing. Between
// devices, all this is queued, and it is the queues that wait.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_THREADRANKS_H
#define PMRT_COMM_THREADRANKS_H

#include "runtime/Comm/Transport.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace pmrt {

/// Where the ranks of a process meet.
class Hub {
public:
  explicit Hub(int ranks);

  int ranks() const { return int(mailboxes.size()); }
  /// Rank `rank`'s end. The hub must outlive it.
  std::unique_ptr<Transport> connect(int rank);

private:
  friend class ThreadTransport;
  friend class ThreadExchange;

  /// A message that waits for its receiver.
  struct Post {
    enum class State { Ready, Copying, Done };
    Region region;
    const char *activity = ""; ///< of the sender's call, and where that is
    pmrt_loc location = -1;
    /// Of devices, who works on the region: the sender, then the receiver.
    std::shared_ptr<void> queued;
    State state = State::Ready;
    /// What was copied aside; the sender has gone on then.
    std::unique_ptr<char[]> copy;
  };
  /// What is copied aside: messages of at most so many bytes, and as many
  /// between two ranks.
  static constexpr int64_t smallBytes = 4096;
  static constexpr size_t smallMessages = 64;

  /// The messages of one rank.
  struct Mailbox {
    std::condition_variable changed;
    /// Messages to this rank: by sender, by number.
    std::vector<std::map<int64_t, std::shared_ptr<Post>>> inbox;
    /// Messages started so far, by peer. Touched by the rank alone.
    std::vector<int64_t> sent, received;
    bool waiting = false;
    /// Counts what others have done that this rank may wait for.
    std::atomic<uint64_t> news = 0;
  };

  std::mutex lock;
  std::vector<Mailbox> mailboxes;
  std::atomic<bool> broken = false;
  std::optional<Stopped> failure;
  int left = 0;
};

/// Runs `body(rank)` for every rank of a hub, each in a thread of its own, and
/// waits for all of them. `body` must not throw.
void runRanks(int ranks, const std::function<void(int)> &body);

} // namespace pmrt

#endif // PMRT_COMM_THREADRANKS_H
