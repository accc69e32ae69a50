//===- TemporaryFolder.cpp - A folder for intermediate files --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Link/TemporaryFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace pmc;

TemporaryFolder::TemporaryFolder(const std::string &what) {
  llvm::SmallString<128> pattern;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, pattern);
  llvm::sys::path::append(pattern, what + "-XXXXXX");
  if (mkdtemp(const_cast<char *>(pattern.c_str()))) // 0700, or none
    path = pattern.str().str();
}

TemporaryFolder::~TemporaryFolder() {
  if (!path.empty())
    (void)llvm::sys::fs::remove_directories(path);
}
