//===- Driver.cpp - The CUDA driver, loaded at run time -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Driver.h"

#include "runtime/Base/Error.h"

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

static Driver loadDriver() {
  const auto all = load<Driver>(
      {{{"libcuda.so.1"}},
       "no CUDA driver on this machine ({}); a program compiled with "
       "--target=cuda needs an NVIDIA GPU and its driver (package "
       "nvidia-driver, or the driver of the cluster's GPU nodes); compile with "
       "--target=cpu to run here",
       "the CUDA driver of this machine is too old: it has no function {}; "
       "CUDA 12 or later is required (driver 525 or later)"});
  if (const int error = all.init(0))
    throw usageError(
        "[PM9011] the CUDA driver cannot be initialized: {}{}", all.text(error),
        error == constant::noDevice
            ? "; this machine has no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides "
              "it"
            : "; nvidia-smi may show the reason");
  return all;
}

int pmrt::cuda::driverVersion() {
  int version = 0;
  return driver().driverVersion(&version) == constant::success ? version / 1000
                                                               : 0;
}

const Driver &pmrt::cuda::driver() {
  static const Driver loaded = loadDriver(); // what throws is tried again
  return loaded;
}
