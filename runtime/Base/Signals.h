//===- Signals.h - Ctrl-C and SIGTERM ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_SIGNALS_H
#define PMRT_BASE_SIGNALS_H

namespace pmrt {

/// After this, the first SIGINT or SIGTERM asks the process's runs to end
/// (Interrupts::ofProcess), and a second one ends the process at once. Broken
/// pipes and file size limits become error codes.
void installSignalHandlers();
/// After this, SIGUSR1 asks for the next state, at which the program ends.
void installStateSignal();

} // namespace pmrt

#endif // PMRT_BASE_SIGNALS_H
