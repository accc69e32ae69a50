//===- checkpoint.h - States of fits in files -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CHECKPOINT_H
#define PMRT_CHECKPOINT_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A checkpoint store whose states are in files of the folder --checkpoint,
/// under this name, for pmrt_checkpoint_store_save and
/// pmrt_checkpoint_store_restore. A loop saves after each of its iterations,
/// which are slots 1, 2, ... `total` (0: unknown). The state is written if
/// the slot is a multiple of `every` or the last one (or when the time of
/// --checkpoint-every has passed), or if a signal asks for it, which then ends
/// the program (Exit::Suspended). Only the newest state is kept; without the
/// folder, none. With `newest`, it holds one number instead: the slot of the
/// newest state that --resume goes on from, 0 if there is none. A state of
/// another program, other parameters or inputs is refused. One of another mesh
/// goes on, but for rounding.
pmrt_checkpoint_store *pmrt_checkpoint_open(pmrt_context *ctx,
                                            pmrt_queue *queue, pmrt_loc loc,
                                            const char *name, int32_t newest,
                                            int64_t every, int64_t total,
                                            int32_t numbers, int32_t fields,
                                            const pmrt_array *const *shapes);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // PMRT_CHECKPOINT_H
