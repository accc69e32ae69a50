//===- Run.h - Starts the runtime's own kernels -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_RUN_H
#define PMRT_CUDA_RUN_H

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Kernels.h"

#include <tuple>

template <typename... Params, typename... Args>
void pmrt::cuda::CudaDevice::run(void (*)(Params...), const char *name,
                                 int64_t items, Args... args) {
  if (items <= 0)
    return;
  constexpr int32_t threads = 256;
  std::tuple<Params...> values(args...);
  std::apply(
      [&](Params &...each) {
        void *addresses[] = {&each...};
        Code::Kernel &kernel = ownCode.kernel(name);
        launch(name, kernel, blocksFor(kernel, items, threads, 0), threads, 0,
               addresses);
      },
      values);
}

#define PMRT_RUN(NAME, ...)                                                    \
  run(static_cast<decltype(&(NAME))>(nullptr), #NAME, __VA_ARGS__)

#endif // PMRT_CUDA_RUN_H
