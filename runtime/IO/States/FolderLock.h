//===- FolderLock.h - One run at a time in a folder -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that writes into a folder holds a lock on `.pmc.lock` there, which ends
// with its process, however that ends. The file says who it is, and the token
// in the names of its temporary files: so the next run knows, and does not
// guess, which files a killed one has left.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_STATES_FOLDERLOCK_H
#define PMRT_IO_STATES_FOLDERLOCK_H

#include <string>

namespace pmrt {

class FolderLock {
public:
  /// Locks a folder that exists, and removes what a killed run has left there.
  /// `flag`: the one that names the folder, for messages; `program`, `token`:
  /// of this run. Throws Exit::Usage if another run has it.
  FolderLock(const std::string &folder, const std::string &flag,
             const std::string &program, const std::string &token);
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

  /// Why the folder could not be locked: its file system has no locks. Empty
  /// if it is locked.
  const std::string &problem() const { return reason; }

private:
  void open(const std::string &folder, const std::string &flag);

  std::string path;
  std::string reason;
  int file = -1;
};

} // namespace pmrt

#endif // PMRT_IO_STATES_FOLDERLOCK_H
