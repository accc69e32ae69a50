//===- CodeTest.cpp - The runtime's kernels as PTX ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Kernels.h"
#include "runtime/CUDA/Libraries/Library.h"
#include "test/gpu/runtime/OnDevice.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

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

TEST(DeviceCode, BoxesDivideAsIntegersDo) {
  std::mt19937 random(1); // NOLINT(bugprone-random-generator-seed)
  std::vector<int64_t> numbers = {
      0, 1, 2, 3, cuda::mostPairs, cuda::mostPairs - 1};
  for (int bits = 2; bits < 31; ++bits)
    for (int64_t near : {-1, 0, 1})
      numbers.push_back((int64_t(1) << bits) + near);
  for (int i = 0; i < 300; ++i)
    numbers.push_back(int64_t(random() >> (1 + random() % 31)));
  for (int64_t count : numbers) {
    if (count == 0)
      continue;
    cuda::BoxPair box = {};
    box.rank = 1;
    box.counts[0] = count;
    cuda::setDivisors(box);
    for (int64_t number : numbers)
      ASSERT_EQ(cuda::quotient(box, 0, uint32_t(number)), number / count)
          << number << " / " << count;
  }
}

TEST(DeviceLibraries, TheOneForTheDriverIsPreferred) {
  const cuda::LibraryFiles files = {
      {{"lib.so.13", 13}, {"lib.so.12", 12}, {"lib.so.11", 11}}, "", ""};
  const auto order = [&](int version) {
    std::vector<std::string> names;
    for (const std::string &path : cuda::libraryPaths(files, version))
      if (path.find('/') == std::string::npos)
        names.push_back(path);
    return fmt::format("{}", fmt::join(names, " "));
  };
  EXPECT_EQ(order(13), "lib.so.13 lib.so.12 lib.so.11");
  EXPECT_EQ(order(12), "lib.so.12 lib.so.11 lib.so.13");
  EXPECT_EQ(order(0), "lib.so.13 lib.so.12 lib.so.11");
}

TEST(DeviceLibraries, PackagesOfPythonAreSearched) {
  const Folder folder;
  const std::string place =
      folder / "lib/python3.11/site-packages/nvidia/cufft/lib";
  std::filesystem::create_directories(place);
  const char *before = std::getenv("VIRTUAL_ENV");
  const std::string kept = before ? before : "";
  setenv("VIRTUAL_ENV", (folder / "").c_str(), 1);
  const auto paths = cuda::libraryPaths({{{"lib.so.12", 13}}, "", ""}, 13);
  if (before)
    setenv("VIRTUAL_ENV", kept.c_str(), 1);
  else
    unsetenv("VIRTUAL_ENV");
  EXPECT_TRUE(std::any_of(paths.begin(), paths.end(), [](const auto &path) {
    return path.ends_with(
        "/lib/python3.11/site-packages/nvidia/cufft/lib/lib.so.12");
  }));
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
