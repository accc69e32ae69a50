//===- Stream.h - Arrays on their way to a file -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_STREAM_H
#define PMRT_IO_FORMATS_STREAM_H

#include "runtime/Core/Mesh.h"
#include "runtime/IO/Formats/FileAxes.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"

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
  /// Then also: where they are in the device's memory, arrays whose elements
  /// take turns.
  std::vector<const char *> onDevice;
};

/// An array to be written: what this rank holds of it, so that the whole never
/// exists in one place.
struct Stream {
  pmrt_element element = PMRT_F64;
  std::vector<int64_t> shape; ///< of the file
  /// If each rank writes a file of a record: the shape over all of these files.
  std::vector<int64_t> whole;
  int64_t columns = 1; ///< the last dim of it, for ranges of values
  std::vector<std::string> columnNames;
  std::string unit;
  std::vector<StreamPart> parts;
  /// Of a field in a format that chooses the axes of its files: the program's
  /// dims, and the axes. Elsewhere empty.
  std::vector<int32_t> dims;
  FileAxes axes;
  /// Of the cells along the axes, those in this file: all, or one rank's.
  std::vector<Shard> sides;
};

struct NamedArray {
  std::string name; ///< of the dataset, with groups before slashes
  Stream stream;
  std::vector<Attribute> attributes;
};

} // namespace pmrt

#endif // PMRT_IO_FORMATS_STREAM_H
