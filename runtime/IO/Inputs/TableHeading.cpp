//===- TableHeading.cpp - Names and units of the columns of tables --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/TableHeading.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Units.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Inputs/FieldFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>
#include <vector>

using namespace pmrt;

/// None if the line is something else.
static std::optional<TableHeading> headingIn(std::string line) {
  std::replace(line.begin(), line.end(), ',', ' ');
  TableHeading heading;
  size_t columns = 0;
  bool isTight = false; // "k[h/Mpc]": the line names all units
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const size_t open = word.find('[');
    const bool isUnit = open != std::string::npos && word.ends_with(']');
    if (isUnit && open == 0 && columns > 0) { // "k [h/Mpc]"
      heading.units[columns - 1] = word.substr(1, word.size() - 2);
      continue;
    }
    if (columns == 2 || (open != std::string::npos && !isUnit))
      return std::nullopt;
    heading.names[columns] = word.substr(0, open);
    if (isUnit) {
      heading.units[columns] = word.substr(open + 1, word.size() - open - 2);
      isTight = true;
    }
    ++columns;
  }
  if (columns != 2 || (!heading.units[0] && !heading.units[1]))
    return std::nullopt;
  for (auto &unit : heading.units)
    if (isTight && !unit)
      unit = "";
  return heading;
}

std::optional<TableHeading> pmrt::headingOf(const std::string &path) {
  std::optional<TableHeading> heading;
  std::istringstream file(withoutByteOrderMark(readWholeFile(path)));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      if (auto found = headingIn(line.substr(1)))
        heading = std::move(found);
    } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
      break;
    }
  }
  return heading;
}

std::string pmrt::convertColumns(Table &table, const TableHeading &heading,
                                 const Input &input, const std::string &spec) {
  if (heading.names[0] == input.columns[1] &&
      heading.names[1] == input.columns[0] &&
      heading.names[0] != heading.names[1])
    throw std::runtime_error(
        fmt::format("{} has the columns {} and {}, expected {} and {}", spec,
                    heading.names[0], heading.names[1], input.columns[0],
                    input.columns[1]));
  const std::vector<std::string> expected = splitUnits(input.unit, 2);
  std::string note;
  for (size_t column = 0; column < 2; ++column) {
    const auto &unit = heading.units[column];
    // Other programs write units in other ways, which cannot be compared.
    if (!unit || (*unit != expected[column] && !parseUnit(*unit)))
      continue;
    const UnitConversion conversion = conversionFrom(
        *unit, expected[column],
        fmt::format("{}: column '{}'", spec, input.columns[column]));
    if (conversion.isNone())
      continue;
    double *numbers = column == 0 ? table.x : table.y;
    std::transform(numbers, numbers + table.size, numbers, conversion);
    note += fmt::format(
        "{}{} from {} to {}", note.empty() ? "" : ", ", input.columns[column],
        *unit, expected[column].empty() ? "pure numbers" : expected[column]);
  }
  return note;
}
