//===- TableFile.cpp - Files of tables ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/TableFile.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Units.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Source.h"
#include "runtime/IO/Inputs/FieldFile.h"
#include "runtime/IO/Inputs/TableHeading.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

TableFile::TableFile(const Descriptor &program, size_t input,
                     const std::string &spec)
    : input(program.inputs[input]), name(this->input.flag()), spec(spec),
      part(tablePart(program.inputs, input)) {}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Calls `take` with the number and the columns of each line that has some.
static void forLines(
    const std::string &path,
    const std::function<void(int64_t line, const std::vector<double> &columns)>
        &take) {
  std::istringstream file(withoutByteOrderMark(readWholeFile(path)));
  std::string line;
  std::vector<double> columns;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (size_t comment = line.find('#'); comment != std::string::npos)
      line.resize(comment);
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
    std::istringstream words(line);
    columns.clear();
    for (std::string word; words >> word;) {
      double value = 0;
      const char *begin = word.c_str() + (word[0] == '+');
      const char *end = word.c_str() + word.size();
      auto [stop, error] = std::from_chars(begin, end, value);
      if (error != std::errc() || stop != end)
        throw std::runtime_error(fmt::format("{}:{}: '{}' is not a number",
                                             path, number, word.substr(0, 40)));
      columns.push_back(value);
    }
    if (!columns.empty())
      take(number, columns);
  }
}

static std::runtime_error wrongColumns(const std::string &path, int64_t line,
                                       size_t found, size_t expected) {
  return std::runtime_error(fmt::format("{}:{}: {} column{}, expected {}", path,
                                        line, found, found == 1 ? "" : "s",
                                        expected));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static std::unique_ptr<Source> openTable(const std::string &spec) {
  const SourceName name =
      sourceName(spec, [](const std::string &) { return false; });
  if (!name.dims.empty())
    throw std::runtime_error(fmt::format("':{}' after {}: a table has no dims",
                                         fmt::join(name.dims, ","), name.path));
  return openSource(name);
}

/// An array in the order of its dims, the last one fastest.
struct TableFile::Array {
  std::string name; ///< of the dataset
  std::vector<int64_t> shape;
  std::vector<double> values;
};

static std::vector<int64_t> shapeOf(const Source &source) {
  const std::vector<int64_t> stored = source.shape();
  std::vector<int64_t> shape;
  for (const size_t axis : source.axes())
    shape.push_back(stored[axis]);
  return shape;
}

TableFile::Array TableFile::readArray(Source &source) {
  if (!source.fits(PMRT_F64))
    throw std::runtime_error(fmt::format("{} holds {}, expected real numbers",
                                         source.name(), source.type()));
  const std::vector<int64_t> stored = source.shape();
  const std::vector<size_t> axes = source.axes();
  Array array{source.name(), shapeOf(source), {}};
  const int64_t count = std::accumulate(stored.begin(), stored.end(),
                                        int64_t(1), std::multiplies<>());
  std::vector<double> values(static_cast<size_t>(count));
  if (!values.empty())
    source.load(PMRT_F64, std::vector<int64_t>(stored.size(), 0), stored,
                values.data());
  if (axes.empty() || axes[0] == 0) {
    array.values = std::move(values);
    return array;
  }
  // The first dim is the fastest in the file.
  array.values.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    size_t rest = i, place = 0, step = values.size();
    for (const int64_t extent : array.shape) {
      step /= size_t(extent);
      place += (rest % size_t(extent)) * step;
      rest /= size_t(extent);
    }
    array.values[place] = values[i];
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Tables over one axis
//===----------------------------------------------------------------------===//

std::unique_ptr<Table> TableFile::readColumns(std::string *note) const {
  std::vector<double> rows;
  std::optional<TableHeading> heading;
  if (isArrayFile(spec)) {
    const std::unique_ptr<Source> source = openTable(spec);
    const std::vector<int64_t> shape = shapeOf(*source);
    if (shape.size() != 2 || shape[1] != 2)
      throw std::runtime_error(
          fmt::format("{} has shape {}, expected two columns: (n, 2)",
                      source->name(), shapeText(shape)));
    rows = readArray(*source).values;
    if (const auto unit = source->unit()) {
      const std::vector<std::string> units = splitUnits(*unit, 2);
      heading = TableHeading{{}, {units[0], units[1]}};
    }
  } else {
    heading = headingOf(spec);
    forLines(spec, [&](int64_t line, const std::vector<double> &columns) {
      if (columns.size() != 2)
        throw wrongColumns(spec, line, columns.size(), 2);
      rows.insert(rows.end(), columns.begin(), columns.end());
    });
  }
  auto table = std::make_unique<Table>(int64_t(rows.size() / 2));
  for (size_t i = 0; i < rows.size() / 2; ++i) {
    table->x[i] = rows[2 * i];
    table->y[i] = rows[2 * i + 1];
  }
  std::string converted;
  if (heading && input.columns.size() == 2)
    converted = convertColumns(*table, *heading, input, spec);
  if (note)
    *note = std::move(converted);
  if (std::string problem = table->finish(); !problem.empty())
    throw std::runtime_error(fmt::format("{}: {}", spec, problem));
  return table;
}

//===----------------------------------------------------------------------===//
// Tables over several axes
//===----------------------------------------------------------------------===//

std::unique_ptr<Table> pmrt::tableOfAxis(const std::vector<double> &points) {
  auto table = std::make_unique<Table>(int64_t(points.size()));
  std::copy(points.begin(), points.end(), table->x);
  return table;
}

std::unique_ptr<Table> pmrt::tableOfValues(const std::vector<double> &values) {
  auto table = std::make_unique<Table>(int64_t(values.size()));
  std::iota(table->x, table->x + table->size, 0.0);
  std::copy(values.begin(), values.end(), table->y);
  return table;
}

std::string pmrt::axisProblem(const std::string &name,
                              const std::vector<double> &points) {
  if (points.size() < 2)
    return fmt::format("axis {} has {} point{}, expected at least 2", name,
                       points.size(), points.size() == 1 ? "" : "s");
  for (size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i]))
      return fmt::format("axis {} is not finite: point {} is {}", name, i,
                         points[i]);
    if (i > 0 && points[i] <= points[i - 1])
      return fmt::format("axis {} does not increase: point {} is {}, point {} "
                         "is {}; sort the axis and the values",
                         name, i - 1, points[i - 1], i, points[i]);
  }
  return "";
}

std::string pmrt::valuesProblem(const std::vector<int64_t> &counts,
                                const std::vector<double> &values) {
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) {
    return !std::isfinite(value);
  });
  if (bad == values.end())
    return "";
  std::vector<int64_t> place(counts.size());
  int64_t rest = bad - values.begin();
  for (size_t i = counts.size(); i-- > 0;) {
    place[i] = rest % counts[i];
    rest /= counts[i];
  }
  return fmt::format("value [{}] is not finite: {}", fmt::join(place, ", "),
                     *bad);
}

static bool hasDatasets(const std::string &spec) {
  return hasParts(sourceName(spec).path);
}

std::string pmrt::tablePartFile(const std::string &text,
                                const std::string &dataset) {
  if (!hasDatasets(text))
    return text;
  std::error_code none;
  const bool isGroup = !std::filesystem::exists(text, none) &&
                       text.rfind(":/") != std::string::npos;
  return text + (!isGroup ? ":/" : text.ends_with('/') ? "" : "/") + dataset;
}

std::string TableFile::dataset(const std::string &dataset) const {
  return spec.substr(0, spec.rfind('/') + 1) + dataset;
}

TableFile::Array TableFile::readPart(size_t axis, std::string &note) const {
  const std::string &own =
      axis < part.axes.size() ? part.axes[axis] : part.values;
  const std::unique_ptr<Source> source = openTable(dataset(own));
  Array array = readArray(*source);
  const std::optional<std::string> unit = source->unit();
  const std::string &expected = part.units[axis];
  // Other programs write units in other ways, which cannot be compared.
  if (!unit || (*unit != expected && !unit->empty() && !parseUnit(*unit)))
    return array;
  const UnitConversion conversion =
      conversionFrom(*unit, expected, source->name());
  if (conversion.isNone())
    return array;
  std::transform(array.values.begin(), array.values.end(), array.values.begin(),
                 conversion);
  note += fmt::format("{}{} from {} to {}", note.empty() ? "" : ", ", own,
                      *unit, expected.empty() ? "pure numbers" : expected);
  return array;
}

TableFile::Grid TableFile::readDatasets() const {
  Grid grid;
  std::vector<int64_t> counts;
  for (size_t i = 0; i < part.axes.size(); ++i) {
    Array array = readPart(i, grid.note);
    if (array.shape.size() != 1)
      throw std::runtime_error(
          fmt::format("{} has shape {}, expected one dimension with the points "
                      "of axis {}",
                      array.name, shapeText(array.shape), part.axes[i]));
    counts.push_back(array.shape[0]);
    grid.axes.push_back(std::move(array.values));
  }
  Array array = readPart(part.axes.size(), grid.note);
  if (array.shape != counts)
    throw std::runtime_error(
        fmt::format("{} has shape {}, expected {}, the numbers of points of {}",
                    array.name, shapeText(array.shape), shapeText(counts),
                    fmt::join(part.axes, " and ")));
  grid.values = std::move(array.values);
  return grid;
}

/// The first column has the points of the first axis, the first row those of
/// the second one. The first number of the first row has no meaning.
TableFile::Grid TableFile::readMatrix() const {
  if (part.axes.size() != 2)
    throw std::runtime_error(
        fmt::format("{} holds one array, and a table over {} axes has {}; "
                    "write them as datasets of an HDF5 file: {} and {}",
                    spec, part.axes.size(), part.axes.size() + 1,
                    fmt::join(part.axes, ", "), part.values));
  Array matrix;
  if (isArrayFile(spec)) {
    const std::unique_ptr<Source> source = openTable(spec);
    matrix = readArray(*source);
    if (matrix.shape.size() != 2)
      throw std::runtime_error(fmt::format(
          "{} has shape {}, expected two dimensions: {} in the "
          "first column, {} in the first row",
          source->name(), shapeText(matrix.shape), part.axes[0], part.axes[1]));
  } else {
    int64_t columns = 0, rows = 0;
    forLines(spec, [&](int64_t line, const std::vector<double> &numbers) {
      if (rows++ == 0)
        columns = int64_t(numbers.size());
      else if (int64_t(numbers.size()) != columns)
        throw wrongColumns(spec, line, numbers.size(), size_t(columns));
      matrix.values.insert(matrix.values.end(), numbers.begin(), numbers.end());
    });
    matrix.shape = {rows, columns};
  }
  Grid grid;
  grid.axes.resize(2);
  const auto columns = size_t(matrix.shape[1]);
  for (size_t i = 0; i < matrix.values.size(); ++i) {
    const bool isFirstRow = i < columns, isFirstColumn = i % columns == 0;
    if (isFirstRow && !isFirstColumn)
      grid.axes[1].push_back(matrix.values[i]);
    else if (!isFirstRow && isFirstColumn)
      grid.axes[0].push_back(matrix.values[i]);
    else if (!isFirstRow)
      grid.values.push_back(matrix.values[i]);
  }
  return grid;
}

void TableFile::checkGrid(const Grid &grid) const {
  std::vector<int64_t> counts;
  std::string problem;
  for (size_t i = 0; i < grid.axes.size(); ++i) {
    counts.push_back(int64_t(grid.axes[i].size()));
    if (problem.empty())
      problem = axisProblem(part.axes[i], grid.axes[i]);
  }
  if (problem.empty())
    problem = valuesProblem(counts, grid.values);
  if (!problem.empty())
    throw std::runtime_error(fmt::format("{}: {}", spec, problem));
}

TableFile::Grid TableFile::readGrid() const {
  Grid grid = hasDatasets(spec) ? readDatasets() : readMatrix();
  checkGrid(grid);
  return grid;
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

std::unique_ptr<Table> TableFile::read(std::string *note) const {
  if (!part.isGrid())
    return readColumns(note);
  const Grid grid = readGrid();
  return part.isValues() ? tableOfValues(grid.values)
                         : tableOfAxis(grid.axes[part.axis]);
}

std::string TableFile::describe(std::string *note) const {
  note->clear();
  if (!part.isGrid())
    return fmt::format("{} rows", readColumns(note)->size);
  if (!part.isValues())
    return "";
  std::vector<size_t> counts;
  const Grid grid = readGrid();
  for (const std::vector<double> &axis : grid.axes)
    counts.push_back(axis.size());
  *note = grid.note;
  return fmt::format("{} values over {}", fmt::join(counts, " x "),
                     fmt::join(part.axes, " and "));
}

int64_t TableFile::workBytes() const {
  return isArrayFile(spec) ? openTable(spec)->workBytes() : 0;
}
