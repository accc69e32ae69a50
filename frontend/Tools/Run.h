//===- Run.h - Executing a program ---------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_RUN_H
#define PMC_FRONTEND_TOOLS_RUN_H

#include <string>
#include <vector>

namespace pmc {

/// A folder of our own under the system's temporary one, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  /// Empty if it could not be made.
  const std::string &getPath() const { return path; }

private:
  std::string path;
};

/// Runs the program in this terminal; returns its exit code, 128 + n after
/// signal n. Ctrl-C is the program's to answer.
int runProgram(const std::string &program,
               const std::vector<std::string> &flags);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_RUN_H
