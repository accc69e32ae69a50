//===- Threads.h - A context's worker threads -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One oneTBB arena a context. Work is partitioned statically: with the same
// number of threads, a thread sees the same part of an array in every loop.
// Exceptions thrown by a body reach the caller.
//
// Thread sanitizer does not see how oneTBB, which is not instrumented, orders
// things, and reports every loop. Under it, plain threads take oneTBB's place,
// so that it checks our own code and the generated one.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_THREADS_H
#define PMRT_BASE_THREADS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace pmrt {

class Threads {
public:
  /// `count` threads, the caller included; 0: one a hardware thread that this
  /// process may use.
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;

  int count() const { return number; }
  static int hardware();

  /// job(0) ... job(jobs - 1), statically spread over the threads.
  void team(int64_t jobs, const std::function<void(int64_t)> &job);

  /// Runs `body` inside the arena, so that `spread` uses its threads.
  void run(const std::function<void()> &body);
  /// As team, for code that already runs inside an arena.
  static void spread(int jobs, const std::function<void(int)> &job);

  /// body(begin, end) on one contiguous part of [0, items) a thread.
  template <typename Body> void forRange(int64_t items, const Body &body) {
    if (items <= 0)
      return;
    const int64_t parts = items < number ? items : int64_t(number);
    if (parts == 1) {
      body(int64_t(0), items);
      return;
    }
    team(parts, [&](int64_t part) {
      body(part * items / parts, (part + 1) * items / parts);
    });
  }

  /// body(i) for i in [0, items), in any order; a thread that is done takes
  /// the next one.
  template <typename Body> void forEach(int64_t items, const Body &body) {
    std::atomic<int64_t> next = 0;
    forRange(items < number ? items : int64_t(number), [&](int64_t, int64_t) {
      for (int64_t i;
           (i = next.fetch_add(1, std::memory_order_relaxed)) < items;)
        body(i);
    });
  }

private:
  struct Arena;

  int number;
  std::unique_ptr<Arena> arena;
};

} // namespace pmrt

#endif // PMRT_BASE_THREADS_H
