//===- Checkpoint.h - States that outlive the program -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_STATES_CHECKPOINT_H
#define PMRT_IO_STATES_CHECKPOINT_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// With --resume, there is something in --checkpoint to go on from: a state of
/// one of the program's fits. Throws Exit::Usage.
void checkResume(const Context &context);

} // namespace pmrt

#endif // PMRT_IO_STATES_CHECKPOINT_H
