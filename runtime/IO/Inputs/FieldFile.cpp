//===- FieldFile.cpp - A field in a file ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/FieldFile.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Inputs/ConvertedSource.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

Layout pmrt::layoutOver(const Context &context,
                        const std::vector<int32_t> &dims) {
  Layout layout;
  for (int32_t dim : dims)
    layout.dims.push_back(
        splitOf(context.mesh, context.program.dims[size_t(dim)]));
  return layout;
}

static const Dim &dimOf(const Context &context, const Input &input, int d) {
  return context.program.dims[size_t(input.dims[size_t(d)])];
}

SourceName pmrt::inputSource(const Context &context, const Input &input,
                             const std::string &spec) {
  return sourceName(spec, [&](const std::string &name) {
    for (size_t d = 0; d < input.dims.size(); ++d)
      if (const Dim &dim = dimOf(context, input, int(d));
          dim.name == name || dim.of == name)
        return true;
    return false;
  });
}

/// What such a file holds, for a message.
static std::string expectedType(pmrt_element element) {
  return isComplex(element)   ? "complex or real numbers"
         : isFloat(element)   ? "real numbers"
         : element == PMRT_I8 ? "bool"
                              : "integers";
}

UnitConversion pmrt::conversionFrom(std::string unit, std::string expected,
                                    const std::string &what) {
  for (std::string *one : {&unit, &expected})
    if (*one == "1") // as other programs say it
      one->clear();
  if (unit == expected)
    return {};
  const auto conversion = findConversion(unit, expected);
  if (conversion)
    return *conversion;
  const auto describe = [](const std::string &text) {
    return text.empty() ? "a pure number" : "in " + text;
  };
  throw std::runtime_error(fmt::format("{} is {}, expected {}", what,
                                       describe(unit), describe(expected)));
}

std::unique_ptr<Source> pmrt::checkNumbers(std::unique_ptr<Source> source,
                                           const Input &input,
                                           std::string *note) {
  // What is too large for an int would become another one.
  if (input.element == PMRT_I64 && source->type() == "uint64")
    throw std::runtime_error(
        fmt::format("{} holds uint64, expected integers that all fit int64",
                    source->name()));
  if (!source->fits(input.element))
    throw std::runtime_error(fmt::format("{} holds {}, expected {}",
                                         source->name(), source->type(),
                                         expectedType(input.element)));
  const std::optional<std::string> unit = source->unit();
  if (!unit)
    return source;
  const UnitConversion conversion =
      conversionFrom(*unit, input.unit, source->name());
  if (conversion.isNone())
    return source;
  if (!isFloat(input.element) && !isComplex(input.element))
    throw std::runtime_error(
        fmt::format("{} is in {}, expected a pure number; integers are not "
                    "converted",
                    source->name(), *unit));
  if (note)
    *note = fmt::format("from {} to {}", *unit,
                        input.unit.empty() ? "pure numbers" : input.unit);
  return std::make_unique<ConvertedSource>(std::move(source), conversion);
}

FieldFile::FieldFile(const Context &context, const Input &input,
                     const std::string &text)
    : input(input), spec(inputSource(context, input, text)),
      file(openSource(spec)) {
  findAxes(context);
  file = checkNumbers(std::move(file), input, &converted);
}

/// The dims as the file counts them.
std::vector<int> FieldFile::dimsInOrder(const Context &context) const {
  const auto rank = int(input.dims.size());
  std::vector<int> all;
  if (spec.dims.empty()) {
    if (file->order() == AxisOrder::Columns) {
      std::vector<bool> batch;
      for (int d = 0; d < rank; ++d) {
        const Dim &dim = dimOf(context, input, d);
        batch.push_back(dim.kind == DimKind::Space && !dim.lengthUnit);
      }
      return columnDims(batch);
    }
    for (int d = 0; d < rank; ++d)
      all.push_back(d);
    return all;
  }
  for (const std::string &name : spec.dims) {
    int found = -1;
    for (int d = 0; d < rank; ++d) {
      const Dim &dim = dimOf(context, input, d);
      if (dim.name == name || dim.of == name)
        found = d;
    }
    if (found < 0 || std::find(all.begin(), all.end(), found) != all.end())
      throw std::runtime_error(fmt::format(
          "':{}' after {} is not a permutation of its dims: '{}' {}",
          fmt::join(spec.dims, ","), spec.path, name,
          found < 0 ? "is not one of them" : "occurs twice"));
    all.push_back(found);
  }
  if (all.size() != input.dims.size())
    throw std::runtime_error(fmt::format(
        "':{}' after {} is not a permutation of its dims, which are {}",
        fmt::join(spec.dims, ","), spec.path, rank));
  return all;
}

/// If the file has the lengths of the dims in another order, returns a hint
/// with the flag that selects this order; otherwise "".
static std::string orderHint(const std::string &path,
                             const std::vector<int64_t> &found,
                             std::vector<int64_t> expected,
                             const std::vector<std::string> &names) {
  if (!std::is_permutation(found.begin(), found.end(), expected.begin(),
                           expected.end()))
    return "";
  std::vector<std::string> order;
  for (const int64_t extent : found) {
    const auto at = std::find(expected.begin(), expected.end(), extent);
    order.push_back(names[size_t(at - expected.begin())]);
    *at = -1;
  }
  return fmt::format("; if its axes are in another order, append their dims, "
                     "for example {}:{}",
                     path, fmt::join(order, ","));
}

void FieldFile::findAxes(const Context &context) {
  const bool foreign = file->order() != AxisOrder::Rows;
  how.shape = file->shape();
  how.dims.assign(how.shape.size(), -1);
  how.shifts.assign(how.shape.size(), 0);
  std::vector<size_t> axes = file->axes();
  std::vector<int> dims = dimsInOrder(context);
  std::vector<std::string> names;
  std::vector<int64_t> want;
  // Axes and dims of one cell may be anywhere, or be left out.
  const auto one = [](int64_t cells) { return cells == 1; };
  if (foreign)
    std::erase_if(axes, [&](size_t axis) { return one(how.shape[axis]); });
  for (const int d : dims) {
    const Dim &dim = dimOf(context, input, d);
    names.push_back(dim.name);
    want.push_back(dim.stored());
    if (dim.kind == DimKind::Dual && !file->hasModes())
      throw std::runtime_error(
          fmt::format("{} has readouts along a trajectory, but '{}' is a dim "
                      "of modes of a grid: read it over dims in space, and the "
                      "positions of its samples from {}/traj",
                      file->name(), dim.name, file->name()));
    if (foreign && dim.kind == DimKind::Half)
      throw std::runtime_error(
          fmt::format("{} cannot be read over the half dim '{}': such files "
                      "have all modes; declare the input over dual({})",
                      file->name(), dim.name, dim.of));
  }
  for (const size_t axis : axes)
    counted.push_back(how.shape[axis]);
  std::vector<int64_t> several = want;
  if (foreign) {
    std::erase_if(several, one);
    std::erase_if(
        dims, [&](int d) { return one(dimOf(context, input, d).stored()); });
  }
  if (counted != several)
    throw std::runtime_error(fmt::format(
        "{} has shape {}, expected {} (dims {}){}", file->name(),
        shapeText(counted), shapeText(want), fmt::join(names, ", "),
        spec.dims.empty() ? orderHint(spec.path, counted, want, names) : ""));
  for (size_t i = 0; i < axes.size(); ++i) {
    how.dims[axes[i]] = dims[i];
    if (foreign && dimOf(context, input, dims[i]).kind == DimKind::Dual)
      how.shifts[axes[i]] = counted[i] / 2; // mode 0 is in the middle
  }
}

std::optional<FileGeometry> FieldFile::geometry() const {
  const ImageGeometry *found = file->geometry();
  if (!found)
    return std::nullopt;
  FileGeometry all;
  all.file = file->name();
  all.geometry = *found;
  // The fastest axis is the last one here, and the first one of an image.
  for (size_t axis = 0; axis < std::min<size_t>(3, how.dims.size()); ++axis) {
    const size_t at = how.dims.size() - 1 - axis;
    all.cells[axis] = how.shape[at];
    if (how.dims[at] >= 0)
      all.dims[axis] = input.dims[size_t(how.dims[at])];
  }
  return all;
}

/// The length of a dim, or of the space dim that it has the modes of; 0: not
/// told.
static double lengthOf(const Context &context, size_t index) {
  const std::vector<Dim> &dims = context.program.dims;
  if (dims[index].kind == DimKind::Space)
    return context.lengths[index];
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].kind == DimKind::Space && dims[d].name == dims[index].of)
      return context.lengths[d];
  return 0;
}

void FieldFile::checkSpacing(const Context &context) const {
  for (size_t axis = 0; axis < how.dims.size(); ++axis) {
    if (how.dims[axis] < 0)
      continue;
    const auto index = size_t(input.dims[size_t(how.dims[axis])]);
    const Dim &dim = context.program.dims[index];
    const double length = lengthOf(context, index);
    const double meters = metersOf(dim.lengthUnit.value_or(""));
    const double says = file->spacing(axis);
    if (!(says > 0) || !(meters > 0) || !(length > 0))
      continue;
    const double here = meters * length / double(dim.extent);
    if (std::abs(says / here - 1) > 0.01)
      throw std::runtime_error(fmt::format(
          "{} has cells of {:.6g} mm along '{}', expected {:.6g} mm: {:.6g} mm "
          "over {} cells",
          file->name(), 1e3 * says, dim.of.empty() ? dim.name : dim.of,
          1e3 * here, 1e3 * meters * length, dim.extent));
  }
}

/// Files of pmc's programs contain the lengths of their dims. Those that were
/// not declared are of no length, here or there.
void FieldFile::checkBox(const Context &context) const {
  std::istringstream all(file->lengths());
  std::vector<std::string> told;
  for (std::string one; std::getline(all >> std::ws, one, ',');)
    told.push_back(one);
  if (told.size() != how.dims.size())
    return;
  for (size_t axis = 0; axis < told.size(); ++axis) {
    if (how.dims[axis] < 0)
      continue;
    const auto index = size_t(input.dims[size_t(how.dims[axis])]);
    const Dim &dim = context.program.dims[index];
    const double here = context.lengths[index];
    std::istringstream words(told[axis]);
    double says = 0;
    std::string unit;
    words >> says;
    std::getline(words >> std::ws, unit);
    if (dim.kind != DimKind::Space || !dim.lengthUnit || !(here > 0) ||
        !(says > 0))
      continue;
    const auto converted = convertUnit(says, unit, *dim.lengthUnit);
    if (converted && std::abs(*converted / here - 1) > 0.01)
      throw std::runtime_error(fmt::format(
          "{} has the length {} along '{}', expected {}", file->name(),
          told[axis], dim.name, lengthText(here, dim)));
  }
}

void FieldFile::checkLengths(const Context &context) const {
  checkSpacing(context);
  checkBox(context);
}
