//===- Driver.cpp - The CUDA driver, loaded at run time -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Driver.h"

#include "runtime/Base/Error.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

using namespace pmrt;
using namespace pmrt::cuda;

std::string Driver::text(int error) const {
  const char *name = nullptr, *words = nullptr;
  if (errorName(error, &name) != constant::success || !name)
    return fmt::format("CUDA error {}", error);
  if (errorText(error, &words) != constant::success || !words)
    return name;
  return fmt::format("{} ({})", words, name);
}

void *pmrt::cuda::openLibrary(std::initializer_list<const char *> names,
                              std::string &tried) {
  std::vector<std::string> folders = {""};
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root == '/')
      for (const char *below : {"/lib64/", "/lib/"})
        folders.push_back(std::string(root) + below);
  for (const char *folder :
       {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/",
        "/usr/local/nvidia/lib64/", "/usr/lib/x86_64-linux-gnu/nvidia/"})
    folders.emplace_back(folder);
  for (const char *name : names)
    for (const std::string &folder : folders) {
      if (void *library = dlopen((folder + name).c_str(), RTLD_NOW))
        return library;
      // The first reason is the loader's own search; the others are guesses.
      const char *reason = dlerror();
      if (folder.empty())
        tried += fmt::format("{}{}", tried.empty() ? "" : "; ",
                             reason ? reason : name);
    }
  return nullptr;
}

static Driver loadDriver() {
  std::string tried;
  void *library = openLibrary({"libcuda.so.1"}, tried);
  if (!library)
    throw usageError("no CUDA driver on this machine ({}); a program compiled "
                     "with --target=cuda needs an NVIDIA GPU and its driver "
                     "(package nvidia-driver, or the driver of the cluster's "
                     "GPU nodes); compile with --target=cpu to run here",
                     tried);
  Driver all;
  auto get = [&](auto &member, const char *symbol) {
    member = reinterpret_cast<std::decay_t<decltype(member)>>(
        dlsym(library, symbol));
    if (!member)
      throw usageError("the CUDA driver of this machine is too old: it has no "
                       "{}; CUDA 12 or later is needed (driver 525 or later)",
                       symbol);
  };
#define PMRT_GET(NAME, SYMBOL, ...) get(all.NAME, SYMBOL);
  PMRT_CUDA_DRIVER(PMRT_GET)
#undef PMRT_GET
  if (const int error = all.init(0))
    throw usageError(
        "the CUDA driver does not start: {}{}", all.text(error),
        error == constant::noDevice
            ? "; this machine has no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides "
              "it"
            : "; nvidia-smi may tell why");
  return all;
}

const Driver &pmrt::cuda::driver() {
  static const Driver loaded = loadDriver(); // what throws is tried again
  return loaded;
}
