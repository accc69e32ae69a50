//===- Processes.h - Ranks as processes -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_PROCESSES_PROCESSES_H
#define PMRT_COMM_PROCESSES_PROCESSES_H

#include "runtime/Comm/Sockets/Sockets.h"
#include "runtime/Comm/Transport.h"

namespace pmrt {

class ByteTransport;

/// Ranks that are processes, over what carries bytes between them.
std::unique_ptr<Transport>
makeProcessTransport(std::shared_ptr<ByteTransport> byteTransport);

/// Loads libpmrt_mpi.so and starts MPI. Throws Exit::Usage if there is none.
std::unique_ptr<Transport> makeMpiTransport();

/// The same over a communicator of a process that has started MPI itself.
/// `comm` is the address of an MPI_Comm. A collective. The connections last
/// until the process ends.
std::unique_ptr<Transport> attachMpiTransport(const void *comm);

/// Meets the other processes by a file that all see, and connects them by
/// sockets. Throws Stopped if another rank has found that they cannot meet, and
/// has told.
std::unique_ptr<Transport> makeTcpTransport(const std::string &rendezvous,
                                            int rank, int ranks,
                                            double patience,
                                            const Ways &ways = {});

} // namespace pmrt

#endif // PMRT_COMM_PROCESSES_PROCESSES_H
