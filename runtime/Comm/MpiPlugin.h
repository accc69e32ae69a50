/*===- MpiPlugin.h - What the runtime needs of MPI --------------*- C++ -*-===*\
|*
|* Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
//
// A table of C functions in a library of its own (libpmrt_mpi.so), loaded when
// a program runs under mpirun: the program itself runs where MPI is absent, and
// another MPI needs this file compiled again and nothing else.
//
// Functions that can fail return 0 or MPI's error code. All are called by the
// thread that called `start`. Requests are MPI's integer handles.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_MPIPLUGIN_H
#define PMRT_COMM_MPIPLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMRT_MPI_PLUGIN_VERSION 2

typedef struct pmrt_mpi_plugin {
  uint32_t version; ///< PMRT_MPI_PLUGIN_VERSION
  /// MPI_Init_thread, funneled. Ranks are in the order of `place`, or MPI's if
  /// that is equal. `local`: ranks on this machine.
  int (*start)(int place, int *rank, int *size, int *local);
  int (*send)(const void *data, int bytes, int peer, int tag, int *request);
  int (*receive)(void *data, int bytes, int peer, int tag, int *request);
  /// Does not wait. A request that is done is gone.
  int (*test)(int *request, int *done);
  /// Gives up a receive.
  int (*cancel)(int *request);
  /// A note to a rank, outside of all messages; copied.
  int (*notify)(int peer, const void *data, int bytes);
  /// A note that has come: its bytes in `length`, which is 0 if none has.
  int (*note)(void *data, int capacity, int *length, int *from);
  int (*finish)(void);
  void (*abort)(int code);
  /// Text of an error code, in `text`.
  void (*describe)(int code, char *text, int capacity);
} pmrt_mpi_plugin;

const pmrt_mpi_plugin *pmrt_mpi_plugin_table(void);

#ifdef __cplusplus
}
#endif

#endif // PMRT_COMM_MPIPLUGIN_H
