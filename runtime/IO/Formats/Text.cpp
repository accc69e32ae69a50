//===- Text.cpp - Columns of numbers in a text ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.txt has a line of names and units, which begins with '#', and a line a
// row. All numbers of a file have the same width, so that each rank knows where
// its rows are. They have enough digits to be read back without a loss.
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

/// Characters of a number, without the blank or the end of the line behind it.
static int64_t widthOf(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
  case PMRT_C64:
    return 15; // -1.23456789e-38
  case PMRT_F64:
  case PMRT_C128:
    return 24; // -1.2345678901234567e-308
  case PMRT_I8:
    return 1;
  case PMRT_I64:
  case PMRT_U64:
    return 20;
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
  return 0;
}

/// Numbers in an element.
static int64_t partsOf(pmrt_element element) {
  return isComplex(element) ? 2 : 1;
}

/// Writes numbers [first, first + count) of rows of `columns`.
template <typename T>
static void writeNumbers(const char *from, int64_t first, int64_t count,
                         int64_t columns, int64_t width, char *to) {
  const auto *values = reinterpret_cast<const T *>(from);
  for (int64_t i = 0; i < count; ++i, to += width + 1) {
    if constexpr (std::is_floating_point_v<T>)
      fmt::format_to_n(to, size_t(width), "{:>{}.{}e}", values[i], width,
                       std::numeric_limits<T>::max_digits10 - 1);
    else
      fmt::format_to_n(to, size_t(width), "{:>{}d}", values[i], width);
    to[width] = (first + i + 1) % columns == 0 ? '\n' : ' ';
  }
}

/// "# k[h/Mpc] P[Mpc3/h3] modes": names above their columns, without blanks in
/// them.
static std::string textHeader(const NamedArray &array) {
  const Stream &stream = array.stream;
  const std::vector<std::string> names = componentNames(array),
                                 units = componentUnits(array);
  const std::vector<std::string> parts =
      isComplex(stream.element) ? std::vector<std::string>{"_real", "_imag"}
                                : std::vector<std::string>{""};
  std::string text = "#";
  int64_t end = -1; // of a column
  for (size_t i = 0; i < names.size(); ++i)
    for (const std::string &part : parts) {
      std::string name = names[i] + part;
      if (!units[i].empty())
        name += fmt::format("[{}]", units[i]);
      std::erase(name, ' ');
      end += widthOf(stream.element) + 1;
      const int64_t blanks = end - int64_t(text.size()) - int64_t(name.size());
      text.append(size_t(std::max<int64_t>(1, blanks)), ' ');
      text += name;
    }
  return text + "\n";
}

namespace {

class TextFormat : public Format {
public:
  std::string_view name() const override { return "txt"; }
  std::string_view summary() const override { return "columns of text"; }

  std::string problem(const Descriptor &, const Output &output) const override {
    return output.kind == OutputKind::Scalars || output.flatten
               ? ""
               : problemOfRank(output.dims.size(), 1);
  }

  int64_t bytesOf(pmrt_element element) const override {
    return partsOf(element) * (widthOf(element) + 1);
  }
  bool encodes() const override { return true; }
  void encode(const Stream &stream, int64_t first, int64_t count,
              const char *from, char *to) const override {
    const int64_t parts = partsOf(stream.element);
    const auto write = [&](auto zero) {
      writeNumbers<decltype(zero)>(from, parts * first, parts * count,
                                   parts * stream.columns,
                                   widthOf(stream.element), to);
    };
    switch (stream.element) {
    case PMRT_F32:
    case PMRT_C64:
      return write(float());
    case PMRT_F64:
    case PMRT_C128:
      return write(double());
    case PMRT_I8:
      return write(int8_t());
    case PMRT_I64:
      return write(int64_t());
    case PMRT_U64:
      return write(uint64_t());
    case PMRT_BF16:
    case PMRT_F16:
      refuseReducedPrecision(stream.element);
    }
  }
  std::vector<int64_t>
  make(Context &, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const Stream &stream = arrays.front().stream;
    if (const std::string why = problemOfRank(rankOfTable(stream), 1);
        !why.empty())
      throw cannotWrite(file, why);
    const std::string header = textHeader(arrays.front());
    file.write(header.data(), header.size(), 0);
    return {int64_t(header.size())};
  }
};

} // namespace

PMRT_FORMATS(Text, TextFormat);
