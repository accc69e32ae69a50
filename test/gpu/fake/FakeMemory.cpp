//===- FakeMemory.cpp - Memory of the simulated devices -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeDevice.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <unistd.h>

using namespace fakecuda;

namespace {

/// Whether one of the allocations has the bytes [at, at + size).
bool known(const std::map<Address, size_t> &memory, Address at, size_t size) {
  auto it = memory.upper_bound(at);
  if (it == memory.begin())
    return false;
  --it;
  return at + size <= it->first + it->second;
}

/// The allocation with the bytes [at, at + size); null: none.
const FakeMemory *find(Address at, size_t size) {
  const auto &memory = device().memory;
  auto it = memory.upper_bound(at);
  if (it == memory.begin())
    return nullptr;
  --it;
  return at + size <= it->first + it->second.bytes ? &it->second : nullptr;
}

bool known(Address at, size_t size) { return find(at, size) != nullptr; }

/// Whether kernels of device `number` may access the memory. They may access
/// the memory of the host.
bool isReachable(Address at, int number) {
  const FakeMemory *memory = find(at, 1);
  return !memory || memory->isOpenTo(number);
}

/// Waits if FAKECUDA_BLOCKED names this function.
void mayBlock(const char *function) {
  static const char *const name = std::getenv("FAKECUDA_BLOCKED");
  if (name && std::string_view(name) == function)
    sleep(unsigned(environment("FAKECUDA_PATIENCE", 20)));
}

int queueCopy(void *stream, void *to, const void *from, size_t size) {
  fakecuda::enqueue(stream, [=] {
    // The driver can copy between any two devices.
    std::optional<Access> all;
    const int own = streamOf(stream)->device;
    if (!isReachable(Address(to), own) || !isReachable(Address(from), own))
      all.emplace(-1);
    std::memmove(to, from, size);
    return success;
  });
  return device().error;
}

} // namespace

bool FakeMemory::isOpenTo(int other) const {
  return other == device ||
         (pool ? pool->reachable.contains(other)
               : contextOf(other).reachable.contains(device));
}

bool fakecuda::isDeviceMemory(const void *at, size_t size) {
  return known(Address(at), size);
}

bool fakecuda::isPinned(const void *at, size_t size) {
  return known(device().pinned, Address(at), size);
}

extern "C" {

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  *total = Device::capacity();
  *free = *total - std::min(*total, device().used[currentContext()->device]);
  return success;
}

/// The number of bytes of the pages of an allocation.
static size_t pagesOf(size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

/// Records the peak of a device, and writes all peaks to the file FAKECUDA_PEAK
/// at the end of the program.
static void noteUse(int number) {
  static const char *const file = std::getenv("FAKECUDA_PEAK");
  Device &all = device();
  size_t &most = all.most[number];
  most = std::max(most, all.used[number]);
  static const bool isNoted =
      file && std::atexit([] {
                std::ofstream out(file);
                for (const auto &[one, bytes] : device().most)
                  out << one << ' ' << bytes << '\n';
              }) == 0;
  (void)isNoted;
}

static int allocate(Address *memory, size_t bytes, const FakePool *pool) {
  Device &all = device();
  const std::lock_guard guard(all.lock);
  const int number = pool ? pool->device : currentContext()->device;
  const size_t size = pagesOf(bytes);
  if (bytes == 0)
    return invalidValue;
  if (all.used[number] + size > Device::capacity())
    return outOfMemory;
  void *data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return outOfMemory;
  // Fill the memory with NaNs, because new memory of a GPU has old contents.
  std::memset(data, 0xff, size);
  if (!all.inside && !Device::open())
    mprotect(data, size, PROT_NONE);
  *memory = Address(data);
  all.memory[*memory] = {bytes, number, pool};
  all.used[number] += size;
  noteUse(number);
  return all.error;
}

int cuMemAlloc_v2(Address *memory, size_t bytes) {
  CALLED;
  NEEDS_CONTEXT;
  return allocate(memory, bytes, nullptr);
}

/// Frees an allocation.
static void unmap(Address memory) {
  Device &all = device();
  auto it = all.memory.find(memory);
  if (it == all.memory.end())
    return;
  munmap(reinterpret_cast<void *>(memory), it->second.bytes);
  all.used[it->second.device] -= pagesOf(it->second.bytes);
  all.memory.erase(it);
}

/// Like the real driver, this call waits for the work on all streams, even if
/// this work waits for a call of another rank. After some time, it stops
/// waiting for kernels that do not end.
int cuMemFree_v2(Address memory) {
  CALLED;
  NEEDS_CONTEXT;
  Device &all = device();
  const auto start = Clock::now();
  const int patience = int(environment("FAKECUDA_PATIENCE", 20));
  for (;;) {
    {
      const std::lock_guard guard(all.lock);
      if (!all.memory.contains(memory))
        return invalidValue;
      for (FakeStream *stream : std::set<FakeStream *>(all.streams))
        (void)drain(*stream, nullptr, 0);
      const bool isIdle =
          std::all_of(all.streams.begin(), all.streams.end(),
                      [](const FakeStream *s) { return s->queue.empty(); });
      if (isIdle || all.error ||
          Clock::now() - start > std::chrono::seconds(patience)) {
        unmap(memory);
        return all.error;
      }
    }
    usleep(50);
  }
}

// Pools are never deleted, because memory may outlive its pool.
int cuMemPoolCreate(void **pool, const void *properties) {
  CALLED;
  NEEDS_CONTEXT;
  const auto &wanted =
      *static_cast<const pmrt::cuda::PoolProperties *>(properties);
  *pool = new FakePool{wanted.location.device, {}};
  return success;
}
int cuMemPoolDestroy(void *) { return success; }
int cuMemPoolSetAttribute(void *, int, void *) { return success; }
int cuMemPoolSetAccess(void *pool, const void *list, size_t count) {
  const std::lock_guard guard(device().lock);
  const auto *access = static_cast<const pmrt::cuda::PoolAccess *>(list);
  for (size_t i = 0; i < count; ++i)
    static_cast<FakePool *>(pool)->reachable.insert(access[i].location.device);
  return success;
}
int cuDeviceCanAccessPeer(int *can, int, int) {
  *can = int(environment("FAKECUDA_PEERS", 1));
  return success;
}

int cuMemAllocFromPoolAsync(Address *memory, size_t bytes, void *pool, void *) {
  CALLED;
  NEEDS_CONTEXT;
  return pool ? allocate(memory, bytes, static_cast<FakePool *>(pool))
              : invalidValue;
}

int cuMemFreeAsync(Address memory, void *stream) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  if (!known(memory, 1))
    return invalidValue;
  fakecuda::enqueue(stream, [memory] {
    unmap(memory);
    return success;
  });
  return device().error;
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  CALLED;
  NEEDS_CONTEXT;
  *memory = std::calloc(1, bytes);
  const std::lock_guard guard(device().lock);
  device().pinned[Address(*memory)] = bytes;
  return *memory ? success : outOfMemory;
}
int cuMemFreeHost(void *memory) {
  const std::lock_guard guard(device().lock);
  device().pinned.erase(Address(memory));
  std::free(memory);
  return success;
}
int cuMemHostGetDevicePointer_v2(Address *at, void *memory, unsigned) {
  *at = Address(memory);
  return success;
}

int cuMemsetD8Async(Address to, unsigned char value, size_t size,
                    void *stream) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  if (!known(to, size))
    return invalidValue;
  fakecuda::enqueue(stream, [=] {
    std::memset(reinterpret_cast<void *>(to), value, size);
    return success;
  });
  return device().error;
}

int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t size,
                         void *stream) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  return known(to, size)
             ? queueCopy(stream, reinterpret_cast<void *>(to), from, size)
             : invalidValue;
}

int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t size, void *stream) {
  CALLED;
  mayBlock(__func__);
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  return known(from, size)
             ? queueCopy(stream, to, reinterpret_cast<void *>(from), size)
             : invalidValue;
}

int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t size, void *stream) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  return known(to, size) && known(from, size)
             ? queueCopy(stream, reinterpret_cast<void *>(to),
                         reinterpret_cast<void *>(from), size)
             : invalidValue;
}

} // extern "C"
