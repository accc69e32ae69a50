//===- Arena.h - The memory plan --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All fields of a program live in one block of memory. Where each buffer lies
// follows from its size, known at launch, and its live range, known to the
// compiler.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_MEMORY_ARENA_H
#define PMRT_BASE_MEMORY_ARENA_H

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

/// A buffer to place: `bytes` of memory, live on [start, end], both included.
struct Lifetime {
  int64_t bytes = 0;
  int64_t start = 0;
  int64_t end = 0;
};

/// Where buffers lie. Buffers whose lifetimes overlap do not overlap in memory.
struct Placement {
  std::vector<int64_t> offsets; ///< bytes, multiples of `alignment`
  int64_t total = 0;            ///< bytes the arena needs
  int64_t lowerBound = 0;       ///< the most bytes that live at one time

  static constexpr int64_t alignment = 64;
};

/// Places by best fit in order of decreasing size, and in a few other orders;
/// keeps the smallest. The result depends on the arguments only.
Placement place(const std::vector<Lifetime> &buffers);

/// Where memory comes from that is not the host's.
class MemorySource {
public:
  virtual ~MemorySource() = default;
  /// Zeroed. Throws if there is none.
  virtual char *allocate(int64_t bytes) = 0;
  virtual void release(char *memory) noexcept = 0;
};

/// A block of zeroed memory from the operating system, in huge pages where
/// there are some. Untouched pages cost nothing. Or from another source.
class Pages {
public:
  Pages() = default;
  explicit Pages(int64_t bytes); ///< throws std::bad_alloc
  /// The host's if `source` is null. The source must outlive it.
  Pages(int64_t bytes, MemorySource *source);
  Pages(Pages &&other) noexcept { swap(other); }
  Pages &operator=(Pages &&other) noexcept {
    swap(other);
    return *this;
  }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;
  ~Pages();

  char *data() const { return base; }
  int64_t size() const { return length; }

private:
  void swap(Pages &other) noexcept;

  MemorySource *origin = nullptr; ///< null: the host
  void *mapping = nullptr;
  int64_t mapped = 0;
  char *base = nullptr;
  int64_t length = 0;
};

/// Bytes of memory this process may use: the machine's, or its cgroup's limit.
int64_t physicalMemory();

} // namespace pmrt

#endif // PMRT_BASE_MEMORY_ARENA_H
