//===- Share.h - Parts of a transform for threads ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_SHARE_H
#define PMRT_FFT_SHARE_H

#include "runtime/Base/Threads.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace pmrt {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};

/// Memory of a thread for the passes of a transform.
using Workspace = std::unique_ptr<void, FreeMemory>;

inline Workspace allocateWorkspace(size_t bytes) {
  Workspace memory(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

/// body(begin, end, workspace) on parts of [0, items), as threads ask for them.
template <typename Body>
void share(Threads &threads, int64_t items, int64_t part, size_t bytes,
           const Body &body) {
  std::atomic<int64_t> next = 0;
  const int64_t parts = (items + part - 1) / part;
  threads.forRange(std::min<int64_t>(parts, threads.count()), [&](int64_t,
                                                                  int64_t) {
    const Workspace workspace = allocateWorkspace(bytes);
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < parts;)
      body(i * part, std::min(items, (i + 1) * part), workspace.get());
  });
}

/// Items that a thread takes at a time: enough parts for threads that are of
/// unequal speed.
inline int64_t partOf(int64_t items, Threads &threads) {
  return std::max<int64_t>(1, items / (int64_t(threads.count()) * 8));
}

} // namespace pmrt

#endif // PMRT_FFT_SHARE_H
