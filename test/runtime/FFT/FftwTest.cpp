//===- FftwTest.cpp - Transforms by FFTW ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of builds with PMC_FFTW. The tests of FFTTest.cpp run there, too.
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Fftw.h"
#include "runtime/FFT/Wisdom.h"
#include "test/runtime/Support.h"

#include <complex>
#include <fftw3.h>

using namespace pmrt;
using namespace pmrt::test;
namespace fs = std::filesystem;

namespace {

using Complex = std::complex<double>;

/// Dims 0, 1, 2: space; 3, 4, 5: half of the same.
std::unique_ptr<pmrt_context> measured(const std::vector<int64_t> &shape,
                                       int threads) {
  Descriptor d;
  for (const DimKind kind : {DimKind::Space, DimKind::Half})
    for (int64_t n : shape)
      d.dims.push_back({"x", n, 1, kind, {}});
  Settings settings;
  settings.plan = PlanRigor::Measure;
  return makeContext({}, threads, settings, d);
}

/// Without what earlier tests have measured in this process.
class FftwTest : public testing::Test {
protected:
  void SetUp() override {
    fftw_forget_wisdom();
    fftwf_forget_wisdom();
  }
};

} // namespace

TEST_F(FftwTest, PlannedAndUnplannedGiveTheSame) {
  Folder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  std::vector<float> in(32 * 32 * 32), planned(in.size());
  std::vector<std::complex<float>> out(32 * 32 * 17), first(out.size());
  for (bool plan : {true, false}) {
    auto context = measured({32, 32, 32}, 2);
    const pmrt_array a = array(in, PMRT_F32, 0, 3);
    pmrt_array b = array(out, PMRT_C64, 0, 3);
    b.dims[2] = 5;
    if (plan)
      pmrt_plan_fft(context.get(), 0, 1, 7, &a, &b);
    fillNormal(1, 0, int64_t(in.size()), in.data());
    pmrt_fft(context.get(), nullptr, 0, 1, 7, &a, &b);
    if (plan)
      first = out;
    else
      EXPECT_EQ(out, first); // wisdom gives the same plan
    EXPECT_EQ(context->device->ffts().hash().size(), 32u);
  }
  // Wisdom was kept, whole, and nothing else but its lock.
  const auto names = cache.list("pmc");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_CONTAINS(slurp(cache / ("pmc/" + names[0])), "fftw");
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(FftwTest, WithoutACacheFolderItStillWorks) {
  const char *home = getenv("HOME");
  const std::string old = home ? home : "";
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(wisdomPath(true), "");
  auto context = measured({6, 10}, 1);
  std::vector<Complex> data(60);
  const pmrt_array a = array(data, PMRT_C128, 0, 2);
  pmrt_fft(context.get(), nullptr, 0, 1, 3, &a, &a);
  if (home)
    setenv("HOME", old.c_str(), 1);
}

TEST_F(FftwTest, DamagedWisdomIsReplaced) {
  Folder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  std::filesystem::create_directories(cache / "pmc");
  spill(wisdomPath(false), "(fftw rubbish");
  auto context = measured({6, 14}, 1);
  std::vector<Complex> data(84);
  const pmrt_array a = array(data, PMRT_C128, 0, 2);
  pmrt_fft(context.get(), nullptr, 0, 1, 3, &a, &a);
  EXPECT_EQ(slurp(wisdomPath(false)).find("rubbish"), std::string::npos);
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(FftwTest, WisdomIsNotWrittenThroughLinks) {
  const Folder folder;
  const std::string victim = folder / "victim", path = folder / "fftw.wisdom";
  spill(victim, "not to be written to");
  fs::create_symlink(victim, path);
  fs::create_symlink(victim, fmt::format("{}.{}.tmp", path, getpid()));
  fs::create_symlink(folder / "elsewhere", path + ".lock");
  {
    const WisdomLock lock(path);
    EXPECT_EQ(writeWisdom(path, "plans"), "");
  }
  EXPECT_EQ(slurp(path), "plans");
  EXPECT_FALSE(fs::is_symlink(path));
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
  EXPECT_EQ(slurp(victim), "not to be written to");
}
