//===- TemporaryFile.cpp - New files with unique names --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files/TemporaryFile.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/random.h>

using namespace pmrt;
namespace fs = std::filesystem;

std::string pmrt::randomToken() {
  uint64_t words[2] = {};
  if (getrandom(words, sizeof words, 0) != ssize_t(sizeof words))
    throw std::runtime_error(
        fmt::format("cannot get random numbers: {}", std::strerror(errno)));
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

bool pmrt::isToken(const std::string &text) {
  return text.size() == 32 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

int pmrt::makeTemporary(const std::string &target, const std::string &token,
                        std::string &made) {
  const fs::path path(target);
  for (int attempt = 0; attempt < 16; ++attempt) {
    made = (path.parent_path() / fmt::format(".{}.{}.{}.tmp",
                                             path.filename().string(), token,
                                             randomToken().substr(0, 16)))
               .string();
    const int file = open(
        made.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

bool pmrt::isTemporary(const std::string &name, const std::string &token) {
  // From the end, as names may have dots: ".tmp", the random part, the token.
  constexpr size_t random = 16, suffix = 4;
  const std::string ends = fmt::format(".{}.", token);
  const size_t tail = ends.size() + random + suffix;
  return !token.empty() && name.size() > tail && name.front() == '.' &&
         name.ends_with(".tmp") &&
         name.compare(name.size() - tail, ends.size(), ends) == 0;
}
