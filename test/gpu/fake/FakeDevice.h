//===- FakeDevice.h - The simulated device and its streams ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_FAKEDEVICE_H
#define PMC_TEST_GPU_FAKE_FAKEDEVICE_H

#include "runtime/CUDA/Driver.h"
#include "test/gpu/fake/FakeCuda.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sys/mman.h>

#define CALLED fakecuda::called(__func__)
/// Of calls that work in the context of the calling thread.
#define NEEDS_CONTEXT                                                          \
  if (const int wrong = fakecuda::contextError())                              \
  return wrong

namespace fakecuda {

using pmrt::cuda::Address;
using Clock = std::chrono::steady_clock;

// Numbers of cuda.h.
constexpr int success = 0, invalidValue = 1, outOfMemory = 2, noDevice = 100,
              invalidImage = 200, invalidContext = 201, invalidPtx = 218,
              invalidHandle = 400, notFound = 500, notReady = 600,
              contextDestroyed = 709, launchFailed = 719;

/// The primary context of a device.
struct FakeContext {
  int device = 0;
  int retained = 0;        ///< number of uses
  std::set<int> reachable; ///< devices whose memory its kernels may access
};

/// The context of the calling thread; null: none.
FakeContext *&currentContext();
/// The error if the calling thread has no context or a released one, or
/// success.
int contextError();
FakeContext &contextOf(int device);

struct FakeStream;

/// A pool of memory. The devices `reachable` may access its memory, too.
struct FakePool {
  int device = 0;
  std::set<int> reachable;
};

struct FakeMemory {
  size_t bytes = 0;
  int device = 0;
  const FakePool *pool = nullptr;

  /// Whether kernels of device `other` may access this memory.
  bool isOpenTo(int other) const;
};

/// Lives for as long as streams have it.
struct FakeEvent : std::enable_shared_from_this<FakeEvent> {
  FakeStream *stream = nullptr; ///< null: never recorded
  int device = 0;
  int64_t recorded = 0, reached = 0; ///< how many times
  Clock::time_point when;
};

struct FakeStream {
  struct Work {
    std::function<int()> run;
    std::function<bool()> ready;
    std::shared_ptr<FakeEvent> event;
  };
  std::deque<Work> queue;
  int device = 0;
};

int64_t environment(const char *name, int64_t fallback);

/// The device, of which all calls are one at a time.
struct Device {
  std::recursive_mutex lock;
  std::map<Address, FakeMemory> memory;
  std::map<Address, size_t> pinned;
  std::map<int, size_t> used, most; ///< bytes by device, now and at the peak
  int inside = 0;      ///< kernels and copies that run: memory is accessible
  int error = success; ///< of a kernel; sticky
  std::set<FakeStream *> streams;
  std::map<void *, std::shared_ptr<FakeEvent>> events;

  /// Memory that all may read and write, as MPIs do that know of GPUs.
  static bool open() { return environment("FAKECUDA_OPEN", 0) != 0; }
  static size_t capacity() {
    return size_t(environment("FAKECUDA_MEMORY", int64_t(8) << 30));
  }
};

Device &device();

/// While this object exists, the host can access the memory that device
/// `number` can access. -1: all memory, for copies by the driver.
class Access {
public:
  explicit Access(int number) : number(number) {
    ++device().inside;
    protect(PROT_READ | PROT_WRITE);
  }
  ~Access() {
    if (--device().inside == 0) {
      number = -1;
      protect(PROT_NONE);
    }
  }
  Access(const Access &) = delete;
  Access &operator=(const Access &) = delete;

private:
  void protect(int mode) const {
    if (Device::open())
      return;
    for (const auto &[at, memory] : device().memory)
      if (number < 0 || memory.isOpenTo(number))
        mprotect(reinterpret_cast<void *>(at), memory.bytes, mode);
  }

  int number;
};

/// Runs at most `steps` pieces of a stream's work, until `until` is reached
/// `times` times, or all work is done. Returns an error, or notReady if the
/// work waits for another stream.
int drain(FakeStream &stream, const FakeEvent *until, int64_t times,
          int64_t steps = INT64_MAX);

/// Runs a stream's work until `until` was reached `times` times, or all of it;
/// what it waits for is run, too. An error, or that it waits still.
int drainWithOthers(FakeStream &stream, const FakeEvent *until, int64_t times);

/// Null is the default stream.
FakeStream *streamOf(void *stream);

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_FAKEDEVICE_H
