//===- Files.h - What tools write ----------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FILES_H
#define PMC_FRONTEND_TOOLS_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace pmc {

/// Says so; 1, the exit code.
int fail(const llvm::Twine &message);

/// The text of a file, a pipe or a device; "-": of standard input.
llvm::Expected<std::string> readText(const std::string &path);

/// Writes a file that appears whole or not at all; "-": standard output. The
/// exit code. `keepsPermissions`: of a file that exists.
int writeFile(const std::string &path,
              llvm::function_ref<bool(llvm::raw_pwrite_stream &)> write,
              bool keepsPermissions = false);

/// The same of a text for people, in which control characters are escaped.
int writeReport(const std::string &path,
                llvm::function_ref<bool(llvm::raw_ostream &)> write);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FILES_H
