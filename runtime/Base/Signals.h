//===- Signals.h - Ctrl-C and SIGTERM ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_SIGNALS_H
#define PMRT_BASE_SIGNALS_H

namespace pmrt {

/// After this, the first SIGINT or SIGTERM sets a flag, and a second one ends
/// the process at once. Broken pipes and file size limits become error codes.
void installSignalHandlers();
/// After this, SIGUSR1 asks for the next state, at which the program ends.
void installStateSignal();

/// While one lives, the first SIGTERM asks for the next state only, as SIGUSR1.
class StopsAtState {
public:
  StopsAtState();
  ~StopsAtState();
  StopsAtState(const StopsAtState &) = delete;
  StopsAtState &operator=(const StopsAtState &) = delete;
};

/// As SIGUSR1 does: the program ends at its next state.
void askToStop();
/// Whether a signal has asked to end the program at its next state.
bool isAskedToStop();

bool isInterrupted();
/// Throws Interrupted once a signal has come.
void checkInterrupt();

} // namespace pmrt

#endif // PMRT_BASE_SIGNALS_H
