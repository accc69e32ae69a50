//===- Threads.cpp - A context's worker threads ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"

#include "runtime/Base/Interrupts.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PMRT_PLAIN_THREADS
#endif
#elif defined(__SANITIZE_THREAD__)
#define PMRT_PLAIN_THREADS
#endif

using namespace pmrt;

namespace {

/// Keeps the first exception of jobs on several threads, so that none passes
/// through oneTBB: packages have a C++ library of their own in the runtime, and
/// an exception cannot pass through frames of another one.
class FirstFailure {
public:
  /// Runs `job`, unless one has failed.
  template <typename Job> void guard(const Job &job) noexcept {
    if (failed.load(std::memory_order_relaxed))
      return;
    try {
      job();
    } catch (...) {
      const std::lock_guard guard(lock);
      if (!failure)
        failure = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  }

  /// Throws that exception, if there is one.
  void rethrow() {
    if (failure)
      std::rethrow_exception(std::move(failure));
  }

private:
  std::atomic<bool> failed = false;
  std::mutex lock;
  std::exception_ptr failure;
};

} // namespace

int Threads::hardware() { return tbb::info::default_concurrency(); }

Threads::~Threads() = default;

#ifndef PMRT_PLAIN_THREADS

struct Threads::Arena {
  explicit Arena(int count) {
    // oneTBB starts no more workers than the machine has, unless told.
    if (count > hardware())
      control = std::make_unique<tbb::global_control>(
          tbb::global_control::max_allowed_parallelism, size_t(count));
    tasks.initialize(count);
  }

  std::unique_ptr<tbb::global_control> control;
  tbb::task_arena tasks;
};

Threads::Threads(int count)
    : number(count > 0 ? count : hardware()),
      arena(std::make_unique<Arena>(number)) {}

// oneTBB's threads work for many runs, one after the other.

void Threads::run(const std::function<void()> &body) {
  Interrupts &requests = Interrupts::current();
  FirstFailure failure;
  arena->tasks.execute([&] {
    const InterruptScope scope(requests);
    failure.guard(body);
  });
  failure.rethrow();
}

void Threads::spread(int jobs, const std::function<void(int)> &job) {
  FirstFailure failure;
  tbb::parallel_for(
      0, jobs, [&](int number) { failure.guard([&] { job(number); }); },
      tbb::static_partitioner());
  failure.rethrow();
}

void Threads::team(int64_t jobs, const std::function<void(int64_t)> &job) {
  Interrupts &requests = Interrupts::current();
  FirstFailure failure;
  arena->tasks.execute([&] {
    tbb::parallel_for(
        int64_t(0), jobs,
        [&](int64_t number) {
          const InterruptScope scope(requests);
          failure.guard([&] { job(number); });
        },
        tbb::static_partitioner());
  });
  failure.rethrow();
}

#else

#include <thread>
#include <vector>

struct Threads::Arena {};

Threads::Threads(int count) : number(count > 0 ? count : hardware()) {}

void Threads::run(const std::function<void()> &body) { body(); }

void Threads::spread(int jobs, const std::function<void(int)> &job) {
  for (int i = 0; i < jobs; ++i) // FFTW is not instrumented either
    job(i);
}

void Threads::team(int64_t jobs, const std::function<void(int64_t)> &job) {
  FirstFailure failure;
  Interrupts &requests = Interrupts::current();
  auto guarded = [&](int64_t i) {
    const InterruptScope scope(requests);
    failure.guard([&] { job(i); });
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < jobs; ++i)
    others.emplace_back(guarded, i);
  if (jobs > 0)
    guarded(0);
  for (std::thread &thread : others)
    thread.join();
  failure.rethrow();
}

#endif
