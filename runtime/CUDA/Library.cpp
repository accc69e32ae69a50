//===- Library.cpp - NVIDIA's libraries, loaded at run time ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Library.h"

#include "runtime/Base/Error.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <string>

using namespace pmrt;

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
  return folders;
}

void *pmrt::cuda::openLibrary(const LibraryFiles &files) {
  std::string reasons;
  for (const char *name : files.names)
    for (const std::string &folder : usualFolders()) {
      if (void *library = dlopen((folder + name).c_str(), RTLD_NOW))
        return library;
      const char *reason = dlerror();
      // Failures in the usual folders say nothing about the machine.
      if (folder.empty())
        reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ",
                               reason ? reason : name);
    }
  throw usageError("{}", fmt::format(fmt::runtime(files.missing), reasons));
}

void *pmrt::cuda::findFunction(void *library, const char *symbol,
                               const LibraryFiles &files) {
  if (void *function = dlsym(library, symbol))
    return function;
  throw usageError("{}", fmt::format(fmt::runtime(files.tooOld), symbol));
}
