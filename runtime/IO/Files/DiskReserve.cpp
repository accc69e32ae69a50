//===- DiskReserve.cpp - Disk space that is kept for later ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/DiskReserve.h"

#include <fcntl.h>
#include <unistd.h>

using namespace pmrt;

DiskReserve::DiskReserve(const std::string &folder, int64_t bytes)
    : file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
  if (file >= 0)
    (void)posix_fallocate(file, 0, bytes);
}

DiskReserve::~DiskReserve() {
  if (file >= 0)
    close(file);
}
