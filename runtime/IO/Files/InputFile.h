//===- InputFile.h - Files that are read --------------------------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_INPUTFILE_H
#define PMRT_IO_FILES_INPUTFILE_H

#include <cstdint>
#include <string>

namespace pmrt {

/// A file open for reading. Errors are std::runtime_error whose text begins
/// with its name.
class InputFile {
public:
  /// Refuses what can be read once only.
  explicit InputFile(const std::string &path);
  /// Takes over a descriptor; `path` is for messages.
  InputFile(int descriptor, const std::string &path);
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  const std::string &path() const { return name; }
  int64_t size() const { return bytes; }

  /// Reads `count` bytes, fewer only at the end of the file.
  int64_t read(void *out, int64_t count, int64_t offset) const;
  /// The first `count` bytes, or all.
  std::string start(int64_t count) const;

  [[noreturn]] void fail(const std::string &why) const;

private:
  void look();

  std::string name;
  int handle;
  int64_t bytes = 0;
};

} // namespace pmrt

#endif // PMRT_IO_FILES_INPUTFILE_H
