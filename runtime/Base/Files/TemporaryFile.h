//===- TemporaryFile.h - New files with unique names -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Others may write to the folder of an output, and know what it will be called.
// So the file that gets its name later has a name that cannot be foreseen, and
// is made by this call or not at all: an existing file, a link to
// somewhere else perhaps, is not written to.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_FILES_TEMPORARYFILE_H
#define PMRT_BASE_FILES_TEMPORARYFILE_H

#include <string>

namespace pmrt {

/// 32 hex digits from the system's random numbers. Throws std::runtime_error.
std::string randomToken();

/// Whether it may come from randomToken.
bool isToken(const std::string &text);

/// A new, empty file `.NAME.TOKEN.RANDOM.tmp` beside `target`, open for reading
/// and writing; its path goes to `made`. -1, and errno, if there is none.
int makeTemporary(const std::string &target, const std::string &token,
                  std::string &made);

/// Whether a file name is one that makeTemporary gives for the token.
bool isTemporary(const std::string &name, const std::string &token);

} // namespace pmrt

#endif // PMRT_BASE_FILES_TEMPORARYFILE_H
