//===- Arena.cpp - The memory plan ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Memory/Arena.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

using namespace pmrt;

static int64_t roundUp(int64_t bytes, int64_t to) {
  return (bytes + to - 1) / to * to;
}

/// The memory a buffer takes. Large arrays of a power-of-two size would all
/// start at the same address modulo the page size, and loops over several of
/// them would fight for the same cache sets; an odd number of lines sets them
/// apart.
static int64_t footprint(int64_t bytes) {
  const int64_t rounded =
      roundUp(std::max<int64_t>(bytes, 1), Placement::alignment);
  return rounded >= (1 << 20) ? rounded + 33 * Placement::alignment : rounded;
}

static bool overlap(const Lifetime &a, const Lifetime &b) {
  return a.start <= b.end && b.start <= a.end;
}

static Placement placeInOrder(const std::vector<Lifetime> &buffers,
                              const std::vector<size_t> &order) {
  Placement result;
  result.offsets.assign(buffers.size(), 0);
  std::vector<size_t> placed; // by offset
  for (size_t index : order) {
    const Lifetime &buffer = buffers[index];
    const int64_t need = footprint(buffer.bytes);
    // Walk the gaps between the buffers that live at the same time.
    int64_t bestOffset = -1, bestGap = 0, free = 0;
    for (size_t other : placed) {
      if (!overlap(buffer, buffers[other]))
        continue;
      const int64_t gap = result.offsets[other] - free;
      if (gap >= need && (bestOffset < 0 || gap < bestGap)) {
        bestOffset = free;
        bestGap = gap;
      }
      free = std::max(free,
                      result.offsets[other] + footprint(buffers[other].bytes));
    }
    result.offsets[index] = bestOffset < 0 ? free : bestOffset;
    result.total = std::max(result.total, result.offsets[index] + need);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index,
                                   [&](size_t a, size_t b) {
                                     return result.offsets[a] <
                                            result.offsets[b];
                                   }),
                  index);
  }
  return result;
}

static int64_t mostAtOnce(const std::vector<Lifetime> &buffers) {
  std::vector<std::pair<int64_t, int64_t>> events; // (time, change)
  for (const Lifetime &b : buffers) {
    events.emplace_back(b.start, footprint(b.bytes));
    events.emplace_back(b.end + 1, -footprint(b.bytes));
  }
  std::sort(events.begin(), events.end()); // frees before allocations
  int64_t now = 0, most = 0;
  for (auto [time, change] : events) {
    now += change;
    most = std::max(most, now);
  }
  return most;
}

Placement pmrt::place(const std::vector<Lifetime> &buffers) {
  const int64_t bound = mostAtOnce(buffers);
  auto duration = [&](size_t i) { return buffers[i].end - buffers[i].start; };
  auto bySize = [&](size_t a, size_t b) {
    return buffers[a].bytes > buffers[b].bytes;
  };
  auto bySizeThenDuration = [&](size_t a, size_t b) {
    return buffers[a].bytes != buffers[b].bytes
               ? buffers[a].bytes > buffers[b].bytes
               : duration(a) > duration(b);
  };
  auto byArea = [&](size_t a, size_t b) {
    return double(buffers[a].bytes) * double(duration(a) + 1) >
           double(buffers[b].bytes) * double(duration(b) + 1);
  };
  auto byStart = [&](size_t a, size_t b) {
    return buffers[a].start < buffers[b].start;
  };
  auto byDuration = [&](size_t a, size_t b) {
    return duration(a) > duration(b);
  };

  std::vector<size_t> order(buffers.size());
  Placement best;
  bool first = true;
  auto attempt = [&](auto less) {
    if (!first && best.total == bound)
      return; // cannot be better
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), less);
    Placement next = placeInOrder(buffers, order);
    if (first || next.total < best.total)
      best = std::move(next);
    first = false;
  };
  attempt(bySize);
  attempt(bySizeThenDuration);
  attempt(byArea);
  attempt(byStart);
  attempt(byDuration);
  best.lowerBound = bound;
  return best;
}

Pages::Pages(int64_t bytes) {
  constexpr int64_t huge = int64_t(2) << 20;
  if (bytes <= 0)
    return;
  const bool large = bytes >= huge;
  const int64_t size =
      large ? roundUp(bytes, huge) + huge : roundUp(bytes, 4096);
  void *address = mmap(nullptr, size_t(size), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    throw std::bad_alloc();
  mapping = address;
  mapped = size;
  length = bytes;
  auto start = reinterpret_cast<uintptr_t>(address);
  if (large) {
    start = uintptr_t(roundUp(int64_t(start), huge));
    // Paint and FFTs miss the TLB at almost every row otherwise.
    madvise(reinterpret_cast<void *>(start), size_t(roundUp(bytes, huge)),
            MADV_HUGEPAGE);
  }
  base = reinterpret_cast<char *>(start);
}

Pages::Pages(int64_t bytes, MemorySource *source) {
  if (!source) {
    *this = Pages(bytes);
  } else if (bytes > 0) {
    base = source->allocate(bytes);
    length = bytes;
    origin = source;
  }
}

Pages::~Pages() {
  if (origin)
    origin->release(base);
  if (mapping)
    munmap(mapping, size_t(mapped));
}

void Pages::swap(Pages &other) noexcept {
  std::swap(origin, other.origin);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
  std::swap(base, other.base);
  std::swap(length, other.length);
}

int64_t pmrt::physicalMemory() {
  int64_t bytes = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (const char *path : {"/sys/fs/cgroup/memory.max",
                           "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    int64_t limit = 0;
    if (file >> limit && limit > 0)
      bytes = std::min(bytes, limit);
  }
  return bytes;
}
