//===- Code.cpp - Loading and launching kernels ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/CudaDevice.h"

#include <algorithm>

using namespace pmrt;
using namespace pmrt::cuda;

void Code::unload() {
  if (module)
    (void)cu.moduleUnload(module);
  module = nullptr;
}

void Code::load(const pmrt_image &image) {
  std::vector<char> log(8192, '\0');
  int options[] = {constant::jitErrorLog, constant::jitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  if (const int error =
          cu.moduleLoad(&module, image.data, 2, options, values)) {
    const std::string kind = image.kind == PMRT_IMAGE_PTX     ? "PTX"
                             : image.kind == PMRT_IMAGE_CUBIN ? "machine code"
                                                              : "fat binary";
    std::string said = log.data();
    while (!said.empty() &&
           std::isspace(static_cast<unsigned char>(said.back())))
      said.pop_back();
    throw context.failure(context.current,
                          fmt::format("[PM9011] the CUDA driver cannot load "
                                      "the program's {} for sm_{}: {}{}",
                                      kind, image.arch, cu.text(error),
                                      said.empty() ? "" : ":\n" + said));
  }
}

Code::Kernel &Code::kernel(const char *name) {
  Kernel &known = kernels[name];
  if (known.function)
    return known;
  const int error =
      module ? cu.moduleFunction(&known.function, module, name) : -1;
  if (error != constant::success)
    throw context.failure(
        context.current,
        fmt::format("internal error: the program's device code has no kernel "
                    "'{}'{}",
                    name, module ? ": " + cu.text(error) : ""));
  return known;
}

int64_t CudaDevice::blocksFor(Code::Kernel &kernel, int64_t items,
                              int32_t threads, int32_t shared) {
  auto [entry, isNew] =
      kernel.resident.try_emplace((int64_t(threads) << 32) | shared, 0);
  if (isNew) {
    reserveShared(kernel, shared);
    check(
        cu.occupancy(&entry->second, kernel.function, threads, size_t(shared)),
        "query how many blocks fit");
    if (entry->second == 0)
      throw context.failure(
          context.current,
          fmt::format("internal error: a block of {} threads and {} bytes of "
                      "shared memory does not fit on {}",
                      threads, shared, told.name));
  }
  // Some blocks more than fit at one time even out what they have to do.
  constexpr int64_t waves = 8;
  const int64_t enough = (items + threads - 1) / threads;
  return std::clamp<int64_t>(enough, 1, waves * processors * entry->second);
}

void CudaDevice::reserveShared(Code::Kernel &kernel, int32_t bytes) {
  constexpr int32_t always = 48 * 1024; // more must be asked for
  if (bytes <= always || bytes <= kernel.shared)
    return;
  check(cu.functionSet(kernel.function, constant::functionDynamicShared, bytes),
        "reserve shared memory");
  kernel.shared = bytes;
}

void CudaDevice::launch(const char *name, Code::Kernel &kernel, int64_t blocks,
                        int32_t threads, int32_t shared, void **args) {
  reserveShared(kernel, shared);
  if (const int error =
          cu.launch(kernel.function, unsigned(blocks), 1, 1, unsigned(threads),
                    1, 1, unsigned(shared), stream, args, nullptr))
    check(error, fmt::format("run kernel '{}' on {} blocks of {} threads", name,
                             blocks, threads)
                     .c_str());
}
