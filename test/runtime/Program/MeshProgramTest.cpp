//===- MeshProgramTest.cpp - A program on several ranks -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every test runs with ranks as threads, as processes that meet by a file and,
// if there is an mpirun, as those of MPI.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/IO/Formats/Npy.h"
#include "runtime/IO/Formats/Source.h"
#include "test/runtime/Support.h"

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmrt;
using namespace pmrt::test;

namespace {

struct MeshResult {
  int exit = -1;
  std::string out, err;
};

bool haveMpirun() {
  static const bool found =
      std::system("command -v mpirun > /dev/null 2>&1") == 0 && PMRT_HAVE_MPI;
  return found;
}

class MeshProgram : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (mpi() && !haveMpirun())
      GTEST_SKIP() << "there is no mpirun, or no MPI to build with";
  }

  static bool mpi() { return std::string(GetParam()) == "mpi"; }
  static bool processes() { return std::string(GetParam()) != "threads"; }

  pid_t start(const std::string &mesh, const std::vector<std::string> &flags) {
    std::vector<std::string> words;
    if (!mesh.empty() && processes()) {
      int64_t ranks = 1;
      for (size_t at = mesh.find('='); at != std::string::npos;
           at = mesh.find('=', at + 1))
        ranks *= std::stoll(mesh.substr(at + 1));
      if (mpi())
        words = {"mpirun", "--oversubscribe", "--allow-run-as-root", "-n"};
      else
        words = {PMRT_START_RANKS};
      words.push_back(std::to_string(ranks));
    }
    words.push_back(PMRT_MESH_TOY);
    if (!mesh.empty())
      words.push_back("--mesh=" + mesh);
    words.insert(words.end(), {"--plan=estimate", "--threads=1"});
    words.insert(words.end(), flags.begin(), flags.end());
    const pid_t child = fork();
    if (child != 0)
      return child;
    setpgid(0, 0);
    // In the background of a script it is ignored, and would stay so.
    signal(SIGINT, SIG_DFL);
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    if (!freopen((folder / "stdout").c_str(), "w", stdout) ||
        !freopen((folder / "stderr").c_str(), "w", stderr) ||
        chdir(folder.path().c_str()) != 0)
      _exit(99);
    std::vector<char *> argv;
    for (std::string &word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(98);
  }

  MeshResult finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            slurp(folder / "stdout"), slurp(folder / "stderr")};
  }

  MeshResult run(const std::string &mesh,
                 const std::vector<std::string> &flags) {
    return finish(start(mesh, flags));
  }

  /// What is left in the output folder, temporary files too.
  std::vector<std::string> outputs() { return folder.list("out"); }

  Folder folder;
};

/// What threads of one process cannot do.
class MeshProcesses : public MeshProgram {};

/// How often a text occurs.
int occurrences(const std::string &text, const std::string &part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Transports, MeshProgram,
                         testing::Values("threads", "mpi", "tcp"),
                         [](const auto &info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Transports, MeshProcesses, testing::Values("mpi"),
                         [](const auto &info) { return info.param; });

static int collectives(const std::string &start) {
  Folder cache;
  return std::system(fmt::format("XDG_CACHE_HOME={} {} 4 {}", cache.path(),
                                 start, PMRT_PROCESS_CHECK)
                         .c_str());
}

TEST(Mpi, CollectivesBetweenProcesses) {
  if (!haveMpirun())
    GTEST_SKIP() << "there is no mpirun, or no MPI to build with";
  EXPECT_EQ(collectives("mpirun --oversubscribe --allow-run-as-root -n"), 0);
}

TEST(Tcp, CollectivesBetweenProcesses) {
  EXPECT_EQ(collectives(PMRT_START_RANKS), 0);
}

// As between machines: with TLS.
TEST(Tcp, CollectivesOverTheNetwork) {
  EXPECT_EQ(collectives("PMRT_INTERFACE=127.0.0.1 " PMRT_START_RANKS), 0);
}

TEST_P(MeshProgram, FilesAreThoseOfOneRank) {
  for (const char *format : {"--format=h5", "--format=npy"}) {
    const std::string suffix = std::string(format).substr(9);
    ASSERT_EQ(run("", {format, "--out=one"}).exit, 0);
    for (const char *mesh : {"row=2,col=2", "row=3, col=1"}) {
      const MeshResult r = run(mesh, {format});
      ASSERT_EQ(r.exit, 0) << r.err;
      EXPECT_EQ(r.out, "2 steps\n");
      EXPECT_EQ(occurrences(r.err, "done in"), 1) << r.err;
      for (const char *name : {"noise", "twice", "total"})
        EXPECT_EQ(slurp(folder / fmt::format("out/{}.{}", name, suffix)),
                  slurp(folder / fmt::format("one/{}.{}", name, suffix)))
            << name;
      EXPECT_EQ(slurp(folder / "out/map.png"), slurp(folder / "one/map.png"));
      // Different transforms round differently.
      auto a = openSource(sourceName(folder / ("out/spectrum." + suffix)));
      auto b = openSource(sourceName(folder / ("one/spectrum." + suffix)));
      ASSERT_EQ(a->shape(), b->shape());
      std::vector<float> x(2 * 12 * 12 * 7), y(x.size());
      a->read(PMRT_C64, {0, 0, 0}, a->shape(), x.data());
      b->read(PMRT_C64, {0, 0, 0}, b->shape(), y.data());
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], 1e-4);
      EXPECT_EQ(outputs().size(), 7u);
      std::filesystem::rename(folder / "out", folder / ("out" + suffix + mesh));
    }
  }
  const auto record =
      nlohmann::json::parse(slurp(folder / "outnpyrow=3, col=1/run.json"));
  EXPECT_EQ(record["mesh"]["row"], 3);
  EXPECT_EQ(record["ranks"], 3);
  EXPECT_EQ(record["transport"], GetParam());
  EXPECT_EQ(record["status"], "done");
}

TEST_P(MeshProgram, InputsAreReadInParts) {
  ASSERT_EQ(run("", {"--out=first"}).exit, 0);
  for (const char *format : {"h5", "npy"}) {
    ASSERT_EQ(run("", {fmt::format("--format={}", format), "--out=first"}).exit,
              0);
    const MeshResult r =
        run("row=2,col=2", {fmt::format("--field=first/noise.{}", format),
                            "--seed=1", "--format=npy"});
    ASSERT_EQ(r.exit, 0) << r.err;
    ASSERT_EQ(run("", {"--format=npy", "--out=first"}).exit, 0);
    EXPECT_EQ(slurp(folder / "out/noise.npy"),
              slurp(folder / "first/noise.npy"));
  }
  // A value that is not finite is found by the rank that reads it.
  std::string bytes = slurp(folder / "first/noise.npy");
  const float nan = NAN;
  bytes.replace(bytes.size() - 8, 4, reinterpret_cast<const char *>(&nan), 4);
  spill(folder / "bad.npy", bytes);
  const MeshResult r = run("row=2,col=2", {"--field=bad.npy"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "mesh.pm:5:9: error: rank 3: --field: bad.npy is not "
                         "finite: element [11, 11, 10] is nan");
  EXPECT_EQ(occurrences(r.err, "error:"), 1) << r.err;
  const MeshResult missing = run("row=2,col=2", {"--field=none.npy"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_EQ(occurrences(missing.err, "mesh_toy: error: --field: none.npy"), 1)
      << missing.err;
}

TEST_P(MeshProgram, AFailingRankEndsAllWithOneMessage) {
  const auto start = Clock::now();
  const MeshResult r =
      run("row=2,col=2", {"--throw", "--at=11", "--steps=1000", "--wait=5"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err,
                  "error: rank 2: the kernel has failed (in step 2 of 1000)");
  EXPECT_EQ(occurrences(r.err, "error:"), 1) << r.err;
  EXPECT_LT(secondsSince(start), 10);
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
  const auto record = nlohmann::json::parse(slurp(folder / "out/run.json"));
  EXPECT_EQ(record["status"], "failed");
  EXPECT_CONTAINS(record["error"].get<std::string>(), "the kernel has failed");
}

TEST_P(MeshProgram, WhatAllRanksFindIsPrintedOnce) {
  const MeshResult refused = run("row=2,col=2", {"--refuse"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_CONTAINS(refused.err, "mesh.pm:7:3: error: the least is -");
  EXPECT_EQ(occurrences(refused.err, "error:"), 1) << refused.err;
  const MeshResult nan = run("row=2,col=2", {"--nan", "--at=7"});
  EXPECT_EQ(nan.exit, 2);
  EXPECT_CONTAINS(nan.err, "mesh.pm:7:3: error: output 'noise' is not finite: "
                           "element [6, 0, 5] is nan");
  EXPECT_EQ(occurrences(nan.err, "error:"), 1) << nan.err;
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
}

TEST_P(MeshProgram, ARankThatCannotWriteLeavesNothingHalfWritten) {
  const MeshResult r = run("row=2,col=2", {"--full", "--at=7", "--format=npy"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "cannot write ./out/noise.npy: File too large");
  // The limit of a process holds for its record, too.
  if (!processes())
    EXPECT_CONTAINS(r.err, "cannot write ./out/run.json: File too large");
  EXPECT_EQ(occurrences(r.err, "error:"), processes() ? 1 : 2) << r.err;
  for (const std::string &name : outputs())
    EXPECT_NE(name.front(), '.') << name;
}

TEST_P(MeshProgram, AHangingRankIsNamed) {
  const auto start = Clock::now();
  const MeshResult r =
      run("row=2,col=2", {"--hang", "--at=7", "--watchdog-end=1"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "mesh.pm:7:3: error: ");
  EXPECT_CONTAINS(r.err, "'all_reduce' has not completed");
  EXPECT_CONTAINS(r.err, "rank 2 did not reach it, ranks 0, 1, 3 wait");
  EXPECT_LT(secondsSince(start), 20);
}

TEST_P(MeshProgram, ALateRankIsReportedAndWaitedFor) {
  const MeshResult r =
      run("row=2,col=2", {"--late=6000", "--at=7", "--watchdog-end=20"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_CONTAINS(r.err, "mesh.pm:7:3: warning: 'all_reduce' has not completed "
                         "for ");
  EXPECT_CONTAINS(r.err,
                  "rank 2 did not reach it, ranks 0, 1, 3 wait [PM9202]");
  EXPECT_EQ(occurrences(r.err, "did not reach it"), 1) << r.err;
  EXPECT_EQ(outputs().size(), 7u);
}

TEST_P(MeshProgram, AKilledRankEndsAll) {
  const auto start = Clock::now();
  const MeshResult r =
      run("row=2,col=2", {"--kill", "--at=7", "--steps=1000", "--wait=5"});
  EXPECT_NE(r.exit, 0);
  EXPECT_LT(secondsSince(start), 10);
  for (const std::string &name : outputs())
    EXPECT_FALSE(name.ends_with(".tmp")) << name;
  if (!processes())
    return; // nobody is left to tell
  if (!mpi()) {
    EXPECT_CONTAINS(r.err,
                    ": error: rank 0: the connection to rank 2 is lost: ");
    EXPECT_EQ(occurrences(r.err, "error:"), 1) << r.err;
    return;
  }
  EXPECT_CONTAINS(r.err, "process rank 2 with PID"); // mpirun
  EXPECT_CONTAINS(r.err, "exited on signal 9");
  EXPECT_EQ(occurrences(r.err, "interrupted at mesh.pm:7:3"), 1) << r.err;
}

TEST_P(MeshProgram, WhatAKilledRankWasWritingGoes) {
  for (const char *at : {"--at=0", "--at=7"}) {
    const auto start = Clock::now();
    const MeshResult r = run("row=2,col=2", {"--die", at, "--format=npy"});
    EXPECT_NE(r.exit, 0);
    EXPECT_LT(secondsSince(start), 10);
    int left = 0;
    for (const std::string &name : outputs())
      left += name.starts_with(".noise.npy.");
    // The others clean up; of one process nobody is left.
    EXPECT_EQ(left, processes() ? 0 : 1);
  }
  // The next run does, and leaves alone what it cannot tell for its own.
  const std::string other = folder / "out/.noise.npy.1.tmp";
  spill(other, "x");
  EXPECT_EQ(run("row=2,col=2", {}).exit, 0);
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_EQ(outputs().size(), 7u + 1);
}

TEST_P(MeshProcesses, InputsThatDifferBetweenRanksAreNoticed) {
  ASSERT_EQ(run("", {"--out=a", "--format=npy"}).exit, 0);
  std::filesystem::copy(folder / "a", folder / "b");
  std::string bytes = slurp(folder / "b/noise.npy");
  bytes[bytes.size() / 2] ^= 1;
  spill(folder / "b/noise.npy", bytes);
  const std::string half = fmt::format(
      "{} --mesh row=2,col=2 --threads=1 --plan=estimate --out {} --field "
      "noise.npy",
      PMRT_MESH_TOY, folder / "out");
  auto both = [&](const char *one, const char *other) {
    return std::system(
        fmt::format("mpirun --oversubscribe --allow-run-as-root -n 2 --wdir {} "
                    "{} : -n 2 --wdir {} {} > {} 2>&1",
                    folder / one, half, folder / other, half, folder / "said")
            .c_str());
  };
  EXPECT_NE(both("a", "b"), 0);
  EXPECT_CONTAINS(
      slurp(folder / "said"),
      "the ranks were started with different settings: --field differs");
  EXPECT_EQ(both("b", "b"), 0) << slurp(folder / "said");
}

TEST_P(MeshProgram, CtrlCEndsAll) {
  const pid_t child =
      start("row=2,col=2", {"--steps=100000", "--wait=5", "--quiet"});
  for (int i = 0; i < 500 && slurp(folder / "stdout").empty(); ++i)
    usleep(10000);
  kill(-child, SIGINT); // as a terminal does
  const MeshResult r = finish(child);
  if (mpi())
    EXPECT_NE(r.exit, 0); // mpirun's own
  else
    EXPECT_EQ(r.exit, 130) << r.err;
  EXPECT_EQ(occurrences(r.err, "interrupted"), 1) << r.err;
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
}

TEST_P(MeshProgram, DryRunShowsMeshLayoutAndMemory) {
  const MeshResult r = run("col=2,row=3", {"--dry-run"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_CONTAINS(r.out,
                  fmt::format("mesh: row=3,col=2, 6 ranks; 1 thread a rank; "
                              "transport {}",
                              GetParam()));
  EXPECT_CONTAINS(r.out, "  ky = 12 over row, 4 a rank");
  EXPECT_CONTAINS(r.out, "  kz = 7 over col, 3 or 4 a rank");
  EXPECT_CONTAINS(r.out, "for transposes of FFTs");
  EXPECT_EQ(occurrences(r.out, "nothing is computed"), 1);
  EXPECT_TRUE(outputs().empty());
}

TEST_P(MeshProgram, WrongMeshesAreExplained) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"row=13", "the mesh row=13,col=1 splits dim 'x' over 13 ranks, but it "
                 "has 12 cells: some ranks would have no cells"},
      {"col=8", "splits dim 'kz' (of 'z') over 8 ranks, but it has 7 cells"},
      {"row=2,", "has a comma at its end"},
      {",row=2", "has a comma at its beginning"},
      {"row=2,,col=2", "has a comma too many"},
      {"row=2,row=1", "axis 'row' is given twice"},
      {"rows=2", "did you mean 'row'?"},
      {"row=0", "--mesh: '0' is not a whole number of at least 1"},
      {"row=-1", "is not a whole number"},
      {"row", "'row' is not AXIS=EXTENT"}};
  for (const auto &[mesh, message] : cases) {
    const MeshResult r = run("", {"--mesh=" + mesh, "--transport=threads"});
    EXPECT_EQ(r.exit, 1) << mesh;
    EXPECT_CONTAINS(r.err, message);
  }
  const MeshResult self = run("", {"--mesh=row=2", "--transport=self"});
  EXPECT_EQ(self.exit, 1);
  EXPECT_CONTAINS(self.err, "--transport self supports one rank, but the mesh "
                            "row=2,col=1 has 2");
  if (!mpi())
    return;
  const MeshResult alone = run("", {"--mesh=row=2", "--transport=mpi"});
  EXPECT_EQ(alone.exit, 1);
  EXPECT_CONTAINS(alone.err, "the mesh row=2,col=1 has 2 ranks, but the "
                             "program was not started by mpirun");
  const MeshResult few = run("row=4", {"--mesh=row=2"});
  EXPECT_EQ(few.exit, 1);
  EXPECT_CONTAINS(few.err, "--mesh is given more than once");
}
