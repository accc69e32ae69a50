//===- Spread.h - Pieces of work with scratch memory ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_HOST_SPREAD_H
#define PMRT_HOST_SPREAD_H

#include "runtime/Base/Threads.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace pmrt {

/// At least so many elements.
template <typename T> T *grown(std::vector<T> &memory, int64_t count) {
  if (int64_t(memory.size()) < count)
    memory.resize(size_t(count));
  return memory.data();
}

/// body(i, scratch) for i in [0, count), each thread with scratch of its own; a
/// thread that is done takes the next.
template <typename Scratch, typename Body>
void spread(Threads &threads, int64_t count, const Body &body) {
  std::atomic<int64_t> next = 0;
  threads.forRange(std::min(count, int64_t(threads.count())), [&](int64_t,
                                                                  int64_t) {
    Scratch scratch;
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      body(i, scratch);
  });
}

} // namespace pmrt

#endif // PMRT_HOST_SPREAD_H
