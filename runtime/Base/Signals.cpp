//===- Signals.cpp - Ctrl-C and SIGTERM -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Signals.h"

#include "runtime/Base/Interrupts.h"

#include <csignal>

using namespace pmrt;

extern "C" {
static void onSignal(int) {
  Interrupts::ofProcess().interrupted.store(1, std::memory_order_relaxed);
}

static void onUserSignal(int) {
  Interrupts::ofProcess().askedToStop.store(1, std::memory_order_relaxed);
}

/// The first one asks for a state, if there is going to be one, the next ends
/// the run, the third the process.
static void onTermination(int) {
  Interrupts &process = Interrupts::ofProcess();
  if (process.loopsWithStates.load(std::memory_order_relaxed) > 0 &&
      process.askedToStop.exchange(1, std::memory_order_relaxed) == 0)
    return;
  if (process.interrupted.exchange(1, std::memory_order_relaxed) == 0)
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

void pmrt::installStateSignal() { install(SIGUSR1, onUserSignal, 0); }
