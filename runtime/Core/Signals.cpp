//===- Signals.cpp - Ctrl-C and SIGTERM -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Signals.h"

#include "pmrt/signals.h"
#include "runtime/Core/Error.h"

#include <csignal>

using namespace pmrt;

// A signal belongs to the process, hence the one global of the runtime.
int32_t pmrt_interrupted = 0;

extern "C" {
static void onSignal(int) {
  __atomic_store_n(&pmrt_interrupted, 1, __ATOMIC_RELAXED);
}
}

void pmrt::installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  // Back to the default after the first one: the second kills.
  action.sa_flags = int(SA_RESETHAND) | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction old;
    // `nohup` and background jobs of a script ignore SIGINT; keep that.
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);
}

bool pmrt::isInterrupted() {
  return __atomic_load_n(&pmrt_interrupted, __ATOMIC_RELAXED) != 0;
}

void pmrt::checkInterrupt() {
  if (isInterrupted())
    throw Interrupted();
}

void pmrt_stop() { throw Interrupted(); }
