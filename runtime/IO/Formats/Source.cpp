//===- Source.cpp - Arrays in files ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Source.h"

#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

namespace {

/// "x,y,z"; empty if it is something else.
std::vector<std::string> namesIn(const std::string &text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',')
      names.emplace_back();
    else if (c == '_' || std::isalnum(static_cast<unsigned char>(c)))
      names.back() += c;
    else
      return {};
  }
  for (const std::string &name : names)
    if (name.empty() || (name[0] >= '0' && name[0] <= '9'))
      return {};
  return names;
}

bool exists(const std::string &path) { return access(path.c_str(), F_OK) == 0; }

} // namespace

bool pmrt::hasParts(const std::string &path) {
  try {
    const Format *format = formatOfFile({path, "", {}});
    return format && format->hasParts();
  } catch (const std::runtime_error &) {
    return false; // whoever opens the file reports why
  }
}

bool Source::fits(pmrt_element element) const {
  const bool isReal = kind() == Kind::Real || kind() == Kind::Integer;
  return isComplex(element) ? isReal || kind() == Kind::Complex
         : isFloat(element) ? isReal
                            : kind() == Kind::Integer;
}

/// Makes complex numbers of `count` real ones, which are the second half of the
/// memory.
template <typename T> static void addImaginaryParts(T *numbers, int64_t count) {
  const T *reals = numbers + count;
  for (int64_t i = 0; i < count; ++i) {
    numbers[2 * i] = reals[i];
    numbers[2 * i + 1] = 0;
  }
}

void Source::load(pmrt_element element, const std::vector<int64_t> &start,
                  const std::vector<int64_t> &count, void *out) {
  if (!isComplex(element) || kind() == Kind::Complex)
    return read(element, start, count, out);
  int64_t cells = 1;
  for (const int64_t extent : count)
    cells *= extent;
  if (element == PMRT_C64) {
    auto *numbers = static_cast<float *>(out);
    read(PMRT_F32, start, count, numbers + cells);
    addImaginaryParts(numbers, cells);
  } else {
    auto *numbers = static_cast<double *>(out);
    read(PMRT_F64, start, count, numbers + cells);
    addImaginaryParts(numbers, cells);
  }
}

std::vector<size_t> Source::axes() const {
  std::vector<size_t> all(shape().size());
  std::iota(all.begin(), all.end(), size_t(0));
  if (order() == AxisOrder::Columns)
    std::reverse(all.begin(), all.end());
  return all;
}

double Source::spacing(size_t) const { return 0; }

/// Returns the file of this name, or the file that a format uses for it, for
/// example the header of a bigfile folder. Returns "" if there is none.
static std::string found(const std::string &path) {
  std::error_code error;
  if (exists(path) && !std::filesystem::is_directory(path, error))
    return path;
  for (const Format *format : allFormats())
    if (std::string whole = format->complete(path);
        !whole.empty() && exists(whole))
      return whole;
  return exists(path) ? path : "";
}

/// Where the ":/" begins that separates a file from its dataset, or npos. The
/// name of a folder may end with a colon, too.
static size_t separatorIn(const std::string &path) {
  size_t colon = path.rfind(":/");
  while (colon != std::string::npos && colon > 0 &&
         exists(path.substr(0, colon + 1)))
    colon = path.rfind(":/", colon - 1);
  return colon == 0 ? std::string::npos : colon;
}

SourceName pmrt::sourceName(const std::string &spec) {
  SourceName name{spec, "", {}};
  if (const std::string path = found(spec); !path.empty())
    return {path, "", {}};
  if (const size_t colon = spec.rfind(':');
      colon != std::string::npos && colon > 0)
    if (name.dims = namesIn(spec.substr(colon + 1)); !name.dims.empty())
      name.path.resize(colon);
  if (const std::string path = found(name.path); !path.empty()) {
    name.path = path;
    return name;
  }
  if (const size_t colon = separatorIn(name.path); colon != std::string::npos) {
    name.dataset = name.path.substr(colon + 1);
    name.path.resize(colon);
    return name;
  }
  // "FILE.h5:group/dataset", without the first slash.
  if (const size_t colon = name.path.rfind(':');
      colon != std::string::npos && colon > 0 &&
      hasParts(name.path.substr(0, colon))) {
    name.dataset = "/" + name.path.substr(colon + 1);
    name.path.resize(colon);
  }
  return name;
}

SourceName
pmrt::sourceName(const std::string &spec,
                 const std::function<bool(const std::string &)> &isDim) {
  SourceName name = sourceName(spec);
  // "FILE.h5:dataset", too; ":x" is the order of the axes if x is a dim.
  if (name.dims.size() == 1 && name.dataset.empty() && !isDim(name.dims[0]) &&
      hasParts(name.path)) {
    name.dataset = "/" + name.dims[0];
    name.dims.clear();
  }
  return name;
}

/// The remedy for a file whose format programs cannot read, by its suffix.
/// Empty for other suffixes.
static std::string conversionOf(const std::string &path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  if (suffix == ".npz")
    return "; an .npz file is an archive: write one array with "
           "np.save('f.npy', np.load('f.npz')['NAME'])";
  if (suffix == ".csv" || suffix == ".txt" || suffix == ".dat")
    return "; text files are read as tables of two columns only: write a field "
           "with "
           "np.save('f.npy', np.loadtxt('f" +
           suffix + (suffix == ".csv" ? "', delimiter=','))" : "'))");
  if (suffix == ".mat")
    return "; write one array with np.save('f.npy', "
           "scipy.io.loadmat('f.mat')['NAME'])";
  if (suffix == ".pkl" || suffix == ".pt" || suffix == ".parquet")
    return "; write the array with np.save('f.npy', array)";
  return "";
}

std::unique_ptr<Source> pmrt::openSource(const SourceName &name) {
  if (const Format *format = formatOfFile(name))
    return format->open(name.path, name.dataset);
  const std::string conversion = conversionOf(name.path);
  throw std::runtime_error(fmt::format(
      "{} has an unknown format, expected {}{}", name.path, readableFormats(),
      conversion.empty() ? "; give, for example, FILE.npy or FILE.h5:/DATASET"
                         : conversion));
}

bool pmrt::isArrayFile(const std::string &spec) {
  return formatOfFile(sourceName(spec)) != nullptr;
}
