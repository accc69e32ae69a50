//===- CodeTest.cpp - The runtime's kernels as PTX ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/runtime/OnDevice.h"

#include <cstdlib>

using namespace pmrt;
using namespace pmrt::test;

TEST(DeviceCode, NoiseHasNoFusedOperations) {
  const std::string text = pmrt_kernel_text;
  EXPECT_CONTAINS(text, ".entry pmrt_noise_f64(");
  EXPECT_CONTAINS(text, "sqrt.rn.f64");
  EXPECT_EQ(text.find("fma."), std::string::npos);
  // Nothing that somebody else would have to bring.
  EXPECT_EQ(text.find(".extern .func"), std::string::npos);
}

TEST(DeviceCode, PtxasTakesItForEveryGpu) {
  if (std::system("ptxas --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "ptxas (of the CUDA toolkit) is not in the path";
  const Folder folder;
  spill(folder / "kernels.ptx", pmrt_kernel_text);
  for (const char *arch : {"sm_80", "sm_90"}) {
    const std::string command = fmt::format(
        "ptxas -arch={} --warning-as-error {} -o {} > {} 2>&1", arch,
        folder / "kernels.ptx", folder / "kernels.cubin", folder / "log");
    EXPECT_EQ(std::system(command.c_str()), 0) << slurp(folder / "log");
  }
}
