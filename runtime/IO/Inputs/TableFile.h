//===- TableFile.h - Files of tables ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_TABLEFILE_H
#define PMRT_IO_INPUTS_TABLEFILE_H

#include "runtime/Core/Descriptor.h"
#include "runtime/Core/Tables/Table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pmrt {

class Source;

/// The file of a table, or of a part of a table over several axes, as
/// tablePartFile() says. All functions throw std::runtime_error.
class TableFile {
public:
  TableFile(const Descriptor &program, size_t input, const std::string &spec);

  /// The rows of a table over one axis: two columns from a text file (# begins
  /// a comment), or an array of shape (n, 2). Of a table over several axes: the
  /// points of an axis as x, with y = 0, or the values as y, with their numbers
  /// as x.
  std::unique_ptr<Table> read() const { return read(nullptr); }
  /// "20 rows", "3 x 4 values"; empty for the axes. `note` becomes "k from 1/m
  /// to 1/km" if columns, axes or values are in other units than the input's,
  /// else empty.
  std::string describe(std::string *note) const;
  /// Bytes that reading takes besides the values.
  int64_t workBytes() const;

private:
  /// The points of all axes, and the values.
  struct Grid {
    std::vector<std::vector<double>> axes;
    std::vector<double> values;
    std::string note; ///< conversions of units
  };
  struct Array;
  static Array readArray(Source &source);

  std::unique_ptr<Table> read(std::string *note) const;
  std::unique_ptr<Table> readColumns(std::string *note) const;
  Grid readGrid() const;
  Grid readDatasets() const;
  /// The dataset of an axis, or of the values, in the unit of the input.
  Array readPart(size_t axis, std::string &note) const;
  Grid readMatrix() const;
  void checkGrid(const Grid &grid) const;
  /// Where another part is, in a file of several datasets.
  std::string dataset(const std::string &name) const;

  const Input &input;
  std::string name, spec;
  TablePart part;
};

/// Where a part of a table over several axes is: a dataset in FILE.h5 or
/// FILE.h5:/GROUP, or the whole of another file.
std::string tablePartFile(const std::string &text, const std::string &dataset);
/// A table with the points of an axis as x, and y = 0.
std::unique_ptr<Table> tableOfAxis(const std::vector<double> &points);
/// A table with the values as y, and their numbers as x.
std::unique_ptr<Table> tableOfValues(const std::vector<double> &values);
/// What is wrong with an axis, or empty.
std::string axisProblem(const std::string &name,
                        const std::vector<double> &points);
/// What is wrong with values over axes with so many points, or empty.
std::string valuesProblem(const std::vector<int64_t> &counts,
                          const std::vector<double> &values);

} // namespace pmrt

#endif // PMRT_IO_INPUTS_TABLEFILE_H
