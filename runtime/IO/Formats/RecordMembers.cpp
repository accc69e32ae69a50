//===- RecordMembers.cpp - The numbers of a record ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/RecordMembers.h"

#include <charconv>
#include <cstring>
#include <fmt/format.h>
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

std::vector<double> pmrt::numbersOf(const NamedArray &array) {
  const Stream &stream = array.stream;
  const StreamPart &part = stream.parts.front();
  const auto size = size_t(elementSize(stream.element));
  std::vector<char> bytes(size_t(stream.columns) * size);
  if (part.data)
    std::memcpy(bytes.data(), part.data, bytes.size());
  else
    (part.fetch ? part.fetch : part.copy)(0, stream.columns, bytes.data());
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
