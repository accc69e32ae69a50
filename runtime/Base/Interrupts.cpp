//===- Interrupts.cpp - Requests to end a run -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Interrupts.h"

#include "pmrt/signals.h"
#include "runtime/Base/Error.h"

#include <utility>

using namespace pmrt;

// A signal belongs to the process.
static constinit Interrupts process;
static thread_local Interrupts *mine = &process;
static thread_local bool isStarter = false;

Interrupts &Interrupts::current() { return *mine; }

Interrupts &Interrupts::ofProcess() { return process; }

InterruptScope::InterruptScope(Interrupts &requests, bool starts)
    : before(std::exchange(mine, &requests)),
      startedBefore(std::exchange(isStarter, starts)) {}

InterruptScope::~InterruptScope() {
  mine = before;
  isStarter = startedBefore;
}

void pmrt::askToStop() {
  mine->askedToStop.store(1, std::memory_order_relaxed);
}

bool pmrt::isAskedToStop() {
  return mine->askedToStop.load(std::memory_order_relaxed) != 0;
}

StopsAtState::StopsAtState() : requests(Interrupts::current()) {
  requests.loopsWithStates.fetch_add(1, std::memory_order_relaxed);
}

StopsAtState::~StopsAtState() {
  requests.loopsWithStates.fetch_sub(1, std::memory_order_relaxed);
}

/// Asks the caller of the run, ten times a second.
static void askCaller(Interrupts &requests) {
  const auto time = std::chrono::steady_clock::now();
  if (time < requests.nextAsk)
    return;
  requests.nextAsk = time + std::chrono::milliseconds(100);
  if (requests.ask(requests.asked))
    requests.interrupted.store(1, std::memory_order_relaxed);
}

bool pmrt::isInterrupted() {
  if (isStarter && mine->ask)
    askCaller(*mine);
  return mine->interrupted.load(std::memory_order_relaxed) != 0;
}

void pmrt::checkInterrupt() {
  if (isInterrupted())
    throw Interrupted();
}

static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t) &&
                  std::atomic<int32_t>::is_always_lock_free,
              "generated code reads the flag as a number");

const int32_t *pmrt_interrupts() {
  return reinterpret_cast<const int32_t *>(&mine->interrupted);
}

void pmrt_stop() { throw Interrupted(); }
