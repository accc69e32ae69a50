//===- ProgramTest.cpp - A program for GPUs as a process ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/IO/Formats/Npy.h"
#include "test/gpu/runtime/OnDevice.h"

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

using namespace pmrt;
using namespace pmrt::test;

namespace {

struct Result {
  int exit = -1;
  std::string out, err;
};

/// Runs the toy in a folder of its own.
class Toy {
public:
  /// `environment`: NAME=VALUE.
  Result run(const std::vector<std::string> &args,
             const std::vector<std::string> &environment = {}) {
    std::vector<std::string> command = {PMRT_CUDA_TOY};
    command.insert(command.end(), args.begin(), args.end());
    return execute(command, environment);
  }

  Result execute(std::vector<std::string> command,
                 const std::vector<std::string> &environment = {}) {
    const pid_t child = fork();
    if (child == 0) {
      // In the background of a script it is ignored, and would stay so.
      signal(SIGINT, SIG_DFL);
      for (const std::string &variable : environment)
        putenv(strdup(variable.c_str()));
      if (!freopen((folder / "stdout").c_str(), "w", stdout) ||
          !freopen((folder / "stderr").c_str(), "w", stderr) ||
          !freopen("/dev/null", "r", stdin) ||
          chdir(folder.path().c_str()) != 0)
        _exit(99);
      std::vector<char *> argv;
      for (std::string &arg : command)
        argv.push_back(arg.data());
      argv.push_back(nullptr);
      execvp(argv[0], argv.data());
      _exit(98);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            slurp(folder / "stdout"), slurp(folder / "stderr")};
  }

  nlohmann::json record() {
    return nlohmann::json::parse(slurp(folder / "out/run.json"));
  }
  std::string file(const std::string &name) {
    return slurp(folder / ("out/" + name));
  }
  /// The numbers at the end of a file.
  template <typename T>
  std::vector<T> numbers(const std::string &name, size_t count) {
    const std::string bytes = file(name);
    std::vector<T> values(count);
    if (bytes.size() >= count * sizeof(T))
      std::memcpy(values.data(),
                  bytes.data() + bytes.size() - count * sizeof(T),
                  count * sizeof(T));
    return values;
  }

  Folder folder;
};

class DeviceProgram : public OnDevice {
protected:
  Toy toy;
};

/// Ranks must write what one rank does.
class DeviceRanksProgram : public DeviceProgram {
protected:
  void SetUp() override {
    DeviceProgram::SetUp();
    if (IsSkipped())
      return;
    const Result one = toy.run({"--format=npy"});
    ASSERT_EQ(one.exit, 0) << one.err;
    noise = toy.file("noise.npy");
    parts = toy.numbers<float>("parts.npy", 3 * 4096);
    counts = toy.numbers<float>("counts.npy", 8);
  }

  void expectLikeOne(const Result &r, const char *transport) {
    ASSERT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(toy.record()["transport"], transport);
    const std::string mesh = toy.record()["mesh"].dump();
    EXPECT_EQ(toy.file("noise.npy"), noise) << mesh;
    EXPECT_EQ(toy.numbers<float>("counts.npy", 8), counts) << mesh;
    const auto got = toy.numbers<float>("parts.npy", 3 * 4096);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], parts[i], 2e-6) << mesh;
  }

  std::string noise;
  std::vector<float> parts, counts;
};

bool fakeDriver() {
  auto context = makeContext({4});
  attach(*context);
  return isFake(*context);
}

} // namespace

TEST_F(DeviceProgram, WritesWhatTheHostWould) {
  const Result r = toy.run({"--format=npy", "--seed=7"});
  ASSERT_EQ(r.exit, 0) << r.err;
  EXPECT_EQ(toy.folder.list("out"),
            (std::vector<std::string>{"counts.npy", "noise.npy", "parts.npy",
                                      "plane.png", "report.html", "run.json",
                                      "sums.npy"}));
  std::vector<float> noise(4096);
  fillNormal(7, 0, 4096, noise.data());
  EXPECT_EQ(toy.numbers<float>("noise.npy", 4096), noise);
  const std::vector<float> parts = toy.numbers<float>("parts.npy", 3 * 4096);
  std::vector<float> counts(8, 0);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 4096; ++i) {
    ASSERT_EQ(parts[3 * i], noise[i]);
    ASSERT_EQ(parts[3 * i + 2], noise[i]);
    const float b = parts[3 * i + 1]; // there and back again
    ASSERT_NEAR(b, noise[i], 2e-6);
    sum += b;
    squares += double(b) * b;
    if (b >= 0 && b < 8)
      counts[size_t(b)] += 1;
  }
  EXPECT_EQ(toy.numbers<float>("counts.npy", 8), counts);
  const std::vector<double> sums = toy.numbers<double>("sums.npy", 2);
  EXPECT_NEAR(sums[0], sum, 1e-9);
  EXPECT_NEAR(sums[1], squares, 1e-9);
  EXPECT_EQ(r.out, fmt::format("squares {:.3f}\n", squares));
}

TEST_F(DeviceProgram, TellsTheDevice) {
  const Result r = toy.run({"--quiet"});
  ASSERT_EQ(r.exit, 0) << r.err;
  const auto json = toy.record();
  EXPECT_EQ(json["target"], "cuda");
  EXPECT_FALSE(json["device"]["name"].get<std::string>().empty());
  EXPECT_EQ(json["device"]["architecture"].get<std::string>().rfind("sm_", 0),
            0U);
  EXPECT_CONTAINS(json["device"]["fft"].get<std::string>(), "cuFFT 1");
  EXPECT_TRUE(json["wisdom_hash"].is_null());
  const Result dry = toy.run({"--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry.err;
  EXPECT_CONTAINS(dry.out,
                  "device: " + json["device"]["name"].get<std::string>());
  EXPECT_EQ(dry.out.find("FFT plans"), std::string::npos);
  const Result help = toy.run({"--help"});
  EXPECT_CONTAINS(help.out, "This program runs on NVIDIA GPUs");
}

TEST_F(DeviceProgram, ReadsInputs) {
  std::vector<double> values(4096);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(double(i));
  std::string bytes = npyHeader(PMRT_F64, {16, 16, 16});
  bytes.append(reinterpret_cast<const char *>(values.data()), 4096 * 8);
  spill(toy.folder / "in.npy", bytes);
  spill(toy.folder / "curve.txt", "-2 5\n0 1\n2 1\n");
  const Result r =
      toy.run({"--format=npy", "--initial=in.npy", "--curve=curve.txt"});
  ASSERT_EQ(r.exit, 0) << r.err;
  const std::vector<float> parts = toy.numbers<float>("parts.npy", 3 * 4096);
  for (size_t i = 0; i < 4096; ++i) {
    ASSERT_EQ(parts[3 * i], float(values[i]));
    ASSERT_NEAR(parts[3 * i + 1], std::max(1.0, 1 - 2 * values[i]), 1e-5);
  }
}

TEST_F(DeviceRanksProgram, RanksShareTheGpu) {
  for (const char *mesh : {"row=2,col=1", "row=2,col=2", "row=1,col=3"})
    expectLikeOne(toy.run({"--format=npy", "--mesh", mesh}), "threads");
}

TEST_F(DeviceRanksProgram, RanksOfOneProcessReadEachOthersGpus) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs two GPUs";
  // Two of three have a rank: each opens one other.
  const std::string three = "FAKECUDA_DEVICES=3", blind = "FAKECUDA_PEERS=0";
  expectLikeOne(toy.run({"--format=npy", "--mesh=row=2"},
                        {three, "FAKECUDA_CALLS=calls.txt"}),
                "threads");
  EXPECT_CONTAINS(slurp(toy.folder / "calls.txt"), "cuCtxEnablePeerAccess 2\n");
  // Otherwise the messages go through the host.
  for (const char *mesh : {"row=2,col=1", "row=2,col=2", "row=1,col=3"})
    expectLikeOne(toy.run({"--format=npy", "--mesh", mesh}, {three, blind}),
                  "threads");
}

TEST_F(DeviceRanksProgram, StreamsMayWorkAtAnyTime) {
  if (!fakeDriver())
    GTEST_SKIP() << "a check of the fake driver";
  for (int seed = 1; seed <= 4; ++seed) {
    const std::string random = fmt::format("FAKECUDA_PROGRESS={}", seed);
    expectLikeOne(toy.run({"--format=npy", "--mesh=row=2,col=2"}, {random}),
                  "threads");
    expectLikeOne(
        toy.run({"--format=npy", "--mesh=row=2,col=2", "--transport=nccl"},
                {"FAKECUDA_DEVICES=4", random}),
        "nccl");
  }
}

TEST_F(DeviceRanksProgram, ADriverWithoutMemoryPoolsIsEnough) {
  if (!fakeDriver())
    GTEST_SKIP() << "a check of the fake driver";
  expectLikeOne(toy.run({"--format=npy", "--mesh=row=2", "--transport=nccl"},
                        {"FAKECUDA_DEVICES=2", "FAKECUDA_POOLS=0"}),
                "nccl");
}

TEST_F(DeviceRanksProgram, RanksWithAGpuEachUseNccl) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs four GPUs";
  for (const char *mesh : {"row=2,col=1", "row=2,col=2", "row=1,col=3"})
    expectLikeOne(toy.run({"--format=npy", "--mesh", mesh, "--transport=nccl"},
                          {"FAKECUDA_DEVICES=4"}),
                  "nccl");
  const Result poison =
      toy.run({"--poison=true", "--mesh=row=2,col=2", "--transport=nccl"},
              {"FAKECUDA_DEVICES=4"});
  EXPECT_EQ(poison.exit, 2);
  EXPECT_CONTAINS(poison.err, "position is not finite, or too large");
  const Result shared = toy.run({"--mesh=row=2,col=2", "--transport=nccl"},
                                {"FAKECUDA_DEVICES=3"});
  EXPECT_EQ(shared.exit, 1);
  EXPECT_CONTAINS(shared.err, "several ranks share Fake GPU (number 0), but "
                              "NCCL requires one GPU per rank");
}

TEST_F(DeviceRanksProgram, WhatNcclHearsOfALostRankEndsAll) {
  if (!fakeDriver())
    GTEST_SKIP() << "no GPU loses a rank on demand";
  for (const char *after : {"0", "3"}) {
    const Result r =
        toy.run({"--mesh=row=2,col=2", "--transport=nccl"},
                {"FAKECUDA_DEVICES=4", std::string("FAKENCCL_LOSS=") + after});
    EXPECT_NE(r.exit, 0);
    EXPECT_CONTAINS(r.err, "NCCL cannot ");
    EXPECT_CONTAINS(r.err,
                    "remote process exited or there was a network error");
  }
}

#if PMRT_HAVE_MPI
TEST_F(DeviceRanksProgram, AnMpiThatKnowsGpusIsHandedTheirMemory) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs such an MPI";
  std::vector<std::string> start = {
      "mpirun", "--oversubscribe", "--allow-run-as-root", "-n",
      "4",      PMRT_CUDA_TOY,     "--format=npy",        "--mesh=row=2,col=2"};
  const std::string knows = std::string("LD_PRELOAD=") + PMRT_FAKE_MPI,
                    open = "FAKECUDA_OPEN=1";
  expectLikeOne(toy.execute(start, {knows, open}), "mpi, GPU to GPU");
  expectLikeOne(toy.execute(start, {open, "PMRT_CUDA_MPI=direct"}),
                "mpi, GPU to GPU");
  expectLikeOne(toy.execute(start, {knows, "PMRT_CUDA_MPI=staged"}), "mpi");
  start.insert(start.end(), {"--profile=trace.json"});
  EXPECT_CONTAINS(toy.execute(start, {knows, open}).err,
                  "the first of 4 ranks, transport mpi, GPU to GPU:");
  const Result wrong = toy.execute(start, {"PMRT_CUDA_MPI=yes"});
  EXPECT_EQ(wrong.exit, 1);
  EXPECT_CONTAINS(wrong.err, "PMRT_CUDA_MPI=yes is neither direct nor staged");
}

TEST_F(DeviceRanksProgram, ProcessesExchangeThroughTheHost) {
  expectLikeOne(
      toy.execute({"mpirun", "--oversubscribe", "--allow-run-as-root", "-n",
                   "4", PMRT_CUDA_TOY, "--format=npy", "--mesh=row=2,col=2"}),
      "mpi");
}
#endif

TEST_F(DeviceRanksProgram, ProcessesNeedNoMpi) {
  const std::vector<std::string> start = {PMRT_START_RANKS, "4", PMRT_CUDA_TOY,
                                          "--format=npy", "--mesh=row=2,col=2"};
  expectLikeOne(toy.execute(start), "tcp");
  const Result direct = toy.execute(start, {"PMRT_CUDA_MPI=direct"});
  EXPECT_EQ(direct.exit, 1);
  EXPECT_CONTAINS(direct.err, "PMRT_CUDA_MPI=direct: the transport tcp cannot "
                              "send from the memory of a GPU");
  if (!fakeDriver())
    GTEST_SKIP() << "the rest needs four GPUs";
  auto nccl = start;
  nccl.push_back("--transport=nccl");
  expectLikeOne(toy.execute(nccl, {"FAKECUDA_DEVICES=4"}), "nccl");
  // As srun --gpus-per-task does: each sees its own alone.
  nccl.insert(
      nccl.begin() + 2,
      {"sh", "-c", "CUDA_VISIBLE_DEVICES=$PMRT_RANK exec \"$0\" \"$@\""});
  expectLikeOne(toy.execute(nccl, {"FAKECUDA_DEVICES=4"}), "nccl");
  nccl[4] = "CUDA_VISIBLE_DEVICES=2 exec \"$0\" \"$@\"";
  const Result shared = toy.execute(nccl, {"FAKECUDA_DEVICES=4"});
  EXPECT_EQ(shared.exit, 1);
  EXPECT_CONTAINS(shared.err, "several ranks share Fake GPU");
}

TEST_F(DeviceRanksProgram, AKilledProcessEndsThoseOfNccl) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs two GPUs";
  // Once the first rank tells how far the loop is.
  const char *const killed =
      "[ $PMRT_RANK = 0 ] || (while kill -0 $$ && ! grep -q /100000000 stderr; "
      "do sleep 0.1; done; kill -9 $$) & exec \"$0\" \"$@\"";
  const Result r =
      toy.execute({PMRT_START_RANKS, "2", "sh", "-c", killed, PMRT_CUDA_TOY,
                   "--mesh=row=2", "--transport=nccl", "--steps=100000000",
                   "--progress=always", "--watchdog-end=30"},
                  {"FAKECUDA_DEVICES=2"});
  EXPECT_EQ(r.exit, 2) << r.err;
  EXPECT_CONTAINS(r.err,
                  "error: rank 0: the connection to rank 1 is lost: process ");
  EXPECT_EQ(toy.record()["status"], "failed");
}

// The device's memory is never freed: that would wait for the kernel.
TEST_F(DeviceRanksProgram, AKernelThatDoesNotEndIsLeftAfterCtrlC) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs a kernel that does not end";
  const char *const interrupted =
      "(while ! grep -q running out/run.json; do sleep 0.1; done; sleep 1; "
      "kill -INT $$) 2> /dev/null & exec \"$0\" \"$@\"";
  std::filesystem::remove_all(toy.folder / "out");
  for (const char *mesh : {"--mesh=row=1", "--mesh=row=2"}) {
    const auto start = std::chrono::steady_clock::now();
    const Result r = toy.execute(
        {"sh", "-c", interrupted, PMRT_CUDA_TOY, mesh, "--profile=times.json"},
        {"FAKECUDA_ENDLESS=toy_scale"});
    EXPECT_EQ(r.exit, 130) << mesh << r.err;
    EXPECT_CONTAINS(r.err, "interrupted at toy.pm:");
    EXPECT_EQ(toy.record()["status"], "interrupted");
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::seconds(30));
    for (const std::string &name : toy.folder.list("out"))
      EXPECT_FALSE(name.ends_with(".tmp")) << name;
    std::filesystem::remove_all(toy.folder / "out");
  }
}

TEST_F(DeviceProgram, ACallOfTheDriverThatDoesNotReturnEndsTheRun) {
  if (!fakeDriver())
    GTEST_SKIP() << "needs a call that does not return";
  for (const char *mesh : {"--mesh=row=1", "--mesh=row=2"}) {
    const Result r = toy.run({mesh, "--watchdog-end=2"},
                             {"FAKECUDA_BLOCKED=cuMemcpyDtoHAsync_v2"});
    EXPECT_EQ(r.exit, 2) << r.err;
    EXPECT_CONTAINS(r.err, "has not returned from cuMemcpyDtoHAsync_v2 of Fake "
                           "GPU for 2 s: another rank has not reached it");
    EXPECT_CONTAINS(r.err, "warning: ");
    EXPECT_CONTAINS(r.err, "[PM9202]");
    EXPECT_CONTAINS(r.err, "[PM9011]");
  }
}

TEST_F(DeviceProgram, AFaultOfAKernelEndsItAtItsLine) {
  const Result r = toy.run({"--poison=true"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err,
                  "toy.pm:7:3: error: position is not finite, or too large");
  EXPECT_EQ(toy.record()["status"], "failed");
  const Result ranks = toy.run({"--poison=true", "--mesh=row=2,col=2"});
  EXPECT_EQ(ranks.exit, 2);
  EXPECT_CONTAINS(ranks.err, "toy.pm:7:3: error: ");
}

TEST_F(DeviceProgram, AKernelThatIsNotThereIsAnInternalError) {
  const Result r = toy.run({"--missing=true"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "toy.pm:7:3: error: internal error: the program's "
                         "device code has no kernel 'toy_missing'");
}

TEST_F(DeviceProgram, AProgramForAnotherGpuSaysSo) {
  const Result r = toy.run({"--arch=75"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "the program has kernels for sm_75, but ");
  EXPECT_CONTAINS(r.err, "compile it with --gpu-arch=sm_");
}

TEST_F(DeviceProgram, ProfilesByTheDevicesClock) {
  const Result r = toy.run({"--profile=trace.json"});
  ASSERT_EQ(r.exit, 0) << r.err;
  EXPECT_CONTAINS(r.err, "toy_scale");
  EXPECT_CONTAINS(r.err, "toy.pm:7:3");
  const auto trace = nlohmann::json::parse(slurp(toy.folder / "trace.json"));
  int scales = 0;
  for (const auto &event : trace["traceEvents"])
    if (event["name"] == "toy_scale") {
      ++scales;
      EXPECT_GE(event["dur"].get<double>(), 0);
      EXPECT_GE(event["ts"].get<double>(), 0);
    }
  EXPECT_EQ(scales, 6);
}

TEST_F(DeviceProgram, MemoryThatIsNotThereIsRefusedBeforeItRuns) {
  const Result limit = toy.run({"--memory-limit=8KiB"});
  EXPECT_EQ(limit.exit, 1);
  EXPECT_CONTAINS(limit.err, "more than the 8.0 KiB of --memory-limit");
  if (!fakeDriver())
    GTEST_SKIP() << "the rest needs a small GPU";
  const Result small = toy.run({}, {"FAKECUDA_MEMORY=16384"});
  EXPECT_EQ(small.exit, 1);
  EXPECT_CONTAINS(small.err, "Fake GPU has free");
}

TEST_F(DeviceProgram, AMissedBarrierFailsTheLaunch) {
  if (!fakeDriver())
    GTEST_SKIP() << "a GPU forgives it";
  const Result r = toy.run({"--stuck=true"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "kernel 'toy_stuck': some threads of block 0 of 1 "
                         "have ended while others wait at a barrier");
  EXPECT_CONTAINS(r.err, "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_CONTAINS(r.err, "a kernel of this or an earlier call has failed");
}

TEST_F(DeviceProgram, AnOldDriverIsNamed) {
  if (!fakeDriver())
    GTEST_SKIP() << "this driver is new";
  const Result r = toy.run({}, {"FAKECUDA_VERSION=11040"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "supports CUDA 11.4, but CUDA 12.0 is needed");
}

TEST_F(DeviceProgram, NoGpuIsTold) {
  if (!fakeDriver())
    GTEST_SKIP() << "this machine has one";
  const Result r = toy.run({}, {"FAKECUDA_DEVICES=0"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "this machine has no NVIDIA GPU, or "
                         "CUDA_VISIBLE_DEVICES hides it");
}

/// Without a driver: what is missing, and how to get it.
TEST(NoDevice, IsToldWithWhatIsMissing) {
  Toy toy;
  const Result r = toy.run({}, {"LD_LIBRARY_PATH="});
  if (r.exit == 0)
    GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "no CUDA driver on this machine");
  EXPECT_CONTAINS(r.err, "libcuda.so.1");
  EXPECT_CONTAINS(r.err, "nvidia-driver");
  const Result dry = toy.run({"--dry-run"}, {"LD_LIBRARY_PATH="});
  EXPECT_EQ(dry.exit, 0) << dry.err;
  EXPECT_CONTAINS(
      dry.out, "device: none; the program cannot run on this machine: no CUDA "
               "driver on this machine");
  EXPECT_CONTAINS(dry.out, "limit not known");
  const Result ranks = toy.run({"--mesh=row=2,col=2"}, {"LD_LIBRARY_PATH="});
  EXPECT_EQ(ranks.exit, 1);
  EXPECT_CONTAINS(ranks.err, "no CUDA driver on this machine");
}
