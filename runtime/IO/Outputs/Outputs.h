//===- Outputs.h - What a program writes ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_OUTPUTS_H
#define PMRT_IO_OUTPUTS_OUTPUTS_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Formats/Hdf5.h"

#include <functional>
#include <string>
#include <vector>

namespace pmrt {

/// Elements that a rank writes: `runs` runs of `length`, one after another
/// here.
struct StreamPart {
  int64_t runs = 0, length = 0;
  int64_t column = -1; ///< which all are of; -1: they take turns
  /// Where a run begins in the file.
  std::function<int64_t(int64_t run)> start;
  /// The elements, as they are.
  const char *data = nullptr;
  /// If they are not together in memory: copies elements [begin, end) to `out`.
  std::function<void(int64_t begin, int64_t end, char *out)> copy;
  /// The same, for one thread: if they are not in the host's memory.
  std::function<void(int64_t begin, int64_t end, char *out)> fetch;
};

/// An array to be written: what this rank holds of it, so that the whole never
/// exists in one place.
struct Stream {
  pmrt_element element = PMRT_F64;
  std::vector<int64_t> shape; ///< of the file
  int64_t columns = 1;        ///< the last dim of it, for ranges of values
  std::vector<std::string> columnNames;
  std::string unit;
  std::vector<StreamPart> parts;
  /// What a file that is neither HDF5 nor .npy has before the numbers, and what
  /// is in the text beside a .cfl.
  std::string header, beside;
  /// Numbers have their first byte first in the file, and end with a block of
  /// FITS.
  bool isFits = false;
};

struct NamedArray {
  std::string name; ///< of the dataset, with groups before slashes
  Stream stream;
  std::vector<Attribute> attributes;
};

/// An error if this run has written that file.
void refuseTwice(const Context &context, pmrt_loc loc, const std::string &path);

/// Writes `DIR/NAME.h5` with these arrays, as writeArray does.
void writeArrays(Context &context, pmrt_loc loc, const std::string &name,
                 const std::vector<NamedArray> &arrays);

/// Writes `DIR/NAME.h5` or as --format says. A collective: the first rank makes
/// the file, and every rank writes its own part. Throws on all ranks.
void writeArray(Context &context, pmrt_loc loc, const std::string &name,
                const Stream &stream, const std::vector<Attribute> &attributes);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_OUTPUTS_H
