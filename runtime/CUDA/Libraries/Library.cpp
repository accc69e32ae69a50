//===- Library.cpp - NVIDIA's libraries, loaded at run time ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/Library.h"

#include "runtime/Base/Error.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <glob.h>
#include <string>

using namespace pmrt;

/// Folders of Python's packages nvidia-*: of the environment that is active,
/// and of the user.
static void addPythonFolders(std::vector<std::string> &folders) {
  std::vector<std::string> roots;
  for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *root = std::getenv(variable); root && *root == '/')
      roots.emplace_back(root);
  if (const char *home = std::getenv("HOME"); home && *home == '/')
    roots.push_back(std::string(home) + "/.local");
  for (const std::string &root : roots) {
    glob_t found = {};
    const std::string pattern =
        root + "/lib/python3*/site-packages/nvidia/*/lib";
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
      for (size_t i = 0; i < found.gl_pathc; ++i)
        folders.push_back(std::string(found.gl_pathv[i]) + "/");
    globfree(&found);
  }
}

/// "" stands for the search of the loader itself.
static std::vector<std::string> usualFolders() {
  std::vector<std::string> folders = {""};
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root == '/')
      for (const char *below : {"/lib64/", "/lib/"})
        folders.push_back(std::string(root) + below);
  for (const char *folder :
       {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/",
        "/usr/local/nvidia/lib64/", "/usr/lib/x86_64-linux-gnu/nvidia/"})
    folders.emplace_back(folder);
  addPythonFolders(folders);
  return folders;
}

std::vector<std::string> pmrt::cuda::libraryPaths(const LibraryFiles &files,
                                                  int version) {
  std::vector<LibraryFiles::Name> names = files.names;
  if (version > 0) // a library for a later driver is the last resort
    std::stable_partition(
        names.begin(), names.end(),
        [&](const LibraryFiles::Name &name) { return name.cuda <= version; });
  std::vector<std::string> paths;
  for (const LibraryFiles::Name &name : names)
    for (const std::string &folder : usualFolders())
      paths.push_back(folder + name.file);
  return paths;
}

void *pmrt::cuda::openLibrary(const LibraryFiles &files, int version) {
  std::string reasons;
  for (const std::string &path : libraryPaths(files, version)) {
    if (void *library = dlopen(path.c_str(), RTLD_NOW))
      return library;
    const char *reason = dlerror();
    // Failures in the usual folders say nothing about the machine.
    if (path.find('/') == std::string::npos)
      reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ",
                             reason ? reason : path);
  }
  throw usageError("{}", fmt::format(fmt::runtime(files.missing), reasons));
}

void *pmrt::cuda::findFunction(void *library, const char *symbol,
                               const LibraryFiles &files) {
  if (void *function = dlsym(library, symbol))
    return function;
  throw usageError("{}", fmt::format(fmt::runtime(files.tooOld), symbol));
}
