//===- OutputFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/OutputFile.h"

#include "runtime/Core/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path) : finalPath(std::move(path)) {
  const fs::path target(finalPath);
  temporaryPath =
      (target.parent_path() /
       fmt::format(".{}.{}.tmp", target.filename().string(), getpid()))
          .string();
  if (fs::is_directory(target))
    fail("write", EISDIR);
  // The lock, which ends with the process, tells that somebody still writes.
  // Who cleans up may come between the two: then once more.
  struct stat info = {};
  do {
    if (file >= 0)
      close(file);
    file = open(temporaryPath.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC,
                0666);
    if (file < 0)
      fail("write", errno);
    flock(file, LOCK_SH);
  } while (fstat(file, &info) == 0 && info.st_nlink == 0);
}

OutputFile::OutputFile(std::string path, std::string temporary)
    : finalPath(std::move(path)), temporaryPath(std::move(temporary)),
      file(open(temporaryPath.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file < 0)
    fail("write", errno);
  flock(file, LOCK_SH);
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

void pmrt::writeWholeFile(const std::string &path, const std::string &text) {
  OutputFile file(path);
  file.write(text.data(), text.size(), 0);
  file.commit();
}

/// Whether a file is one that `OutputFile` made and did not live to rename.
static bool isLeftover(const fs::path &path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(".") || !name.ends_with(".tmp"))
    return false;
  const std::string stem = fs::path(name).stem().string();
  const size_t dot = stem.rfind('.');
  return dot > 0 && dot + 1 < stem.size() &&
         stem.find_first_not_of("0123456789", dot + 1) == std::string::npos;
}

/// Removes what runs that were killed have left. Files of live ones are locked.
static void removeLeftovers(const fs::path &folder) {
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    if (!isLeftover(entry.path()) || !entry.is_regular_file(error))
      continue;
    const int file = open(entry.path().c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
      continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
      unlink(entry.path().c_str());
    close(file);
  }
}

/// The nearest folder above that exists.
static fs::path existing(fs::path folder) {
  std::error_code error;
  folder = fs::absolute(folder, error);
  while (!fs::exists(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

void pmrt::prepareFolder(const std::string &folder, bool create) {
  std::error_code error;
  if (create) {
    fs::create_directories(folder, error);
    if (error)
      throw usageError("cannot make the output folder {}: {}", folder,
                       error.message());
  }
  const fs::path base = existing(folder);
  if (!fs::is_directory(base, error))
    throw usageError("cannot make the output folder {}: {} is not a folder",
                     folder, base.string());
  if (access(base.c_str(), W_OK | X_OK) != 0)
    throw usageError("cannot write to the output folder {}: {}", folder,
                     std::strerror(errno));
  if (create)
    removeLeftovers(base);
  // Permissions do not tell about read-only mounts and quotas; trying does.
  try {
    OutputFile probe((base / "probe").string());
  } catch (const std::runtime_error &e) {
    const std::string text = e.what(); // ends in the system's reason
    throw usageError("cannot write to the output folder {}{}", folder,
                     text.substr(std::min(text.rfind(": "), text.size())));
  }
}

int64_t pmrt::freeSpace(const std::string &folder) {
  struct statvfs info;
  if (statvfs(existing(folder).c_str(), &info) != 0)
    return -1;
  return int64_t(info.f_bavail) * int64_t(info.f_frsize);
}
