//===- Signals.cpp - Ctrl-C and SIGTERM -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Signals.h"

#include "pmrt/signals.h"
#include "runtime/Base/Error.h"

#include <csignal>

using namespace pmrt;

// A signal belongs to the process, hence the one global of the runtime.
int32_t pmrt_interrupted = 0;

static int32_t askedToStop = 0;     // at the next state
static int32_t loopsWithStates = 0; // that run

extern "C" {
static void onSignal(int) {
  __atomic_store_n(&pmrt_interrupted, 1, __ATOMIC_RELAXED);
}

static void onUserSignal(int) {
  __atomic_store_n(&askedToStop, 1, __ATOMIC_RELAXED);
}

/// The first one asks for a state, if there is going to be one, the next ends
/// the run, the third the process.
static void onTermination(int) {
  if (__atomic_load_n(&loopsWithStates, __ATOMIC_RELAXED) > 0 &&
      __atomic_exchange_n(&askedToStop, 1, __ATOMIC_RELAXED) == 0)
    return;
  if (__atomic_exchange_n(&pmrt_interrupted, 1, __ATOMIC_RELAXED) == 0)
    return;
  // Comes when the handler has returned.
  std::signal(SIGTERM, SIG_DFL);
  std::raise(SIGTERM);
}
}

/// `nohup` and background jobs of a script ignore signals: keep that.
static void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {}, old;
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags | SA_RESTART;
  if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaction(signal, &action, nullptr);
}

void pmrt::installSignalHandlers() {
  // Back to the default after the first one: the second kills.
  install(SIGINT, onSignal, int(SA_RESETHAND));
  install(SIGTERM, onTermination, 0);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);
}

bool pmrt::isInterrupted() {
  return __atomic_load_n(&pmrt_interrupted, __ATOMIC_RELAXED) != 0;
}

void pmrt::installStateSignal() { install(SIGUSR1, onUserSignal, 0); }

void pmrt::askToStop() { onUserSignal(0); }

bool pmrt::isAskedToStop() {
  return __atomic_load_n(&askedToStop, __ATOMIC_RELAXED) != 0;
}

StopsAtState::StopsAtState() {
  __atomic_add_fetch(&loopsWithStates, 1, __ATOMIC_RELAXED);
}

StopsAtState::~StopsAtState() {
  __atomic_sub_fetch(&loopsWithStates, 1, __ATOMIC_RELAXED);
}

void pmrt::checkInterrupt() {
  if (isInterrupted())
    throw Interrupted();
}

void pmrt_stop() { throw Interrupted(); }
