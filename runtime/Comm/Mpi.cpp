//===- Mpi.cpp - Ranks as processes of MPI --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes.h"

#include "runtime/Comm/Courier.h"
#include "runtime/Comm/Launcher.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

using namespace pmrt;
namespace fs = std::filesystem;

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
    throw usageError("PMRT_RANK_ORDER={} is not an order of the ranks 0 to {}",
                     order, std::max(1, process.size) - 1);
  return places[size_t(process.rank)];
}

std::unique_ptr<Transport> pmrt::makeMpiTransport() {
  constexpr const char *file = "libpmrt_mpi.so";
  std::vector<fs::path> folders;
  if (const char *folder = std::getenv("PMRT_PLUGIN_DIR"))
    folders.emplace_back(folder);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib");
  }
  for (const char *folder : {PMRT_BUILD_LIB, PMRT_INSTALL_LIB})
    folders.emplace_back(folder);
  std::string reasons;
  for (const fs::path &folder : folders) {
    const std::string path = (folder / file).string();
    if (!fs::exists(path, error))
      continue;
    // MPI loads parts of itself later; they must see its symbols.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      reasons += fmt::format("; {}", dlerror());
      continue;
    }
    auto version = reinterpret_cast<decltype(&pmrt_mpi_plugin_version)>(
        dlsym(library, "pmrt_mpi_plugin_version"));
    auto start = reinterpret_cast<decltype(&pmrt_mpi_plugin_start)>(
        dlsym(library, "pmrt_mpi_plugin_start"));
    if (version && start && version() == PMRT_MPI_PLUGIN_VERSION)
      return makeProcessTransport(
          std::shared_ptr<Courier>(start(placeOfProcess()), [](Courier *) {}));
    reasons += fmt::format("; {} is of another version", path);
  }
  if (reasons.empty()) {
    std::vector<std::string> names;
    for (const fs::path &folder : folders)
      names.push_back(folder.string());
    reasons =
        fmt::format("; {} is in none of {}", file, fmt::join(names, ", "));
  }
  throw usageError("the transport mpi is not available{}", reasons);
}
