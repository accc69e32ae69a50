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
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_THREADS_H
#define PMRT_CORE_THREADS_H

#include <cstdint>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace pmrt {

class Threads {
public:
  /// `count` threads, the caller included; 0: one a hardware thread that this
  /// process may use.
  explicit Threads(int count);

  int count() const { return number; }
  static int hardware();

  /// Runs `body` inside the arena, so that oneTBB algorithms use its threads.
  template <typename Body> void run(const Body &body) { arena.execute(body); }

  /// body(begin, end) on one contiguous part of [0, items) a thread.
  template <typename Body> void forRange(int64_t items, const Body &body) {
    if (items <= 0)
      return;
    const int64_t parts = items < number ? items : int64_t(number);
    if (parts == 1) {
      body(int64_t(0), items);
      return;
    }
    run([&] {
      tbb::parallel_for(
          int64_t(0), parts,
          [&](int64_t part) {
            body(part * items / parts, (part + 1) * items / parts);
          },
          tbb::static_partitioner());
    });
  }

  /// body(i) for i in [0, items), in any order and unevenly long.
  template <typename Body> void forEach(int64_t items, const Body &body) {
    if (items <= 0)
      return;
    if (number == 1 || items == 1) {
      for (int64_t i = 0; i < items; ++i)
        body(i);
      return;
    }
    run([&] {
      tbb::parallel_for(
          tbb::blocked_range<int64_t>(0, items, 1),
          [&](const tbb::blocked_range<int64_t> &range) {
            for (int64_t i = range.begin(); i < range.end(); ++i)
              body(i);
          },
          tbb::simple_partitioner());
    });
  }

private:
  int number;
  /// oneTBB starts no more workers than the machine has, unless told.
  std::unique_ptr<tbb::global_control> control;
  tbb::task_arena arena;
};

} // namespace pmrt

#endif // PMRT_CORE_THREADS_H
