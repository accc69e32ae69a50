//===- LibraryCall.h - Which call a thread is in ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of NVIDIA's libraries may wait for the GPU, and the GPU may wait for
// another rank. A thread in such a call cannot measure how long it waits.
// Therefore it records the call, and another thread watches the record.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_LIBRARYCALL_H
#define PMRT_CUDA_LIBRARYCALL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace pmrt::cuda {

/// The call that a thread of a rank executes.
struct LibraryCall {
  std::atomic<const char *> symbol = nullptr; ///< null: in no call
  std::atomic<uint64_t> number = 0;           ///< number of calls so far
};

/// The record of the calling thread; null: its calls are not recorded.
std::shared_ptr<LibraryCall> &currentCalls();

/// Records that the calling thread is in a call while this object exists.
class InLibrary {
public:
  explicit InLibrary(const char *symbol) : calls(currentCalls().get()) {
    if (!calls)
      return;
    calls->number.fetch_add(1, std::memory_order_relaxed);
    calls->symbol.store(symbol, std::memory_order_release);
  }
  ~InLibrary() {
    if (calls)
      calls->symbol.store(nullptr, std::memory_order_release);
  }
  InLibrary(const InLibrary &) = delete;
  InLibrary &operator=(const InLibrary &) = delete;

private:
  LibraryCall *calls;
};

/// A function of a library, whose calls are recorded.
template <typename Pointer> class LibraryFunction;
template <typename Result, typename... Args>
class LibraryFunction<Result (*)(Args...)> {
public:
  explicit LibraryFunction(const char *symbol) : symbol(symbol) {}

  void set(void *address) {
    function = reinterpret_cast<Result (*)(Args...)>(address);
  }
  Result operator()(Args... args) const {
    const InLibrary inside(symbol);
    return function(args...);
  }

private:
  const char *symbol;
  Result (*function)(Args...) = nullptr;
};

/// Watches the calls of a rank from its own thread.
class CallWatch {
public:
  /// `tell(symbol, seconds, isLast)` is called when a call has taken `report`
  /// seconds, and again each time that this time has doubled. After `end`
  /// seconds, `isLast` is true. The rank is in the call at these times.
  using Tell = std::function<void(const char *, double, bool)>;
  CallWatch(std::shared_ptr<LibraryCall> calls, double report, double end,
            Tell tell);
  ~CallWatch();
  CallWatch(const CallWatch &) = delete;
  CallWatch &operator=(const CallWatch &) = delete;

private:
  void look();

  const std::shared_ptr<LibraryCall> calls;
  const double report, end;
  const Tell tell;
  std::mutex lock;
  std::condition_variable changed;
  bool isOver = false;
  std::thread thread; // the last member, because it uses the others
};

} // namespace pmrt::cuda

#endif // PMRT_CUDA_LIBRARYCALL_H
