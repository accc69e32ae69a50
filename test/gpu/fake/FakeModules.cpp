//===- FakeModules.cpp - Images and kernels of the simulated device -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeDevice.h"
#include "test/gpu/fake/Grid.h"
#include "test/gpu/fake/HostKernels.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

using namespace fakecuda;

namespace {

struct FakeFunction {
  void (*host)(void **) = nullptr;
  const int32_t *sizes = nullptr;
  std::string name;
};

struct FakeModule {
  std::string ptx; ///< empty: not PTX
  void *program;   ///< the file with the image, as of dlopen; null: unknown
  std::map<std::string, FakeFunction> functions;
};

/// The program, or shared object, that an image is a part of.
void *programOf(const void *image) {
  Dl_info found;
  return dladdr(image, &found) ? dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                               : nullptr;
}

void *symbol(void *program, const std::string &name) {
  const char *path = std::getenv("FAKECUDA_KERNELS");
  void *library = path ? dlopen(path, RTLD_NOW) : nullptr;
  if (path && !library)
    std::fprintf(stderr, "fake CUDA: %s\n", dlerror());
  void *there = library ? dlsym(library, name.c_str()) : nullptr;
  if (!there && program)
    there = dlsym(program, name.c_str());
  return there ? there : dlsym(RTLD_DEFAULT, name.c_str());
}

int runKernel(const FakeFunction &function, unsigned blocks, unsigned threads,
              unsigned shared, void **args) {
  const std::string problem =
      runGrid({int(blocks), int(threads), size_t(shared)},
              [&] { function.host(args); });
  if (problem.empty())
    return success;
  std::fprintf(stderr, "fake CUDA: kernel '%s': %s\n", function.name.c_str(),
               problem.c_str());
  return launchFailed;
}

} // namespace

extern "C" {

int cuModuleLoadDataEx(void **module, const void *image, unsigned options,
                       int *names, void **values) {
  CALLED;
  NEEDS_CONTEXT;
  const auto *text = static_cast<const char *>(image);
  // An ELF is machine code; what else is not a PTX is refused as the driver
  // does.
  const bool elf = std::memcmp(text, "\177ELF", 4) == 0;
  if (!elf && !std::strstr(text, ".version")) {
    for (unsigned i = 0; i < options; ++i)
      if (names[i] == pmrt::cuda::constant::jitErrorLog)
        std::strcpy(static_cast<char *>(values[i]),
                    "ptxas fatal: Missing .version directive\n");
    return invalidPtx;
  }
  auto *made = new FakeModule;
  made->program = programOf(image);
  if (!elf)
    made->ptx = text;
  *module = made;
  return success;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  CALLED;
  const std::lock_guard guard(device().lock);
  auto *code = static_cast<FakeModule *>(module);
  if (!code->ptx.empty() &&
      code->ptx.find(".entry " + std::string(name) + "(") == std::string::npos)
    return notFound;
  FakeFunction &known = code->functions[name];
  if (!known.host) {
    known.name = name;
    if (!runtimeKernel(name, known.host, known.sizes)) {
      known.host = reinterpret_cast<void (*)(void **)>(
          symbol(code->program, std::string(name) + ".host"));
      known.sizes = static_cast<const int32_t *>(
          symbol(code->program, std::string(name) + ".sizes"));
    }
  }
  if (!known.host)
    return notFound;
  *function = &known;
  return success;
}

int cuModuleUnload(void *module) {
  auto *code = static_cast<FakeModule *>(module);
  if (code->program)
    dlclose(code->program);
  delete code;
  return success;
}

int cuFuncSetAttribute(void *, int, int) { return success; }

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *,
                                                int threads, size_t shared) {
  CALLED;
  *blocks = threads > 1024 || shared > 232448 ? 0 : std::max(1, 2048 / threads);
  return success;
}

int cuLaunchKernel(void *function, unsigned blocks, unsigned y, unsigned z,
                   unsigned threads, unsigned ty, unsigned tz, unsigned shared,
                   void *stream, void **args, void **) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  const auto &kernel = *static_cast<FakeFunction *>(function);
  if (streamOf(stream)->device != currentContext()->device)
    return invalidHandle;
  if (y != 1 || z != 1 || ty != 1 || tz != 1 || blocks == 0 || threads == 0 ||
      threads > 1024)
    return invalidValue;
  if (!kernel.sizes) { // nobody knows how to keep the arguments
    if (const int error = drainWithOthers(*streamOf(stream), nullptr, 0))
      return error;
    const Access access(streamOf(stream)->device);
    return device().error = runKernel(kernel, blocks, threads, shared, args);
  }
  // FAKECUDA_ENDLESS: a kernel that does not end, by its name.
  if (const char *name = std::getenv("FAKECUDA_ENDLESS");
      name && kernel.name == name) {
    enqueue(stream, {}, [] { return false; });
    return device().error;
  }
  std::vector<std::vector<char>> copies;
  for (int32_t i = 0; i < kernel.sizes[0]; ++i) {
    const auto *from = static_cast<const char *>(args[i]);
    copies.emplace_back(from, from + kernel.sizes[1 + i]);
  }
  enqueue(stream, [=, &kernel]() mutable {
    std::vector<void *> addresses;
    for (auto &copy : copies)
      addresses.push_back(copy.data());
    return runKernel(kernel, blocks, threads, shared, addresses.data());
  });
  return device().error;
}

} // extern "C"
