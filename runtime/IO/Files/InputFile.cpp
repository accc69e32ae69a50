//===- InputFile.cpp - Files that are read --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

InputFile::InputFile(const std::string &path)
    // Without waiting for somebody to write, should it be a pipe.
    : name(path),
      handle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  look();
}

InputFile::InputFile(int descriptor, const std::string &path)
    : name(path), handle(descriptor) {
  look();
}

InputFile::~InputFile() {
  if (handle >= 0)
    close(handle);
}

void InputFile::look() {
  struct stat info;
  if (handle < 0 || fstat(handle, &info) != 0)
    fail(std::strerror(errno));
  if (S_ISDIR(info.st_mode))
    fail("is a folder");
  if (!S_ISREG(info.st_mode))
    fail(fmt::format("is a {}, expected a file: an input is read more than "
                     "once",
                     S_ISFIFO(info.st_mode)   ? "pipe"
                     : S_ISSOCK(info.st_mode) ? "socket"
                                              : "device"));
  bytes = info.st_size;
}

int64_t InputFile::read(void *out, int64_t count, int64_t offset) const {
  int64_t done = 0;
  while (done < count) {
    const ssize_t got = pread(handle, static_cast<char *>(out) + done,
                              size_t(count - done), offset + done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail(std::strerror(errno));
    if (got == 0)
      break;
    done += got;
  }
  return done;
}

std::string InputFile::start(int64_t count) const {
  std::string text(size_t(std::min(bytes, count)), '\0');
  text.resize(size_t(read(text.data(), int64_t(text.size()), 0)));
  return text;
}

void InputFile::fail(const std::string &why) const {
  throw std::runtime_error(fmt::format("{}: {}", name, why));
}
