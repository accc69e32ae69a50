//===- TableHeading.h - Headings of the columns of tables -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_TABLEHEADING_H
#define PMRT_IO_INPUTS_TABLEHEADING_H

#include "runtime/Core/Descriptor.h"
#include "runtime/Core/Tables/Table.h"

#include <optional>
#include <string>

namespace pmrt {

/// The names and units of two columns, as in the line that `--format=txt`
/// writes: "k[h/Mpc] P[(Mpc/h)^3]".
struct TableHeading {
  std::string names[2];
  std::optional<std::string> units[2]; ///< none: not told
};

/// The heading among the comments before the numbers of a text file; none if
/// there is no such line.
std::optional<TableHeading> headingOf(const std::string &path);

/// Converts the columns to the units of the input, as far as the file names
/// its units. Returns what has been converted: "k from 1/m to 1/km", or "".
/// Throws std::runtime_error if the columns are swapped, or the units of
/// another kind.
std::string convertColumns(Table &table, const TableHeading &heading,
                           const Input &input, const std::string &spec);

} // namespace pmrt

#endif // PMRT_IO_INPUTS_TABLEHEADING_H
