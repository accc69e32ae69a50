//===- LibraryCall.cpp - Which call a thread is in ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/LibraryCall.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace pmrt::cuda;

std::shared_ptr<LibraryCall> &pmrt::cuda::currentCalls() {
  static thread_local std::shared_ptr<LibraryCall> calls;
  return calls;
}

CallWatch::CallWatch(std::shared_ptr<LibraryCall> calls, double report,
                     double end, Tell tell)
    : calls(std::move(calls)), report(report), end(end), tell(std::move(tell)),
      thread([this] { look(); }) {}

CallWatch::~CallWatch() {
  {
    const std::lock_guard guard(lock);
    isOver = true;
  }
  changed.notify_all();
  thread.join();
}

void CallWatch::look() {
  using Clock = std::chrono::steady_clock;
  const auto pause =
      std::chrono::duration<double>(std::clamp(report / 8, 0.01, 1.0));
  uint64_t number = 0;
  Clock::time_point since = Clock::now();
  double next = report;
  std::unique_lock guard(lock);
  while (!changed.wait_for(guard, pause, [&] { return isOver; })) {
    const char *symbol = calls->symbol.load(std::memory_order_acquire);
    const uint64_t now = calls->number.load(std::memory_order_relaxed);
    if (!symbol || now != number) {
      number = now;
      since = Clock::now();
      next = report;
      continue;
    }
    const double seconds =
        std::chrono::duration<double>(Clock::now() - since).count();
    if (seconds < std::min(next, end))
      continue;
    guard.unlock();
    tell(symbol, seconds, seconds >= end);
    guard.lock();
    next = 2 * seconds;
  }
}
