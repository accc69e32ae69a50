//===- ProgramTest.cpp - A program as a process ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Npy.h"
#include "test/runtime/Program/ToyProgram.h"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <sys/mount.h>

using namespace pmrt;
using namespace pmrt::test;

namespace {

void saveField(const std::string &path, double poison = 0) {
  std::string bytes = npyHeader(PMRT_F64, {16, 16, 16});
  std::vector<double> values(4096);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(double(i));
  values[300] += poison;
  bytes.append(reinterpret_cast<const char *>(values.data()), 4096 * 8);
  spill(path, bytes);
}

} // namespace

TEST_F(Program, WritesEverything) {
  const Result r = run({"--box=200", "--omega-m", "0.25"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_EQ(r.out, "box 200.0, steps 3\n");
  EXPECT_CONTAINS(r.err, "done in");
  EXPECT_EQ(outputs(),
            (std::vector<std::string>{"curve.png", "density.h5", "moments.h5",
                                      "position.h5", "power.h5", "report.html",
                                      "run.json", "slice.png", "total.h5"}));
  const auto json = record();
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["params"]["box"]["value"], 200.0);
  EXPECT_EQ(json["params"]["box"]["origin"], "flag");
  EXPECT_EQ(json["params"]["box"]["unit"], "Mpc/h");
  EXPECT_EQ(json["params"]["omega_m"]["value"], 0.25);
  EXPECT_EQ(json["params"]["seed"]["origin"], "default");
  EXPECT_TRUE(json["params"]["sigma8"]["value"].is_null());
  EXPECT_EQ(json["mesh"]["row"], 1);
  EXPECT_EQ(json["transport"], "self");
  EXPECT_EQ(json["source_hash"], "0123abcd");
  EXPECT_EQ(json["wisdom_hash"].get<std::string>().size(), 32u);
  EXPECT_EQ(json["outputs"].size(), 7u);
  EXPECT_GT(json["timing"]["seconds"].get<double>(), 0);
  EXPECT_EQ(Hdf5Reader(folder / "out/position.h5", "/position").shape(),
            (std::vector<int64_t>{4096, 3}));
}

TEST_F(Program, SameFlagsSameBytesWhateverTheThreads) {
  ASSERT_EQ(run({"--format=npy", "--out=a", "--threads=1"}).exit, 0);
  ASSERT_EQ(run({"--format=npy", "--out=b", "--threads=3"}).exit, 0);
  ASSERT_EQ(run({"--format=npy", "--out=c", "--seed=43"}).exit, 0);
  EXPECT_EQ(slurp(folder / "a/density.npy"), slurp(folder / "b/density.npy"));
  EXPECT_NE(slurp(folder / "a/density.npy"), slurp(folder / "c/density.npy"));
}

TEST_F(Program, HelpTeaches) {
  for (const char *flag : {"--help", "-h"}) {
    const Result r = finish(start({flag}));
    EXPECT_EQ(r.exit, 0);
    EXPECT_CONTAINS(r.out, "--box=NUMBER");
    EXPECT_CONTAINS(r.out, "side of the box");
    EXPECT_CONTAINS(r.out, "f64, in Mpc/h, above 0, default 100");
    EXPECT_CONTAINS(r.out, "f64, in (0, 1), default 0.3");
    EXPECT_CONTAINS(r.out, "--delta_lin=FILE");
    EXPECT_CONTAINS(r.out, "--dry-run");
  }
  const Result version = finish(start({"--version"}));
  EXPECT_EQ(version.exit, 0);
  EXPECT_CONTAINS(version.out, "pmc 0.1.0");
  EXPECT_CONTAINS(version.out, "0123abcd");
}

TEST_F(Program, WrongUsageIsExitOne) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--omga_m=0.3"}, "unknown flag '--omga_m'; did you mean '--omega_m'?"},
      {{"--omga-m", "0.3"}, "did you mean '--omega_m'?"},
      {{"--frobnicate"}, "unknown flag '--frobnicate'"},
      {{"-x"}, "unknown flag '-x'"},
      {{"stray"}, "unexpected argument 'stray'"},
      {{"--omega_m=1.5"},
       "--omega_m: 1.5 is out of range, expected a number "
       "in (0, 1)"},
      {{"--omega_m=0"}, "--omega_m: 0 is out of range"},
      {{"--box=abc"}, "--box: 'abc' is not a number"},
      {{"--box=nan"}, "--box: 'nan' is not a finite number"},
      {{"--box"}, "--box needs a value"},
      {{"--BOX=1"}, "did you mean '--box'?"},
      {{"--"}, "unknown flag '--'"},
      {{""}, "unexpected argument ''"},
      {{"--box="}, "--box needs a value"},
      {{"--out", ""}, "--out needs a value"},
      {{"--delta_lin", ""}, "--delta_lin needs a value"},
      {{"--box=1", "--box=2"}, "--box is given more than once"},
      {{"--seed=-1"},
       "--seed: '-1' is not a whole number that is not negative"},
      {{"--steps=0"}, "--steps: 0 is out of range"},
      {{"--steps=2.5"}, "--steps: '2.5' is not a whole number"},
      {{"--fail=perhaps"}, "--fail: 'perhaps' is not true or false"},
      {{"--threads=0"}, "--threads: '0' is not a whole number of at least 1"},
      {{"--format=png"}, "--format: 'png' is not one of h5, "},
      {{"--plan=guess"}, "--plan: 'guess' is not one of"},
      {{"--progress=maybe"}, "--progress: 'maybe' is not one of"},
      {{"--memory-limit=lots"}, "--memory-limit: 'lots' is not a size"},
      {{"--memory-limit=10k"}, "of --memory-limit"},
      {{"--mesh=row=2,col=2", "--transport=self"}, "has 4"},
      {{"--mesh=rows=2"}, "did you mean 'row'?"},
      {{"--watchdog=0"}, "--watchdog: '0' is not a whole number"},
      {{"--transport=pigeon"}, "--transport: 'pigeon' is not one of"},
      {{"--resume"}, "--resume: this program writes no checkpoints"},
      {{"--checkpoint=c"},
       "--checkpoint: this program writes no checkpoints; add "
       "'checkpoint every N' to a 'loop' or 'optimize' of its spec"},
      {{"--profile=out/density.h5"},
       "--profile: out/density.h5 is also the file of output 'density'"},
      {{"--delta_lin=none.npy"}, "--delta_lin: none.npy: No such file"},
      {{"--pk", "none.txt"}, "--pk: none.txt: No such file"},
      {{"--out=/proc/none"}, "output folder /proc/none"},
      {{"--profile=/proc/none/p.json"}, "/proc/none"},
  };
  for (const auto &[args, message] : cases) {
    std::vector<std::string> all = args;
    if (args[0].find("--plan") == std::string::npos && args[0] != "--box")
      all.push_back("--plan=estimate");
    const Result r = finish(start(all));
    EXPECT_EQ(r.exit, 1) << fmt::format("{}", fmt::join(args, " ")) << r.err;
    EXPECT_CONTAINS(r.err, message);
    EXPECT_CONTAINS(r.err, "pmrt_toy: error: ");
    EXPECT_EQ(r.out, "");
  }
  EXPECT_TRUE(outputs().empty()); // none of them began
}

TEST_F(Program, FlagsInEverySpelling) {
  const Result r =
      run({"--omega_m", "0.2", "--h=0.5", "--shift", "-3", "--fail=false",
           "--poison", "false", "--steps=1", "--memory_limit=1GiB", "--mesh",
           "row=1,col=1", "--transport=self", "--quiet"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const auto json = record();
  EXPECT_EQ(json["params"]["h"]["value"], 0.5);
  EXPECT_EQ(json["params"]["shift"]["value"], -3.0);
  EXPECT_EQ(run({"--fail"}).exit, 2); // a bare flag is true
}

TEST_F(Program, InputsAreUsed) {
  saveField(folder / "field.npy");
  spill(folder / "pk.txt", "1 10\n2 20\n");
  ASSERT_EQ(run({"--out=a"}).exit, 0);
  const Result r = run({"--delta-lin", "field.npy", "--pk=pk.txt"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_NE(slurp(folder / "out/density.h5"), slurp(folder / "a/density.h5"));
  EXPECT_EQ(record()["inputs"]["delta_lin"], "field.npy");
}

TEST_F(Program, WrongInputsAreExitOne) {
  spill(folder / "wrong.npy",
        npyHeader(PMRT_F32, {8, 8, 8}) + std::string(8 * 8 * 8 * 4, '\0'));
  Result r = run({"--delta_lin=wrong.npy"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "has shape 8x8x8, expected 16x16x16 (dims x, y, z)");
  saveField(folder / "nan.npy", NAN);
  r = run({"--delta_lin=nan.npy"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "element [1, 2, 12] is nan");
  spill(folder / "pk.txt", "2 10\n1 20\n");
  r = run({"--pk=pk.txt"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "does not increase");
}

/// By its name, by a link, and by another path.
TEST_F(Program, InputsAreNotOverwritten) {
  ASSERT_EQ(run({"--format=npy"}).exit, 0);
  const std::string before = slurp(folder / "out/density.npy");
  std::filesystem::create_hard_link(folder / "out/density.npy",
                                    folder / "link.npy");
  std::filesystem::create_symlink("out", folder / "same");
  for (const char *path :
       {"out/density.npy", "link.npy", "same/../out/./density.npy"}) {
    const std::string flag = fmt::format("--delta_lin={}", path);
    const Result r = run({flag, "--format=npy"});
    EXPECT_EQ(r.exit, 1) << path;
    EXPECT_CONTAINS(r.err,
                    fmt::format("--delta_lin: {} would be overwritten by "
                                "output 'density'; choose another folder for "
                                "the outputs with --out=DIR",
                                path));
  }
  EXPECT_EQ(slurp(folder / "out/density.npy"), before);
  EXPECT_EQ(run({"--delta_lin=link.npy", "--format=npy", "--out=b"}).exit, 0);
  const Result r = run({"--delta_lin=link.npy", "--profile=link.npy"});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "--profile: it would overwrite link.npy");
}

/// What was printed is lost, what was computed is not.
TEST_F(Program, PrintsToAFullDiskAreAFailure) {
  std::filesystem::create_symlink("/dev/full", folder / "stdout");
  Result r = run({"--format=npy"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err,
                  "pmrt_toy: error: cannot write to standard output: No "
                  "space left on device; printed text is lost, outputs are "
                  "complete");
  EXPECT_EQ(record()["status"], "failed");
  EXPECT_EQ(record()["outputs"].size(), 7u);
  for (const char *flag : {"--help", "--version", "--dry-run"}) {
    r = finish(start({flag}));
    EXPECT_EQ(r.exit, 2) << flag;
    EXPECT_CONTAINS(r.err, "cannot write to standard output: No space left");
  }
}

TEST_F(Program, FailuresWhileRunningAreExitTwo) {
  Result r = run({"--nan_step=1"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err,
                  "toy.pm:7:3: error: position is not finite, or too large "
                  "(in step 2 of 3)");
  EXPECT_CONTAINS(r.err, "toy.pm:5:9: note: in step 2 of 3 of this loop");
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
  EXPECT_EQ(record()["status"], "failed");
  EXPECT_CONTAINS(record()["error"].get<std::string>(), "not finite");

  r = run({"--fail=true"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err,
                  "toy.pm:9:1: error: the sum is 4096, which is too much");

  r = run({"--poison=true"});
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "output 'density' is not finite: element [1, 2, 3]");
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
}

TEST_F(Program, DryRunComputesNothing) {
  const Result r = run({"--dry-run", "--box=50"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_CONTAINS(r.out, "box = 50 Mpc/h (flag)");
  EXPECT_CONTAINS(r.out, "memory: ");
  EXPECT_CONTAINS(r.out, "modes 16x16x9");
  EXPECT_CONTAINS(r.out, "density.h5");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  saveField(folder / "nan.npy", NAN);
  EXPECT_EQ(run({"--dry-run", "--delta_lin=nan.npy"}).exit, 1);
  EXPECT_EQ(run({"--dry-run", "--out=/proc/none"}).exit, 1);
}

TEST_F(Program, ProfileIsATableAndATrace) {
  const Result r = run({"--profile=trace.json"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_CONTAINS(r.err, "paint");
  EXPECT_CONTAINS(r.err, "toy.pm:7:3");
  const auto json = nlohmann::json::parse(slurp(folder / "trace.json"));
  EXPECT_GT(json["traceEvents"].size(), 10u);
  const auto &other = json.at("otherData");
  EXPECT_EQ(other.at("left_out"), 0);
  EXPECT_EQ(other.at("run").at("status"), "done");
  EXPECT_EQ(other.at("run").at("params").at("steps").at("value"), 3);
  int64_t calls = 0;
  for (const auto &row : other.at("calls"))
    calls += row.at("calls").get<int64_t>();
  int64_t events = 0;
  for (const auto &event : json["traceEvents"])
    events += event.at("ph") == "X"; // others tell the name, and memory
  EXPECT_EQ(calls, events);
}

TEST_F(Program, ProgressGoesToStderr) {
  const Result r = run({"--progress=always"});
  EXPECT_EQ(r.exit, 0);
  EXPECT_CONTAINS(r.err, "100%");
  EXPECT_EQ(r.out, "box 100.0, steps 3\n");
}

TEST_F(Program, PlanningIsDoneOnce) {
  Result r = finish(start({"--plan=measure"}));
  EXPECT_EQ(r.exit, 0) << r.err;
  const std::string first = record()["wisdom_hash"];
  const std::string density = slurp(folder / "out/density.h5");
  r = finish(start({"--plan=measure"}));
  EXPECT_EQ(r.exit, 0);
  EXPECT_EQ(record()["wisdom_hash"], first);
  EXPECT_EQ(slurp(folder / "out/density.h5"), density);
}

TEST_F(Program, CtrlCCleansUp) {
  const pid_t child =
      start({"--steps=100000", "--wait=5", "--plan=estimate", "--quiet"});
  for (int i = 0; i < 500 && slurp(folder / "stdout").empty(); ++i)
    usleep(10000);
  kill(child, SIGINT);
  const Result r = finish(child);
  EXPECT_EQ(r.exit, 130) << r.err;
  EXPECT_CONTAINS(r.err, "interrupted");
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
  EXPECT_EQ(record()["status"], "interrupted");
}

TEST_F(Program, SecondCtrlCKills) {
  const pid_t child =
      start({"--steps=2", "--wait=60000", "--plan=estimate", "--quiet"});
  for (int i = 0; i < 500 && slurp(folder / "stdout").empty(); ++i)
    usleep(10000);
  usleep(20000);
  kill(child, SIGTERM);
  usleep(20000);
  kill(child, SIGTERM);
  EXPECT_EQ(finish(child).exit, 128 + SIGTERM);
}

TEST_F(Program, FilesTooLargeAreReportedAndRemoved) {
  // Fails in the middle of writing, as a disk that fills up does.
  for (const char *format : {"--format=h5", "--format=npy"}) {
    const Result r = run({format}, 24 * 1024);
    EXPECT_EQ(r.exit, 2) << r.err;
    EXPECT_CONTAINS(r.err, "toy.pm:9:1: error: cannot write ./out/position");
    EXPECT_CONTAINS(r.err, "File too large");
    for (const std::string &name : outputs())
      EXPECT_NE(name.front(), '.') << name;
  }
}

TEST_F(Program, FullDiskIsReportedAndNothingIsHalfWritten) {
  std::filesystem::create_directory(folder / "out");
  if (mount("tmpfs", (folder / "out").c_str(), "tmpfs", 0, "size=96k") != 0)
    GTEST_SKIP() << "mounting a small tmpfs is not permitted here";
  const Result r = run({});
  const auto left = outputs();
  umount((folder / "out").c_str());
  EXPECT_EQ(r.exit, 2);
  EXPECT_CONTAINS(r.err, "cannot write ./out/");
  for (const std::string &name : left) {
    EXPECT_NE(name.front(), '.') << name;
    EXPECT_NE(name, "position.h5");
  }
}
