//===- Streams.c - stdin, stdout and stderr for static libraries ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian compiles static libraries for programs: they expect these variables of
// the C library at a fixed distance, where a shared library cannot have them. The
// linker's --wrap lets all of the runtime use these copies.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>

extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

// Before the constructors of the runtime, which have the default priority.
__attribute__((constructor(101))) static void copyStreams(void) {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
