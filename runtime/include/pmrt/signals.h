//===- signals.h - Ctrl-C in generated code ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_SIGNALS_H
#define PMRT_SIGNALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A flag of the calling thread's run: not 0 once the run is to end. Loops that
/// make no other runtime call read it atomically. Its address is the same for
/// as long as the thread works for the run.
const int32_t *pmrt_interrupts(void);
/// Throws what ends the program after such a request.
void pmrt_stop(void);

#ifdef __cplusplus
}
#endif

#endif // PMRT_SIGNALS_H
