//===- Run.cpp - Executing a program --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Run.h"

#include "frontend/Tools/Files.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmc;

extern char **environ;

int pmc::runProgram(const std::string &program,
                    const std::vector<std::string> &flags,
                    const std::string &log) {
  std::vector<char *> argv{const_cast<char *>(program.c_str())};
  for (const std::string &flag : flags)
    argv.push_back(const_cast<char *>(flag.c_str()));
  argv.push_back(nullptr);
  // The terminal sends Ctrl-C to both; the program's answer counts. It gets
  // back what we set aside.
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (!log.empty()) {
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  }
  pid_t child = 0;
  int error = posix_spawn(&child, program.c_str(), &files, &attributes,
                          argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  int status = 0;
  if (error == 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  sigaction(SIGINT, &before, nullptr);
  if (error) {
    fail("[PM1009] cannot run '" + program + "': " + std::strerror(error));
    return 2;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
