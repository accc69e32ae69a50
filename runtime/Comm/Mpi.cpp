//===- Mpi.cpp - Ranks as processes of MPI --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes/Processes.h"

#include "runtime/Base/Plugin.h"
#include "runtime/Comm/ByteTransport.h"
#include "runtime/Comm/Processes/Launcher.h"

#include <algorithm>
#include <cstdlib>

using namespace pmrt;

/// $PMRT_RANK_ORDER=2,0,1: the launcher's first process is rank 2, and so on.
static int placeOfProcess() {
  const Launcher process = launcher();
  const char *order = std::getenv("PMRT_RANK_ORDER");
  if (!order || !*order)
    return 0;
  std::vector<int> places, sorted;
  for (const char *at = order;; ++at) {
    char *end = nullptr;
    places.push_back(int(std::strtol(at, &end, 10)));
    if (end == at || *end != ',') {
      if (end == at || *end)
        places.clear();
      break;
    }
    at = end;
  }
  sorted = places;
  std::sort(sorted.begin(), sorted.end());
  bool good = int(sorted.size()) == std::max(1, process.size);
  for (size_t i = 0; i < sorted.size(); ++i)
    good = good && sorted[i] == int(i);
  if (!good)
    throw usageError(
        "[PM9012] PMRT_RANK_ORDER={} is not a permutation of the ranks 0 to {}",
        order, std::max(1, process.size) - 1);
  return places[size_t(process.rank)];
}

/// MPI loads parts of itself later; they must see its symbols.
static Plugin loadPlugin() {
  Plugin plugin("libpmrt_mpi.so", "pmrt_mpi_plugin_version",
                PMRT_MPI_PLUGIN_VERSION, /*global=*/true);
  if (!plugin.problem().empty())
    throw usageError("[PM9010] the transport mpi is not available{}",
                     plugin.problem());
  return plugin;
}

std::unique_ptr<Transport> pmrt::attachMpiTransport(const void *comm) {
  const Plugin plugin = loadPlugin();
  auto *attach =
      plugin.find<decltype(pmrt_mpi_plugin_attach)>("pmrt_mpi_plugin_attach");
  return makeProcessTransport(std::shared_ptr<ByteTransport>(attach(comm)));
}

std::unique_ptr<Transport> pmrt::makeMpiTransport() {
  const Plugin plugin = loadPlugin();
  auto *start =
      plugin.find<decltype(pmrt_mpi_plugin_start)>("pmrt_mpi_plugin_start");
  return makeProcessTransport(std::shared_ptr<ByteTransport>(
      start(placeOfProcess()), [](ByteTransport *) {}));
}
