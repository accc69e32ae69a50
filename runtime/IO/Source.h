//===- Source.h - Arrays in files -------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_SOURCE_H
#define PMRT_IO_SOURCE_H

#include "pmrt/pmrt.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// An array in a .npy or HDF5 file. Errors are std::runtime_error whose text
/// begins with the file's name.
class Source {
public:
  enum class Kind { Real, Complex, Integer, Other };

  virtual ~Source() = default;
  /// The file, and the dataset if it is an HDF5 file.
  virtual std::string name() const = 0;
  virtual std::vector<int64_t> shape() const = 0;
  virtual Kind kind() const = 0;
  /// "float32", ...
  virtual std::string type() const = 0;
  /// The unit of what a program of pmc wrote, if this is such a file.
  virtual std::optional<std::string> unit() const { return std::nullopt; }
  /// The box of `count` cells from `start` on, dense, converted to `element`.
  virtual void read(pmrt_element element, const std::vector<int64_t> &start,
                    const std::vector<int64_t> &count, void *out) = 0;
};

/// "FILE.npy", "FILE.h5:/DATASET", or "FILE.h5" with one dataset.
std::unique_ptr<Source> openSource(const std::string &spec);

/// Whether the file's first bytes are those of a .npy or HDF5 file.
bool isArrayFile(const std::string &spec);

} // namespace pmrt

#endif // PMRT_IO_SOURCE_H
