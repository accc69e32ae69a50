//===- Launcher.cpp - Which of several processes this is ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes/Launcher.h"

#include "runtime/Base/Error.h"

#include <cstdlib>
#include <initializer_list>

using namespace pmrt;

static const char *environment(const char *name) {
  const char *text = std::getenv(name);
  return text && *text ? text : nullptr;
}

/// The first of the variables that is set, as a number; `used` names it.
static int number(std::initializer_list<const char *> names, int fallback,
                  std::string *used = nullptr) {
  for (const char *name : names) {
    const char *text = environment(name);
    if (!text)
      continue;
    char *end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*end || value < 0 || value > 1 << 24)
      throw usageError("[PM9012] {}={} is not a number of processes", name,
                       text);
    if (used)
      *used = name;
    return int(value);
  }
  return fallback;
}

int pmrt::slurmTasks() { return number({"SLURM_STEP_NUM_TASKS"}, 0); }

int pmrt::requestedRanks() { return number({"PMRT_RANKS"}, 0); }

Launcher pmrt::launcher() {
  Launcher all;
  all.size = number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
  all.rank = number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0,
                    &all.variable);
  // srun --mpi=pmix passes the rank alone.
  if (all.size == 0 && environment("PMIX_RANK"))
    all.size = slurmTasks();
  return all;
}

/// If the launcher says so.
static bool areOfOneMachine(const Launcher &all) {
  if (all.variable == "SLURM_PROCID")
    return number({"SLURM_STEP_NUM_NODES"}, 0) == 1;
  return all.variable == "OMPI_COMM_WORLD_RANK" &&
         number({"OMPI_COMM_WORLD_LOCAL_SIZE"}, 0) == all.size;
}

Launcher pmrt::plainLauncher() {
  Launcher all;
  if (environment("PMRT_RANK") || environment("PMRT_RANKS")) {
    all.rank = number({"PMRT_RANK"}, -1, &all.variable);
    all.size = number({"PMRT_RANKS"}, 0);
    if (all.rank < 0 || all.size == 0)
      throw usageError("[PM9012] PMRT_RANK and PMRT_RANKS must be set "
                       "together, but one is missing");
  } else if (all = launcher(); all.size == 0) {
    all.rank = number({"SLURM_PROCID"}, 0, &all.variable);
    all.size = number({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}, 0);
  }
  if (all.size > 0 && all.rank >= all.size)
    throw usageError("[PM9012] {}={} is not a rank, expected 0 to {}",
                     all.variable, all.rank, all.size - 1);
  if (const char *interface = environment("PMRT_INTERFACE"))
    all.ways = {interface, false};
  else if (areOfOneMachine(all))
    all.ways.interface = "127.0.0.1"; // not reachable from other hosts
  return all;
}

std::string pmrt::jobName() {
  if (const char *name = environment("PMRT_JOB"))
    return name;
  std::string name;
  for (const char *part :
       {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"})
    if (const char *text = environment(part))
      name += (name.empty() ? "" : ".") + std::string(text);
  return name;
}
