//===- Cfl.cpp - Files of BART --------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Cfl.h"

#include "runtime/Base/Format.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/RawArray.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

static constexpr size_t bartDims = 16;

std::string pmrt::cflHeaderPath(const std::string &path) {
  return path.substr(0, path.size() - 4) + ".hdr";
}

std::string pmrt::cflHeader(const std::vector<int64_t> &shape,
                            const std::string &creator) {
  std::vector<int64_t> all = shape;
  all.resize(std::max(bartDims, all.size()), 1);
  return fmt::format("# Dimensions\n{} \n# Creator\n{}\n", fmt::join(all, " "),
                     creator);
}

/// The line behind "# Dimensions", the first index first.
static std::vector<int64_t> headerShape(const std::string &path) {
  const InputFile file(path);
  std::istringstream lines(file.start(1 << 16));
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with("# Dimensions"))
      break;
  const auto damaged = [&](const std::string &why) {
    return std::runtime_error(
        fmt::format("{} is no header of BART: {}", path, why));
  };
  if (!lines || !std::getline(lines, line))
    throw damaged("it has no line behind '# Dimensions'");
  std::istringstream words(line);
  std::vector<int64_t> shape;
  std::string word;
  while (words >> word) {
    const bool digits =
        word.size() <= 12 && std::all_of(word.begin(), word.end(), [](char c) {
          return c >= '0' && c <= '9';
        });
    if (!digits || std::stoll(word) < 1)
      throw damaged(fmt::format("'{}' is no number of cells", word));
    shape.push_back(std::stoll(word));
  }
  if (shape.empty() || shape.size() > 32)
    throw damaged(fmt::format("it has {} dims", shape.size()));
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
          fmt::format("{} holds {} bytes, and the shape {} that {} tells "
                      "needs {}",
                      path, has, shapeText(shape), cflHeaderPath(path), bytes));
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
            fmt::format("{} is not real: a number is {}{:+}i", path,
                        parts[size_t(2 * i)], imaginary));
  }

private:
  std::string path;
  RawArray numbers;
  std::vector<float> parts;
};

} // namespace

std::unique_ptr<Source> pmrt::openCfl(const std::string &path) {
  const InputFile check(path); // before its header
  return std::make_unique<CflSource>(path, headerShape(cflHeaderPath(path)));
}
