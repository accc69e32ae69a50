//===- Launcher.h - Which of several processes this is ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_PROCESSES_LAUNCHER_H
#define PMRT_COMM_PROCESSES_LAUNCHER_H

#include "runtime/Comm/Sockets/Sockets.h"

#include <string>

namespace pmrt {

/// What the launcher of this process (mpirun, srun, a script) passes in the
/// environment.
struct Launcher {
  int rank = 0;
  int size = 0;         ///< 0: there is none
  std::string variable; ///< which has told the rank
  Ways ways;            ///< by which the processes talk
};

/// mpirun, or srun with an MPI of its own.
Launcher launcher();

/// Processes that meet without MPI: $PMRT_RANK and $PMRT_RANKS, or what MPI's
/// or SLURM's launchers tell. Throws Exit::Usage if that makes no sense.
Launcher plainLauncher();

/// Tasks that srun has started in this step; 0: it has not.
int slurmTasks();

/// $PMRT_RANKS; 0: it is not set.
int requestedRanks();

/// Identifies this run among others of the same user, before and at the same
/// time: $PMRT_JOB, or SLURM's job, step and restart. May be empty.
std::string jobName();

} // namespace pmrt

#endif // PMRT_COMM_PROCESSES_LAUNCHER_H
