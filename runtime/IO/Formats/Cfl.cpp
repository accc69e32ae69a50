//===- Cfl.cpp - Files of BART --------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.cfl holds complex numbers of two floats, little endian, the first index
// the fastest. NAME.hdr says in text how many there are along each of 16 dims.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

static constexpr size_t bartDims = 16;

/// The path of the text for that of the numbers, NAME.hdr for NAME.cfl.
static std::string headerPath(const std::string &path) {
  return path.substr(0, path.size() - 4) + ".hdr";
}

/// The text. `shape`: along BART's dims, the fastest first.
static std::string headerText(const std::vector<int64_t> &shape,
                              const std::string &creator) {
  std::vector<int64_t> all = shape;
  all.resize(std::max(bartDims, all.size()), 1);
  return fmt::format("# Dimensions\n{} \n# Creator\n{}\n", fmt::join(all, " "),
                     creator);
}

/// The line behind "# Dimensions", the first index first.
static std::vector<int64_t> headerShape(const std::string &path) {
  const InputFile file(path);
  std::istringstream lines(withoutByteOrderMark(file.start(1 << 16)));
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with("# Dimensions"))
      break;
  const auto damaged = [&](const std::string &why) {
    return std::runtime_error(
        fmt::format("{} is not a BART header: {}", path, why));
  };
  if (!lines || !std::getline(lines, line))
    throw damaged("it has no line after '# Dimensions'");
  std::istringstream words(line);
  std::vector<int64_t> shape;
  std::string word;
  while (words >> word) {
    const bool digits =
        word.size() <= 12 && std::all_of(word.begin(), word.end(), [](char c) {
          return c >= '0' && c <= '9';
        });
    if (!digits || std::stoll(word) < 1)
      throw damaged(fmt::format("'{}' is not a number of elements", word));
    shape.push_back(std::stoll(word));
  }
  if (shape.empty() || shape.size() > 32)
    throw damaged(
        fmt::format("it has {} dims, expected 1 to 32", shape.size()));
  return shape;
}

namespace {

class CflSource : public Source {
public:
  CflSource(const std::string &path, std::vector<int64_t> shape)
      : path(path), numbers(std::make_unique<InputFile>(path), 0, {'c', 8},
                            {shape.rbegin(), shape.rend()}) {
    int64_t bytes = 8;
    for (int64_t extent : shape)
      bytes *= extent;
    if (const int64_t has = InputFile(path).size(); has != bytes)
      throw std::runtime_error(
          fmt::format("{} has {} bytes, but the shape {} in {} needs {}", path,
                      has, shapeText(shape), headerPath(path), bytes));
  }

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return numbers.shape(); }
  Kind kind() const override { return Kind::Complex; }
  std::string type() const override { return "complex64"; }
  bool fits(pmrt_element element) const override { return isFloat(element); }
  AxisOrder order() const override { return AxisOrder::Columns; }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    numbers.read(element, start, count, out);
    if (isComplex(element))
      return;
    // BART has no real numbers: trajectories, too, are complex.
    int64_t cells = 1;
    for (int64_t extent : count)
      cells *= extent;
    parts.resize(size_t(2 * cells));
    numbers.read(PMRT_C64, start, count, parts.data());
    for (int64_t i = 0; i < cells; ++i)
      if (const float imaginary = parts[size_t(2 * i + 1)]; imaginary != 0)
        throw std::runtime_error(
            fmt::format("{} is not real: a value is {}{:+}i", path,
                        parts[size_t(2 * i)], imaginary));
  }

private:
  std::string path;
  RawArray numbers;
  std::vector<float> parts;
};

} // namespace

/// Numbers of any kind as pairs of floats. False if one is too large.
static bool toPairs(pmrt_element element, const char *from, int64_t count,
                    float *to) {
  bool good = true;
  const auto convert = [&](auto zero) {
    using T = decltype(zero);
    const auto *values = reinterpret_cast<const T *>(from);
    const bool complex = isComplex(element);
    for (int64_t i = 0; i < count; ++i) {
      to[2 * i] = float(values[complex ? 2 * i : i]);
      to[2 * i + 1] = complex ? float(values[2 * i + 1]) : 0.0F;
      good = good && std::isfinite(to[2 * i]) && std::isfinite(to[2 * i + 1]);
    }
  };
  switch (element) {
  case PMRT_F32:
  case PMRT_C64:
    convert(float());
    break;
  case PMRT_F64:
  case PMRT_C128:
    convert(double());
    break;
  case PMRT_I8:
    convert(int8_t());
    break;
  case PMRT_I64:
    convert(int64_t());
    break;
  case PMRT_U64:
    convert(uint64_t());
    break;
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
  return good;
}

namespace {

class CflFormat : public Format {
public:
  std::string_view name() const override { return "cfl"; }
  std::string_view summary() const override { return "BART"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return file.path.ends_with(".cfl");
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &) const override {
    const InputFile check(path); // before its header
    return std::make_unique<CflSource>(path, headerShape(headerPath(path)));
  }
  /// BART's programs name files without a suffix.
  std::string complete(const std::string &path) const override {
    return path + ".cfl";
  }
  std::vector<std::string> besides(const std::string &path) const override {
    return {headerPath(path)};
  }

  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    return problemOfAxes(program, output);
  }
  std::optional<FileAxes> axes(const Context &context,
                               std::span<const int32_t> dims,
                               int64_t components) const override {
    return axesInColumns(context, dims, components);
  }
  pmrt_element stored(pmrt_element) const override { return PMRT_C64; }
  bool convert(pmrt_element element, const char *from, int64_t count,
               char *to) const override {
    return toPairs(element, from, count, reinterpret_cast<float *>(to));
  }

  std::vector<int64_t> make(Context &, OutputFile &,
                            const std::vector<NamedArray> &) const override {
    return {0};
  }
  void finish(Context &context, OutputFile &file,
              const NamedArray &array) const override {
    writeWholeFile(
        headerPath(file.path()),
        headerText(array.stream.axes.cells,
                   fmt::format("pmc {}", context.program.compilerVersion)),
        context.token);
    file.publish();
  }
};

} // namespace

PMRT_FORMATS(Cfl, CflFormat);
