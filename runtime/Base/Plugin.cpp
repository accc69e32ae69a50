//===- Plugin.cpp - Parts that are loaded when they are needed ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Plugin.h"

#include "runtime/Base/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace pmrt;
namespace fs = std::filesystem;

/// The shared library that has this code; "" if it is in the program itself.
static std::string ownLibrary() {
  Dl_info info;
  link_map *map = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(&ownLibrary), &info,
               reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) ||
      !map || !map->l_name || map->l_name[0] != '/')
    return "";
  return map->l_name;
}

/// The folders that the linker wrote into the program (DT_RUNPATH).
static std::vector<fs::path> programFolders() {
  std::vector<fs::path> folders;
  const auto *map = static_cast<link_map *>(dlopen(nullptr, RTLD_LAZY));
  const char *strings = nullptr, *list = nullptr;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (strings && entry->d_tag == DT_RUNPATH)
      list = strings + entry->d_un.d_val;
  for (std::string_view rest = list ? list : ""; !rest.empty();) {
    const size_t end = std::min(rest.find(':'), rest.size());
    std::string folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code error;
    if (folder.starts_with("$ORIGIN"))
      folder = fs::read_symlink("/proc/self/exe", error)
                   .parent_path()
                   .concat(folder.substr(7))
                   .lexically_normal();
    if (folder.starts_with('/')) // others depend on the current folder
      folders.emplace_back(folder);
  }
  return folders;
}

/// Where plugins may be: beside the runtime's library, or in the folder of the
/// runtime that the program was linked with. Never beside the program or in the
/// current folder, which anybody may have filled.
static std::vector<fs::path> pluginFolders() {
  std::vector<fs::path> folders;
  if (const char *folder = std::getenv("PMRT_PLUGIN_DIR"); folder && *folder) {
    if (*folder != '/')
      throw usageError("[PM9010] PMRT_PLUGIN_DIR={} is not an absolute path",
                       folder);
    folders.emplace_back(folder);
  }
  if (const std::string library = ownLibrary(); !library.empty())
    folders.push_back(fs::path(library).parent_path());
  else
    for (const fs::path &folder : programFolders())
      folders.push_back(folder);
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
      return fmt::format("{} belongs to user {}, expected root, the current "
                         "user or the owner of the program",
                         at.string(), plugin.st_uid);
    if (plugin.st_mode & S_IWOTH)
      return fmt::format("{} is writable by all users", at.string());
  }
  return "";
}

Plugin::Plugin(const char *file, const char *versionFunction, int version,
               bool global) {
  // Packages have most plugins in the runtime's library.
  if (const std::string own = ownLibrary(); !own.empty()) {
    library = dlopen(own.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library && find<int()>(versionFunction))
      return;
    library = nullptr;
  }
  const std::vector<fs::path> folders = pluginFolders();
  std::error_code error;
  for (const fs::path &folder : folders) {
    const std::string path = (folder / file).string();
    if (!fs::exists(path, error))
      continue;
    if (const std::string why = distrust(path); !why.empty()) {
      reasons += fmt::format("; {}", why);
      continue;
    }
    library = dlopen(path.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : 0));
    if (!library) {
      reasons += fmt::format("; {}", dlerror());
      continue;
    }
    auto *says = find<int()>(versionFunction);
    if (says && says() == version) {
      reasons.clear();
      return;
    }
    reasons += fmt::format(
        "; {} has a different version than the program expects", path);
  }
  if (!reasons.empty())
    return;
  std::vector<std::string> names;
  for (const fs::path &folder : folders)
    names.push_back(folder.string());
  reasons =
      fmt::format("; {} was not found in {}", file, fmt::join(names, ", "));
}

void *Plugin::symbol(const char *name) const { return dlsym(library, name); }
