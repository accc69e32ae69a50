//===- TemporaryFolder.h - A folder for intermediate files -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LINK_TEMPORARYFOLDER_H
#define PMC_CODEGEN_LINK_TEMPORARYFOLDER_H

#include <string>

namespace pmc {

/// A folder below the system's temporary one that no other user can read or
/// write to, whatever the umask; removed at the end. Files in it need no names
/// that cannot be foreseen.
class TemporaryFolder {
public:
  /// `what` begins its name.
  explicit TemporaryFolder(const std::string &what);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  /// Empty if it could not be made.
  const std::string &getPath() const { return path; }

private:
  std::string path;
};

} // namespace pmc

#endif // PMC_CODEGEN_LINK_TEMPORARYFOLDER_H
