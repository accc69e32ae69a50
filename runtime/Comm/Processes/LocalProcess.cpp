//===- LocalProcess.cpp - A rank that may be ended ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes/LocalProcess.h"

#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace pmrt;

std::string pmrt::startOf(int process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  // The name before may have blanks and brackets. It is the 22nd word.
  const size_t name = line.rfind(')');
  if (name == std::string::npos)
    return "";
  std::istringstream rest(line.substr(name + 1));
  std::string word;
  for (int i = 3; i <= 22; ++i)
    rest >> word;
  return rest ? word : "";
}

/// Of this process's user, and running the same file.
static bool isAlike(int process) {
  struct stat own = {}, other = {}, ownProgram = {}, otherProgram = {};
  const std::string folder = fmt::format("/proc/{}", process);
  return stat("/proc/self", &own) == 0 && stat(folder.c_str(), &other) == 0 &&
         own.st_uid == other.st_uid &&
         stat("/proc/self/exe", &ownProgram) == 0 &&
         stat((folder + "/exe").c_str(), &otherProgram) == 0 &&
         ownProgram.st_dev == otherProgram.st_dev &&
         ownProgram.st_ino == otherProgram.st_ino;
}

LocalProcess::LocalProcess(int process, const std::string &started) {
  if (process <= 0 || process == getpid() || started.empty())
    return;
  // First held, then looked at: it cannot become another one in between. Before
  // Linux 5.3 there is none to hold.
  descriptor = int(syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0 || (startOf(process) == started && isAlike(process)))
    return;
  close(std::exchange(descriptor, -1));
}

LocalProcess::~LocalProcess() {
  if (descriptor >= 0)
    close(descriptor);
}

void LocalProcess::end() const noexcept {
  if (descriptor >= 0)
    (void)syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
}
