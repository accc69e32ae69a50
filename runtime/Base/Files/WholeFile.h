//===- WholeFile.h - All bytes of a file ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_FILES_WHOLEFILE_H
#define PMRT_BASE_FILES_WHOLEFILE_H

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace pmrt {

/// What is at a path, for messages, if it is not a regular file.
inline const char *kindOfFile(mode_t mode) {
  return S_ISDIR(mode)    ? "folder"
         : S_ISFIFO(mode) ? "pipe"
         : S_ISSOCK(mode) ? "socket"
                          : "device";
}

/// A text without the byte order mark that editors of other systems put first.
inline std::string withoutByteOrderMark(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.erase(0, 3);
  return text;
}

/// Throws std::runtime_error where the file cannot be read, is not a regular
/// file (a pipe would be waited for, and a device may have no end), or has more
/// than `most` bytes.
inline std::string readWholeFile(const std::string &path,
                                 int64_t most = int64_t(1) << 30) {
  const auto fail = [&](const std::string &why) {
    return std::runtime_error(fmt::format("cannot read {}: {}", path, why));
  };
  struct File {
    int number;
    ~File() {
      if (number >= 0)
        close(number);
    }
  } const file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat facts = {};
  if (file.number < 0 || fstat(file.number, &facts) != 0)
    throw fail(std::strerror(errno));
  if (!S_ISREG(facts.st_mode))
    throw fail(
        fmt::format("it is a {}, expected a file", kindOfFile(facts.st_mode)));
  if (facts.st_size > most)
    throw fail(fmt::format("it has {} bytes, expected at most {}",
                           int64_t(facts.st_size), most));
  std::string text(size_t(facts.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t got =
        read(file.number, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      throw fail(std::strerror(errno));
    if (got == 0)
      break;
    done += size_t(got);
  }
  text.resize(done);
  return text;
}

} // namespace pmrt

#endif // PMRT_BASE_FILES_WHOLEFILE_H
