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

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PMRT_PLAIN_THREADS
#endif
#elif defined(__SANITIZE_THREAD__)
#define PMRT_PLAIN_THREADS
#endif

using namespace pmrt;

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
  arena->tasks.execute([&] {
    const InterruptScope scope(requests);
    body();
  });
}

void Threads::spread(int jobs, const std::function<void(int)> &job) {
  tbb::parallel_for(0, jobs, job, tbb::static_partitioner());
}

void Threads::team(int64_t jobs, const std::function<void(int64_t)> &job) {
  Interrupts &requests = Interrupts::current();
  arena->tasks.execute([&] {
    tbb::parallel_for(
        int64_t(0), jobs,
        [&](int64_t number) {
          const InterruptScope scope(requests);
          job(number);
        },
        tbb::static_partitioner());
  });
}

#else

#include <exception>
#include <mutex>
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
  std::exception_ptr failure;
  std::mutex lock;
  Interrupts &requests = Interrupts::current();
  auto guarded = [&](int64_t i) {
    const InterruptScope scope(requests);
    try {
      job(i);
    } catch (...) {
      std::lock_guard guard(lock);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < jobs; ++i)
    others.emplace_back(guarded, i);
  guarded(0);
  for (std::thread &thread : others)
    thread.join();
  if (failure)
    std::rethrow_exception(failure);
}

#endif
