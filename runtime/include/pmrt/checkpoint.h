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

/// A tape whose states are in files of the folder --checkpoint, under this
/// name, for pmrt_tape_save and pmrt_tape_restore. Only the newest state is
/// kept; without the folder, none. With `newest`, it holds one number instead:
/// the slot of the newest state that --resume goes on from, 0 if there is none.
/// A state of another program, other parameters, inputs or another mesh is
/// refused.
pmrt_tape *pmrt_checkpoint_open(pmrt_context *ctx, pmrt_queue *queue,
                                pmrt_loc loc, const char *name, int32_t newest,
                                int32_t numbers, int32_t fields,
                                const pmrt_array *const *shapes);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // PMRT_CHECKPOINT_H
