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
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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

/// Where the plugin may be: never beside the program or in the current folder,
/// which anybody may have filled.
static std::vector<fs::path> pluginFolders() {
  std::vector<fs::path> folders;
  if (const char *folder = std::getenv("PMRT_PLUGIN_DIR"); folder && *folder) {
    if (*folder != '/')
      throw usageError("PMRT_PLUGIN_DIR={} is not an absolute path", folder);
    folders.emplace_back(folder);
  }
  for (const char *folder : {PMRT_BUILD_LIB, PMRT_INSTALL_LIB})
    folders.emplace_back(folder);
  return folders;
}

/// Why what is at the path is not loaded; "" if it may be. A build folder that
/// is no longer there may have been made again by somebody else.
static std::string distrust(const fs::path &path) {
  struct stat program = {}, plugin = {};
  stat("/proc/self/exe", &program);
  for (const fs::path &at : {path, path.parent_path()}) {
    if (stat(at.c_str(), &plugin) != 0)
      return fmt::format("{}: {}", at.string(), std::strerror(errno));
    if (plugin.st_uid != 0 && plugin.st_uid != geteuid() &&
        plugin.st_uid != program.st_uid)
      return fmt::format("{} belongs to user {}, who is neither this one nor "
                         "the owner of the program",
                         at.string(), plugin.st_uid);
    if (plugin.st_mode & S_IWOTH)
      return fmt::format("{} can be written to by everybody", at.string());
  }
  return "";
}

std::unique_ptr<Transport> pmrt::makeMpiTransport() {
  constexpr const char *file = "libpmrt_mpi.so";
  const std::vector<fs::path> folders = pluginFolders();
  std::error_code error;
  std::string reasons;
  for (const fs::path &folder : folders) {
    const std::string path = (folder / file).string();
    if (!fs::exists(path, error))
      continue;
    if (const std::string why = distrust(path); !why.empty()) {
      reasons += fmt::format("; {}", why);
      continue;
    }
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
