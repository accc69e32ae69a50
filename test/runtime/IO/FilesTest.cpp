//===- FilesTest.cpp - What a run writes, where others may write too ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/States/FolderLock.h"
#include "test/runtime/Program/ToyProgram.h"

#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace pmrt;
using namespace pmrt::test;
namespace fs = std::filesystem;

namespace {

/// A file of the user, which no run may change.
class Victim {
public:
  explicit Victim(const Folder &folder) : path(folder / "victim") {
    spill(path, text);
  }
  ~Victim() { EXPECT_EQ(slurp(path), text); }
  Victim(const Victim &) = delete;
  Victim &operator=(const Victim &) = delete;

  const std::string path;

private:
  const std::string text = "not to be written to";
};

class Files : public Program {
protected:
  /// A run that takes long enough to look at.
  pid_t startSlow() {
    const pid_t child =
        start({"--steps=100000", "--wait=5", "--plan=estimate", "--quiet"});
    awaitPrint();
    return child;
  }

  void stop(pid_t child, int signal = SIGKILL) {
    kill(child, signal);
    finish(child);
  }

  /// The token of the run that has locked the output folder, or had.
  std::string token() {
    const std::string text = slurp(folder / "out/.pmc.lock");
    const size_t at = text.find("names ");
    return at == std::string::npos ? "" : text.substr(at + 6, 32);
  }
};

} // namespace

TEST(TemporaryFile, NamesAreNewAndTold) {
  const Folder folder;
  const std::string token = randomToken(), other = randomToken();
  ASSERT_TRUE(isToken(token));
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    std::string made;
    const int file = makeTemporary(folder / "a.b.h5", token, made);
    ASSERT_GE(file, 0);
    close(file);
    const std::string name = fs::path(made).filename().string();
    names.insert(name);
    EXPECT_TRUE(isTemporary(name, token)) << name;
    EXPECT_FALSE(isTemporary(name, other)) << name;
    EXPECT_FALSE(isTemporary(name, ""));
    EXPECT_FALSE(isTemporary(name.substr(1), token));
    EXPECT_FALSE(isTemporary(name + ".tmp", token));
  }
  EXPECT_EQ(names.size(), 20u);
}

// Of two that write one file, each has its own until it has all of it, also if
// their processes have the same number, as in containers.
TEST(OutputFile, EqualNamesDoNotMeet) {
  const Folder folder;
  const std::string path = folder / "data";
  OutputFile one(path), two(path);
  EXPECT_NE(one.temporary(), two.temporary());
  one.write("one", 3, 0);
  two.write("two of them", 11, 0);
  one.commit();
  EXPECT_EQ(slurp(path), "one");
  two.commit();
  EXPECT_EQ(slurp(path), "two of them");
}

// A rank may be killed while the one that has locked the folder goes on to its
// end.
TEST(FolderLock, LeavesNothingOfItsOwnRun) {
  const Folder folder;
  const std::string token = randomToken(), lock = folder / ".pmc.lock";
  std::string dead, alive;
  {
    const FolderLock locked(folder / "", "--out", "test", token);
    close(makeTemporary(folder / "a", token, dead));
    EXPECT_TRUE(fs::exists(dead));
  }
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_FALSE(fs::exists(lock));
  int writer = -1;
  {
    const FolderLock locked(folder / "", "--out", "test", token);
    writer = makeTemporary(folder / "a", token, alive);
    flock(writer, LOCK_SH);
  }
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_CONTAINS(slurp(lock), token);
  // The next run may end before that rank does.
  for (int run = 0; run < 2; ++run) {
    const FolderLock next(folder / "", "--out", "test", randomToken());
    EXPECT_TRUE(fs::exists(alive)) << run;
    EXPECT_CONTAINS(slurp(lock), token);
  }
  EXPECT_CONTAINS(slurp(lock), token);
  close(writer);
  {
    const FolderLock next(folder / "", "--out", "test", randomToken());
  }
  EXPECT_FALSE(fs::exists(alive));
  EXPECT_FALSE(fs::exists(lock));
}

// Whole blocks take another way than what is left of them.
TEST(OutputStream, WritesWhatItIsGiven) {
  const Folder folder;
  const int64_t block = OutputStream::block;
  std::string all(size_t(2 * block + 5), '\0');
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = char((i * 2654435761u) >> 13);
  for (const int64_t size : {int64_t(0), int64_t(1), block - 1, block,
                             block + 1, 2 * block, 2 * block + 5})
    for (const int64_t piece : {block + 3, int64_t(65537)}) {
      OutputFile file(folder / "data");
      OutputStream stream(file);
      for (int64_t at = 0; at < size; at += piece)
        stream.write(all.data() + at, std::min(piece, size - at));
      stream.finish();
      file.commit();
      EXPECT_TRUE(slurp(folder / "data") == all.substr(0, size_t(size)))
          << size << " in pieces of " << piece;
    }
}

// Memory and places at which a disk cannot be written to directly.
TEST(OutputFile, BlocksNeedNotBeAligned) {
  const Folder folder;
  const std::string text(100000, 'x');
  OutputFile file(folder / "data");
  file.write("abc", 3, 0);
  file.writeBlock(text.data() + 1, text.size() - 1, 3);
  file.commit();
  EXPECT_TRUE(slurp(folder / "data") == "abc" + text.substr(1));
}

TEST(OutputStream, TellsOfAFullDisk) {
  const Folder folder;
  OutputFile file(folder / "data");
  OutputStream stream(file);
  const std::string text(size_t(OutputStream::block), 'x');
  struct rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const struct rlimit small = {1 << 20, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      messageOf([&] { stream.write(text.data(), int64_t(text.size())); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_CONTAINS(message,
                  "cannot write " + (folder / "data") + ": File too large");
}

TEST(OutputFile, OpensNoLinkOfAnotherRank) {
  const Folder folder;
  const Victim victim(folder);
  fs::create_symlink(victim.path, folder / ".link.tmp");
  EXPECT_CONTAINS(messageOf([&] {
                    OutputFile file(folder / "data",
                                    OutputFile::Made{folder / ".link.tmp"});
                    file.write("x", 1, 0);
                  }),
                  "cannot write");
}

// Whoever can write to the folder exchanges the file that is being made.
TEST(OutputFile, StructureGoesToTheOpenFile) {
  const Folder folder;
  const Victim victim(folder);
  OutputFile file(folder / "data.h5");
  fs::remove(file.temporary());
  fs::create_symlink(victim.path, file.temporary());
  // An error, as HDF5 notices that the name is another file's by now.
  EXPECT_THROW(makeHdf5(file.openPath(), "data", PMRT_F64, {4}, {}),
               std::runtime_error);
}

// Links lie where files would be made: under the names that follow from the
// process, of the lock, and of the results.
TEST_F(Files, PlantedLinksAreNotWrittenThrough) {
  const Victim victim(folder);
  fs::create_directory(folder / "out");
  fs::create_directories(folder / "cache/pmc");
  prepare = [&] {
    for (const char *name :
         {"probe", "run.json", "density.h5", "slice.png", "position.h5"})
      fs::create_symlink(
          victim.path, folder / fmt::format("out/.{}.{}.tmp", name, getpid()));
    fs::create_symlink(victim.path,
                       folder / fmt::format(".trace.json.{}.tmp", getpid()));
  };
  for (const char *name : {"out/run.json", "out/density.h5", "out/slice.png"})
    fs::create_symlink(victim.path, folder / name);
  Result r = run({"--profile=trace.json"});
  EXPECT_EQ(r.exit, 0) << r.err;
  EXPECT_TRUE(fs::is_regular_file(
      fs::symlink_status(fs::path(folder / "out/density.h5"))));
  EXPECT_EQ(record()["status"], "done");

  prepare = [] {};
  fs::create_symlink(victim.path, folder / "out/.pmc.lock");
  r = run({});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err, "cannot lock ./out: ./out/.pmc.lock: it is a link");
  fs::remove(folder / "out/.pmc.lock");
  fs::create_hard_link(victim.path, folder / "out/.pmc.lock");
  r = run({});
  EXPECT_EQ(r.exit, 1);
  EXPECT_CONTAINS(r.err,
                  "./out/.pmc.lock is not a lock file of one of your runs");
}

TEST_F(Files, TwoRunsInOneFolderAreRefused) {
  const pid_t child = startSlow();
  // While it runs, the record says so, whatever was there before.
  EXPECT_EQ(record()["status"], "running");
  EXPECT_EQ(record()["process"], child);
  Folder elsewhere;
  const std::string said = elsewhere / "said";
  const int code = std::system(fmt::format("cd {} && {} --plan=estimate > {} "
                                           "2>&1",
                                           folder.path(), PMRT_TOY, said)
                                   .c_str());
  EXPECT_EQ(WEXITSTATUS(code), 1);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  EXPECT_CONTAINS(slurp(said),
                  fmt::format("--out: another run writes to ./out: toy, "
                              "process {} on {}, since 20",
                              child, host));
  stop(child, SIGINT);
  EXPECT_EQ(record()["status"], "interrupted");
  EXPECT_EQ(outputs(), std::vector<std::string>{"run.json"});
  EXPECT_EQ(run({}).exit, 0);
}

TEST_F(Files, WhatAKilledRunLeavesIsNotTakenForDone) {
  ASSERT_EQ(run({}).exit, 0);
  EXPECT_EQ(record()["status"], "done");
  stop(startSlow());
  EXPECT_EQ(record()["status"], "running");

  // The next run removes what the killed one would have left, and nothing that
  // only looks like it.
  const std::string ours =
      fmt::format("out/.density.h5.{}.0123456789abcdef.tmp", token());
  const std::vector<std::string> others = {
      fmt::format("out/.density.h5.{}.0123456789abcdef.tmp", randomToken()),
      "out/.notes.1234.tmp", "out/.notes.tmp"};
  const std::string live =
      fmt::format("out/.position.h5.{}.0123456789abcdef.tmp", token());
  for (const std::string &name : others)
    spill(folder / name, "mine");
  spill(folder / ours, "half of it");
  spill(folder / live, "a rank still writes here");
  const int locked = open((folder / live).c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(locked, LOCK_SH), 0);
  EXPECT_EQ(run({}).exit, 0);
  EXPECT_FALSE(fs::exists(folder / ours));
  EXPECT_TRUE(fs::exists(folder / live));
  for (const std::string &name : others)
    EXPECT_EQ(slurp(folder / name), "mine");
  close(locked);
}

TEST_F(Files, TheProfilesFolderIsLeftAlone) {
  // It is not a folder of the run: others' files in it are not looked at.
  fs::create_directory(folder / "traces");
  spill(folder / "traces/.notes.1234.tmp", "mine");
  EXPECT_EQ(run({"--profile=traces/t.json"}).exit, 0);
  EXPECT_EQ(folder.list("traces"),
            (std::vector<std::string>{".notes.1234.tmp", "t.json"}));
}

// With standard streams closed, the next files would be opened in their place,
// and prints go into them.
TEST_F(Files, ClosedStreamsStayEmpty) {
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.path().c_str()) != 0)
      _exit(99);
    for (int file : {0, 1, 2})
      close(file);
    execl(PMRT_TOY, PMRT_TOY, "--steps=100000", "--wait=5", "--plan=estimate",
          nullptr);
    _exit(98);
  }
  for (int i = 0; i < 500 && !fs::exists(folder / "out/run.json"); ++i)
    usleep(10000);
  std::error_code error;
  for (int file : {0, 1, 2})
    EXPECT_EQ(
        fs::read_symlink(fmt::format("/proc/{}/fd/{}", child, file), error),
        "/dev/null");
  stop(child);
}
