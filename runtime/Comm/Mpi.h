//===- Mpi.h - Ranks as processes of MPI ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_MPI_H
#define PMRT_COMM_MPI_H

#include "runtime/Comm/Transport.h"

namespace pmrt {

/// What the launcher of this process (mpirun, srun) tells in the environment.
struct Launcher {
  int rank = 0;
  int size = 0; ///< 0: there is none
};
Launcher launcher();

/// Loads libpmrt_mpi.so and starts MPI. Throws Exit::Usage if there is none.
std::unique_ptr<Transport> makeMpiTransport();

} // namespace pmrt

#endif // PMRT_COMM_MPI_H
