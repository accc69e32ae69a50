//===- ToyProgram.h - The toy program as a process --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_RUNTIME_TOYPROGRAM_H
#define PMC_TEST_RUNTIME_TOYPROGRAM_H

#include "test/runtime/Support.h"

#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>

namespace pmrt::test {

struct Result {
  int exit = -1; ///< exit code, or 128 + signal as the shell says
  std::string out, err;
};

/// The toy program in a folder of its own.
class Program : public testing::Test {
protected:
  /// Starts the toy; `limit`: the largest file it may write.
  pid_t start(const std::vector<std::string> &args, rlim_t limit = 0) {
    // awaitPrint looks for a new one; a test's link leads somewhere else.
    if (!std::filesystem::is_symlink(folder / "stdout"))
      std::filesystem::remove(folder / "stdout");
    const pid_t child = fork();
    if (child != 0)
      return child;
    if (limit) {
      const struct rlimit size = {limit, limit};
      setrlimit(RLIMIT_FSIZE, &size);
    }
    // In the background of a script it is ignored, and would stay so.
    signal(SIGINT, SIG_DFL);
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    prepare();
    if (!freopen((folder / "stdout").c_str(), "w", stdout) ||
        !freopen((folder / "stderr").c_str(), "w", stderr) ||
        chdir(folder.path().c_str()) != 0)
      _exit(99);
    std::vector<char *> argv;
    std::string name = PMRT_TOY;
    argv.push_back(name.data());
    std::vector<std::string> copies = args;
    for (std::string &arg : copies)
      argv.push_back(arg.data());
    argv.push_back(nullptr);
    execv(PMRT_TOY, argv.data());
    _exit(98);
  }

  Result finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    Result result;
    result.exit =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (!std::filesystem::is_symlink(folder / "stdout")) // /dev/full never ends
      result.out = slurp(folder / "stdout");
    result.err = slurp(folder / "stderr");
    return result;
  }

  /// Waits until the program that was started computes: it has printed.
  void awaitPrint() const {
    for (int i = 0; i < 500 && slurp(folder / "stdout").empty(); ++i)
      usleep(10000);
  }

  Result run(std::vector<std::string> args, rlim_t limit = 0) {
    args.push_back("--plan=estimate");
    return finish(start(args, limit));
  }

  nlohmann::json record() {
    return nlohmann::json::parse(slurp(folder / "out/run.json"));
  }

  /// What is left in the output folder.
  std::vector<std::string> outputs() { return folder.list("out"); }

  /// What the child does before it becomes the program.
  std::function<void()> prepare = [] {};
  Folder folder;
};

} // namespace pmrt::test

#endif // PMC_TEST_RUNTIME_TOYPROGRAM_H
