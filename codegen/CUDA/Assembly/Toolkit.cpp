//===- Toolkit.cpp - Where the CUDA toolkit is ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Assembly/Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

Expected<std::string> pmc::codegen::findToolkitFile(StringRef file) {
  SmallVector<std::string> folders;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> folder = sys::Process::GetEnv(name))
      folders.push_back(*folder);
  if (folders.empty())
    folders.emplace_back("/usr/local/cuda");
  for (const std::string &folder : folders) {
    SmallString<256> path(folder);
    sys::path::append(path, file);
    if (sys::fs::exists(path))
      return path.str().str();
  }
  return createStringError("the CUDA toolkit has no '" + file + "' in " +
                           join(folders, ", ") +
                           "; $CUDA_HOME says where the toolkit is");
}
