//===- RawArray.h - Numbers in the byte order of a file ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_RAWARRAY_H
#define PMRT_IO_FILES_RAWARRAY_H

#include "pmrt/pmrt.h"
#include "runtime/IO/Files/InputFile.h"

#include <memory>
#include <vector>

namespace pmrt {

/// What an element is in a file.
struct RawElement {
  char kind = 0; ///< f, c, i, u, b (bool); 0: none of these
  int size = 1;  ///< bytes
  bool swap = false;

  /// "float32", "bool", ...
  std::string text() const;
};

/// A dense array in a file, its last dim fastest.
class RawArray {
public:
  /// Throws if the file is too short, which `where` names.
  RawArray(std::unique_ptr<InputFile> file, int64_t offset, RawElement element,
           std::vector<int64_t> shape);

  const std::vector<int64_t> &shape() const { return extents; }
  const RawElement &element() const { return type; }

  /// The box of `count` cells from `start` on, dense, converted to `to`. Of
  /// complex numbers that become real ones, only the real part.
  void read(pmrt_element to, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out);

private:
  /// Elements of the buffer.
  void readRun(pmrt_element to, int64_t first, int64_t count, void *out) const;

  std::unique_ptr<InputFile> file;
  int64_t offset;
  RawElement type;
  std::vector<int64_t> extents;
  std::vector<char> buffer;
  int64_t held = -1, holds = 0; ///< elements of the file in the buffer
};

} // namespace pmrt

#endif // PMRT_IO_FILES_RAWARRAY_H
