//===- Version.cpp - pmc --version ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Version.h"

#include "frontend/Tools/Files.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace pmc;

int pmc::printVersion(bool verbose, const std::string &library) {
  llvm::outs() << "pmc " PMC_VERSION "\n";
  if (!verbose)
    return 0;
  llvm::outs() << "processor: " << llvm::sys::getDefaultTargetTriple() << ", "
               << llvm::sys::getHostCPUName() << "\nlibrary: " << library
               << "\nlicense: Apache-2.0 WITH LLVM-exception\n";
  const std::string path = library + "/pmc/libraries.txt";
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return fail("[PM1007] cannot read '" + path +
                "': " + file.getError().message());
  llvm::outs() << "\nlibraries in pmc and its runtime:\n";
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) { // name, version, license, files
    llvm::SmallVector<llvm::StringRef> columns;
    line.split(columns, '\t');
    columns.resize(3);
    llvm::outs() << llvm::formatv("  {0,-21} {1,-24} {2}\n", columns[0],
                                  columns[1], columns[2]);
  }
  return 0;
}
