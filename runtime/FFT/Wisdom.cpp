//===- Wisdom.cpp - Where FFTW's wisdom is kept ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Wisdom.h"

#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Hash.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fftw3.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

static std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, text;
  while (std::getline(info, line) && !line.empty())
    if (line.starts_with("model name") || line.starts_with("flags") ||
        line.starts_with("CPU part") || line.starts_with("Features"))
      text += line + "\n";
  return text;
}

std::string pmrt::wisdomPath(bool single) {
  auto folder = [](const char *variable) -> fs::path {
    const char *value = std::getenv(variable);
    return value && *value == '/' ? fs::path(value) : fs::path();
  };
  fs::path cache = folder("XDG_CACHE_HOME");
  if (cache.empty()) {
    const fs::path home = folder("HOME");
    if (home.empty())
      return "";
    cache = home / ".cache";
  }
  const std::string machine = hashOf(processor() + fftw_version).text();
  return cache / "pmc" /
         fmt::format("fftw-{}-{}.wisdom", machine, single ? "f32" : "f64");
}

std::string pmrt::readWisdom(const std::string &path) {
  try {
    return path.empty() ? "" : readWholeFile(path);
  } catch (const std::runtime_error &) {
    return "";
  }
}

std::string pmrt::writeWisdom(const std::string &path,
                              const std::string &text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  std::string temporary;
  const int file = makeTemporary(path, randomToken(), temporary);
  errno = ENOSPC; // should less be written
  const bool written = file >= 0 && write(file, text.data(), text.size()) ==
                                        ssize_t(text.size());
  if (written && rename(temporary.c_str(), path.c_str()) == 0) {
    close(file);
    return "";
  }
  const std::string problem =
      fmt::format("cannot write {}: {}", path, std::strerror(errno));
  if (file >= 0) {
    close(file);
    unlink(temporary.c_str());
  }
  return problem;
}

WisdomLock::WisdomLock(const std::string &path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  file = open((path + ".lock").c_str(),
              O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file >= 0 && flock(file, LOCK_EX) != 0) {
    close(file);
    file = -1;
  }
}

WisdomLock::~WisdomLock() {
  if (file >= 0)
    close(file);
}
