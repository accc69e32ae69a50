//===- FolderLock.cpp - One run at a time in a folder ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/States/FolderLock.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Text/Format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace pmrt;
namespace fs = std::filesystem;

static std::string readText(int file) {
  char text[4096];
  const ssize_t size = pread(file, text, sizeof text, 0);
  return std::string(text, size_t(std::max<ssize_t>(size, 0)));
}

/// What follows `key` in the lines of a lock that begin with it.
static std::vector<std::string> valuesOf(const std::string &text,
                                         const std::string &key) {
  std::vector<std::string> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + " "))
      values.push_back(line.substr(key.size() + 1));
  return values;
}

/// Who has locked the file, for a message.
static std::string holder(int file) {
  const std::vector<std::string> runs = valuesOf(readText(file), "run");
  return runs.empty() ? "another run" : runs[0];
}

/// Whether the open file is one that a run of this user may have made, and no
/// other name leads to it.
static bool isOwn(int file) {
  struct stat facts = {};
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_uid == geteuid() && facts.st_nlink <= 1;
}

/// Removes the temporary files of a run that was killed. False if ranks of it
/// still write to one.
static bool removeLeftovers(const fs::path &folder, const std::string &token) {
  bool all = true;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    if (!isTemporary(entry.path().filename().string(), token))
      continue;
    const int file = ::open(entry.path().c_str(),
                            O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
      continue;
    if (isOwn(file) && flock(file, LOCK_EX | LOCK_NB) == 0)
      unlink(entry.path().c_str());
    else
      all = false;
    close(file);
  }
  return all;
}

void FolderLock::open(const std::string &folder, const std::string &flag) {
  auto refuse = [&](const std::string &who) {
    return usageError(
        "[PM9007] {}: another run writes to {}: {}; wait for its end, or "
        "name another folder",
        flag, folder, who);
  };
  // The run before may remove the file as it ends, just now: then once more.
  for (struct stat facts = {};; close(file)) {
    file = ::open(path.c_str(),
                  O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (file < 0 && errno == EACCES) {
      file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
      throw refuse(fmt::format("{}, of another user (if it was killed, remove "
                               "{})",
                               file < 0 ? "a run" : holder(file), path));
    }
    if (file < 0)
      throw usageError("[PM9007] {}: cannot lock {}: {}: {}", flag, folder,
                       path,
                       errno == ELOOP ? "it is a link, expected a file"
                                      : std::strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        throw refuse(holder(file));
      reason = std::strerror(errno);
      return;
    }
    if (fstat(file, &facts) != 0 || facts.st_nlink != 0)
      break;
  }
  if (!isOwn(file))
    throw usageError(
        "[PM9007] {}: cannot lock {}: {} is not a lock file of one of your "
        "runs; remove it",
        flag, folder, path);
}

FolderLock::FolderLock(const std::string &folder, const std::string &flag,
                       const std::string &program, const std::string &token)
    : path((fs::path(folder) / ".pmc.lock").string()) {
  try {
    open(folder, flag);
  } catch (...) {
    if (file >= 0)
      close(file);
    throw;
  }
  if (!reason.empty())
    return;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string text =
      fmt::format("run {}, process {} on {}, since {}\nnames {}\n", program,
                  getpid(), host, utcNow(), token);
  for (const std::string &old : valuesOf(readText(file), "names"))
    if (isToken(old) && !removeLeftovers(folder, old))
      text += fmt::format("names {}\n", old);
  // Before this run makes a file; others that find it locked read it.
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, text.data(), text.size(), 0) != ssize_t(text.size())) {
    const int error = errno;
    close(file);
    throw usageError("[PM9007] {}: cannot lock {}: {}: {}", flag, folder, path,
                     std::strerror(error));
  }
  fsync(file);
}

FolderLock::~FolderLock() {
  bool all = reason.empty();
  try {
    // A rank of this run may have been killed as it wrote. What somebody still
    // writes is for the next run, which finds its name here.
    for (const std::string &token : valuesOf(readText(file), "names"))
      all = all && (!isToken(token) ||
                    removeLeftovers(fs::path(path).parent_path(), token));
  } catch (const std::exception &) {
    all = false;
  }
  if (all)
    unlink(path.c_str()); // locked still, so it is ours
  close(file);
}
