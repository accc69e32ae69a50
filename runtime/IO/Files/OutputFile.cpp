//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/OutputFile.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Files/WholeFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

/// Characters of a temporary name besides those of its target's.
static constexpr size_t temporaryExtra = sizeof "..0123456789abcdef0123456789"
                                                "abcdef.0123456789abcdef.tmp" -
                                         1;

std::string pmrt::problemOfTarget(const std::string &path) {
  struct stat facts = {};
  if (lstat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) &&
      !S_ISLNK(facts.st_mode))
    return fmt::format("it is a {}, expected a file or nothing",
                       kindOfFile(facts.st_mode));
  const fs::path whole(path);
  // The folder may be created later, in a folder that is there.
  std::error_code error;
  fs::path folder = whole.parent_path();
  while (folder.has_relative_path() && !fs::exists(folder, error))
    folder = folder.parent_path();
  const size_t name = whole.filename().string().size() + temporaryExtra;
  const long most =
      pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  if (most > 0 && name > size_t(most))
    return fmt::format("its name has {} characters, expected at most {}",
                       whole.filename().string().size(),
                       most - long(temporaryExtra));
  return "";
}

OutputFile::OutputFile(std::string path, const std::string &token)
    : finalPath(std::move(path)) {
  if (const std::string problem = problemOfTarget(finalPath); !problem.empty())
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", finalPath, problem));
  file = makeTemporary(finalPath, token.empty() ? randomToken() : token,
                       temporaryPath);
  if (file < 0)
    fail("write", errno);
  // The lock, which ends with the process, shows that a process still writes.
  flock(file, LOCK_SH);
}

OutputFile::OutputFile(std::string path, const Made &by)
    : finalPath(std::move(path)), temporaryPath(by.temporary),
      file(open(temporaryPath.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)) {
  if (file < 0)
    fail("write", errno);
  flock(file, LOCK_SH);
}

std::string OutputFile::openPath() const {
  const std::string path = fmt::format("/proc/self/fd/{}", file);
  return access(path.c_str(), F_OK) == 0 ? path : temporaryPath;
}

OutputFile::~OutputFile() {
  if (file >= 0)
    close(file);
  if (!committed)
    unlink(temporaryPath.c_str());
}

void OutputFile::fail(const char *action, int error) const {
  throw std::runtime_error(
      fmt::format("cannot {} {}: {}", action, finalPath, std::strerror(error)));
}

void OutputFile::write(const void *data, size_t bytes, int64_t offset) {
  const auto *next = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t done = pwrite(file, next, bytes, offset);
    if (done < 0) {
      if (errno == EINTR)
        continue;
      fail("write", errno);
    }
    next += done;
    bytes -= size_t(done);
    offset += done;
  }
}

bool OutputFile::setDirect(bool on) {
  const int flags = fcntl(file, F_GETFL);
  return flags >= 0 &&
         fcntl(file, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

void OutputFile::writeBlock(const void *data, size_t bytes, int64_t offset) {
  size_t done = 0;
  if (setDirect(true)) {
    // Some refuse only now; a full disk is an error of the usual way, too.
    ssize_t step = 0;
    while (done < bytes &&
           (step = pwrite(file, static_cast<const char *>(data) + done,
                          bytes - done, offset + int64_t(done))) > 0)
      done += size_t(step);
    setDirect(false);
  }
  if (done == bytes)
    return;
  write(static_cast<const char *>(data) + done, bytes - done,
        offset + int64_t(done));
  // On its way to the disk while the next block comes.
  sync_file_range(file, offset, off_t(bytes), SYNC_FILE_RANGE_WRITE);
}

void OutputFile::sync() {
  // Some file systems find out that they are full only now.
  if (fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail("write", errno);
}

void OutputFile::publish() {
  if (rename(temporaryPath.c_str(), finalPath.c_str()) != 0)
    fail("rename", errno);
  committed = true;
  // The name itself is in the folder.
  const std::string folder = fs::path(finalPath).parent_path().string();
  if (int dir = open(folder.empty() ? "." : folder.c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      dir >= 0) {
    fsync(dir);
    close(dir);
  }
}

void OutputFile::commit() {
  sync();
  publish();
}

/// No machine has larger pages, and no disk larger blocks.
static constexpr auto alignment = std::align_val_t(64 << 10);

void OutputStream::Free::operator()(char *memory) const {
  operator delete[](memory, alignment);
}

OutputStream::OutputStream(OutputFile &file)
    : file(file), buffer(new (alignment) char[block]) {}

void OutputStream::write(const void *data, int64_t bytes) {
  const auto *from = static_cast<const char *>(data);
  while (bytes > 0) {
    const int64_t count = std::min(bytes, block - used);
    std::memcpy(buffer.get() + used, from, size_t(count));
    used += count;
    from += count;
    bytes -= count;
    if (used < block)
      return;
    file.writeBlock(buffer.get(), size_t(block), at);
    at += block;
    used = 0;
  }
}

void OutputStream::finish() {
  file.write(buffer.get(), size_t(used), at);
  at += used;
  used = 0;
}

bool pmrt::isDevice(const std::string &path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) &&
         !S_ISDIR(facts.st_mode);
}

void pmrt::writeNamedFile(const std::string &path, const std::string &text,
                          const std::string &token) {
  const auto fail = [&] {
    return std::runtime_error(
        fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  };
  if (!isDevice(path)) {
    // A link stays, and its file is replaced.
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return writeWholeFile(error ? path : real.string(), text, token);
  }
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    throw fail();
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t step = write(file, text.data() + done, text.size() - done);
    if (step < 0 && errno == EINTR)
      continue;
    if (step <= 0)
      break;
    done += size_t(step);
  }
  if ((close(file) != 0) || done < text.size())
    throw fail();
}

void pmrt::writeWholeFile(const std::string &path, const std::string &text,
                          const std::string &token) {
  OutputFile file(path, token);
  file.write(text.data(), text.size(), 0);
  file.commit();
}

/// The nearest folder above that exists.
static fs::path existing(fs::path folder) {
  std::error_code error;
  folder = fs::absolute(folder, error);
  while (!fs::exists(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

void pmrt::prepareFolder(const std::string &folder, bool create,
                         const char *what) {
  std::error_code error;
  if (create) {
    fs::create_directories(folder, error);
    if (error)
      throw usageError("[PM9007] cannot make the {} {}: {}", what, folder,
                       error.message());
  }
  const fs::path base = existing(folder);
  if (!fs::is_directory(base, error))
    throw usageError("[PM9007] cannot make the {} {}: {} is not a folder", what,
                     folder, base.string());
  if (access(base.c_str(), W_OK | X_OK) != 0)
    throw usageError("[PM9007] cannot write to the {} {}: {}", what, folder,
                     std::strerror(errno));
  // Permissions do not tell about read-only mounts and quotas; trying does.
  try {
    OutputFile probe((base / "probe").string());
  } catch (const std::runtime_error &e) {
    const std::string text = e.what(); // ends in the system's reason
    throw usageError("[PM9007] cannot write to the {} {}{}", what, folder,
                     text.substr(std::min(text.rfind(": "), text.size())));
  }
}

int64_t pmrt::freeSpace(const std::string &folder) {
  struct statvfs info;
  if (statvfs(existing(folder).c_str(), &info) != 0)
    return -1;
  return int64_t(info.f_bavail) * int64_t(info.f_frsize);
}
