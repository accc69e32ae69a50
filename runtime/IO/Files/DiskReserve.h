//===- DiskReserve.h - Disk space that is kept for later --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_DISKRESERVE_H
#define PMRT_IO_FILES_DISKRESERVE_H

#include <cstdint>
#include <string>

namespace pmrt {

/// Keeps space on the disk of a folder, in a file without a name, so that
/// nothing is left behind if the process is killed. Where the file system
/// cannot do this, nothing is kept.
class DiskReserve {
public:
  DiskReserve(const std::string &folder, int64_t bytes);
  ~DiskReserve();
  DiskReserve(const DiskReserve &) = delete;
  DiskReserve &operator=(const DiskReserve &) = delete;

private:
  int file = -1;
};

} // namespace pmrt

#endif // PMRT_IO_FILES_DISKRESERVE_H
