//===- ReadFile.cpp - Text files that users name --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/ReadFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <array>

using namespace pmc;

llvm::Expected<std::string> pmc::readFile(llvm::StringRef path, uint64_t most) {
  namespace fs = llvm::sys::fs;
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  llvm::scope_exit close([&] { (void)fs::closeFile(*file); });
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    llvm::Expected<size_t> size = fs::readNativeFile(*file, part);
    if (!size)
      return size.takeError();
    if (*size == 0) {
      // A byte order mark, which some editors put first.
      llvm::StringRef rest = text;
      rest.consume_front("\xEF\xBB\xBF");
      return rest.str();
    }
    if (text.size() + *size > most)
      return llvm::createStringError("it has more than " +
                                     llvm::Twine(most >> 20) + " MiB");
    text.append(part.data(), *size);
  }
}
