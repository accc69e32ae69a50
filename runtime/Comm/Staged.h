//===- Staged.h - Messages of devices over MPI ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_STAGED_H
#define PMRT_COMM_STAGED_H

#include "runtime/Comm/Transport.h"

namespace pmrt {

class PackPool;

/// The largest number of bytes on the device, besides the fields, of messages
/// to and from other ranks.
int64_t stagedBytes(const Messages &messages, int self);

/// Starts messages between devices over a transport that takes their memory as
/// it is the host's.
std::unique_ptr<Exchange> startDirect(Transport &transport, Threads &threads,
                                      pmrt_queue *queue, Messages messages,
                                      PackPool &pool);

/// Starts messages between devices over a transport that sees the host's memory
/// only: what is sent is copied to the host first, what has come to the device
/// last. The messages of a rank to itself must be gone.
std::unique_ptr<Exchange> startStaged(Transport &transport, Threads &threads,
                                      pmrt_queue *queue, Messages messages);

} // namespace pmrt

#endif // PMRT_COMM_STAGED_H
