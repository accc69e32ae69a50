//===- RecordMembers.cpp - The numbers of a record ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Records/RecordMembers.h"

#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

using namespace pmrt;

ComponentPath::ComponentPath(const std::string &text) : path(text) {
  const size_t last = text.rfind('/');
  size_t index = 0;
  if (last == std::string::npos)
    return;
  const char *end = text.data() + text.size();
  if (std::from_chars(text.data() + last + 1, end, index).ptr == end) {
    component = index;
    path.resize(last);
  }
}

/// The name of the dim with one cell over which a program stores a number of a
/// record. No dim of a spec has this name.
static constexpr std::string_view dimOfNumbers = "1";

bool pmrt::isNumberOf(const Descriptor &program, const Output &output,
                      size_t i) {
  if (i >= output.parts.size())
    return false;
  const std::vector<int32_t> &dims = output.parts[i].dims;
  return dims.size() == 1 && program.dims[size_t(dims[0])].name == dimOfNumbers;
}

bool pmrt::isNumberOf(const NamedArray &array) {
  const auto dims =
      std::ranges::find(array.attributes, "dimensions", &Attribute::name);
  const auto *names = dims == array.attributes.end()
                          ? nullptr
                          : std::get_if<std::vector<std::string>>(&dims->value);
  return names && names->size() == 1 && names->front() == dimOfNumbers;
}

std::string pmrt::problemOfVectors(const Descriptor &program,
                                   const Output &output) {
  const std::vector<std::string> units =
      splitUnits(output.unit, output.columns.size());
  std::map<std::string, size_t> firstOf; // the first components of vectors
  for (size_t i = 0; i < output.parts.size(); ++i) {
    const ComponentPath path(output.columns[i].substr(1));
    const auto [found, isNew] = firstOf.emplace(path.path, i);
    const size_t first = found->second;
    if (isNew ||
        (isNumberOf(program, output, first) && isNumberOf(program, output, i)))
      continue;
    std::string member = path.path;
    std::ranges::replace(member, '/', '.');
    const Output::Part &one = output.parts[first], &other = output.parts[i];
    if (one.dims != other.dims)
      return fmt::format("the components of '{}' have different dims", member);
    if (one.element != other.element)
      return fmt::format("the components of '{}' are of {} and {}, expected "
                         "one type",
                         member, elementName(one.element),
                         elementName(other.element));
    if (units[first] != units[i])
      return fmt::format("the components of '{}' have the units '{}' and '{}', "
                         "expected one unit",
                         member, units[first], units[i]);
  }
  return "";
}

std::string pmrt::pathInRecord(const NamedArray &array) {
  return array.name.substr(array.name.find('/') + 1);
}

int64_t pmrt::elementsOf(const std::vector<int64_t> &shape) {
  int64_t elements = 1;
  for (const int64_t extent : shape)
    elements *= extent;
  return elements;
}

int64_t pmrt::rowsOf(const Stream &stream) {
  return elementsOf(stream.shape) / stream.columns;
}

int64_t pmrt::allRowsOf(const Stream &stream) {
  return stream.whole.empty() ? rowsOf(stream)
                              : elementsOf(stream.whole) / stream.columns;
}

/// The bytes of the numbers of a member.
static std::vector<char> bytesOf(const Stream &stream) {
  const StreamPart &part = stream.parts.front();
  std::vector<char> bytes(size_t(stream.columns) *
                          size_t(elementSize(stream.element)));
  if (part.data)
    std::memcpy(bytes.data(), part.data, bytes.size());
  else
    (part.fetch ? part.fetch : part.copy)(0, stream.columns, bytes.data());
  return bytes;
}

std::vector<int64_t> pmrt::intsOf(const NamedArray &array) {
  if (array.stream.element != PMRT_I64)
    return {};
  const std::vector<char> bytes = bytesOf(array.stream);
  std::vector<int64_t> values(size_t(array.stream.columns));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool pmrt::isExact(int64_t number) {
  const auto rounded = double(number);
  return rounded < 0x1p63 && int64_t(rounded) == number;
}

std::vector<double> pmrt::numbersOf(const NamedArray &array) {
  const Stream &stream = array.stream;
  const auto size = size_t(elementSize(stream.element));
  const std::vector<char> bytes = bytesOf(stream);
  std::vector<double> values;
  const auto add = [&](auto number) {
    for (size_t i = 0; i < size_t(stream.columns); ++i) {
      std::memcpy(&number, bytes.data() + i * size, sizeof number);
      values.push_back(double(number));
    }
  };
  switch (stream.element) {
  case PMRT_F32:
    add(float());
    break;
  case PMRT_F64:
    add(double());
    break;
  case PMRT_I8:
    add(int8_t());
    break;
  case PMRT_I64:
    add(int64_t());
    break;
  case PMRT_U64:
    add(uint64_t());
    break;
  default:
    throw std::runtime_error(
        fmt::format("the number '{}' is not real", array.name));
  }
  return values;
}
