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

/// Not 0 once SIGINT or SIGTERM has come: read atomically in loops that make no
/// runtime call, which would look. From any thread.
extern int32_t pmrt_interrupted;
/// Throws what ends the program after such a signal.
void pmrt_stop(void);

#ifdef __cplusplus
}
#endif

#endif // PMRT_SIGNALS_H
