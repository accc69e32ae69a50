//===- FileAxes.h - The axes of a field in a file ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_FILEAXES_H
#define PMRT_IO_FORMATS_FILEAXES_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pmrt {

class Context;
struct Descriptor;
struct Output;

/// The axes of a file, from the fastest one on.
struct FileAxes {
  std::vector<int64_t> cells;
  std::vector<int> dims; ///< places among the field's; -1: one cell, components
  std::vector<int64_t> shifts; ///< cell i of the dim is cell i + shift here
  std::vector<double> spacing; ///< meters; 0: not known

  void add(int64_t count, int dim = -1, int64_t shift = 0, double apart = 0) {
    cells.push_back(count);
    dims.push_back(dim);
    shifts.push_back(shift);
    spacing.push_back(apart);
  }
  void padTo(size_t count) {
    while (cells.size() < count)
      add(1);
  }
};

/// The dims of a field, by their places, the fastest in files with columns
/// first. Directions precede dims that count a batch.
std::vector<int> columnOrder(const Context &context,
                             std::span<const int32_t> dims);

/// Dims in their order, the last one the fastest. Components, if there are
/// several, are the slowest axis.
FileAxes axesInRows(const Context &context, std::span<const int32_t> dims,
                    int64_t components);

/// Axes in the order of `columnOrder`. Those that count a batch begin at the
/// fourth axis. Components are the slowest axis, and
/// not before axis `componentAxis`.
FileAxes axesInColumns(const Context &context, std::span<const int32_t> dims,
                       int64_t components, size_t componentAxis = 0);

/// Why a file with such axes cannot hold an output, whatever its format; "" if
/// it can.
std::string problemOfAxes(const Descriptor &program, const Output &output);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_FILEAXES_H
