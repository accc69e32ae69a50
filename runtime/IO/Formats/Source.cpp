//===- Source.cpp - Arrays in files ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Source.h"

#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Cfl.h"
#include "runtime/IO/Formats/Fits.h"
#include "runtime/IO/Formats/Hdf5.h"
#include "runtime/IO/Formats/Nifti.h"
#include "runtime/IO/Formats/Npy.h"
#include "runtime/IO/Formats/RawData.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

namespace {

/// "<f4" and the like; kind 0 for what we do not know.
RawElement decode(const std::string &d) {
  if (d.size() < 3 || !std::strchr("<>|=", d[0]) || !std::strchr("fciub", d[1]))
    return {};
  const std::string digits = d.substr(2);
  static constexpr std::pair<char, const char *> known[] = {
      {'f', "2"}, {'f', "4"}, {'f', "8"}, {'c', "8"}, {'c', "16"},
      {'b', "1"}, {'i', "1"}, {'i', "2"}, {'i', "4"}, {'i', "8"},
      {'u', "1"}, {'u', "2"}, {'u', "4"}, {'u', "8"}};
  for (auto [kind, size] : known)
    if (d[1] == kind && digits == size)
      return {kind, std::stoi(digits), d[0] == '>'};
  return {};
}

class NpySource : public Source {
public:
  explicit NpySource(const std::string &path)
      : path(path), header(headerOf(path)),
        numbers(std::make_unique<InputFile>(path), header.dataOffset,
                decode(header.descr), header.shape) {}

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return header.shape; }
  Kind kind() const override {
    switch (numbers.element().kind) {
    case 'f':
      return Kind::Real;
    case 'c':
      return Kind::Complex;
    case 'i':
    case 'u':
    case 'b':
      return Kind::Integer;
    default:
      return Kind::Other;
    }
  }
  std::string type() const override {
    return numbers.element().kind ? numbers.element().text()
                                  : fmt::format("'{}'", header.descr);
  }
  void read(pmrt_element to, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    numbers.read(to, start, count, out);
  }

private:
  static NpyHeader headerOf(const std::string &path) {
    NpyHeader header;
    try {
      header = parseNpyHeader(InputFile(path).start(1 << 16));
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
    if (header.fortran)
      throw std::runtime_error(
          fmt::format("{} is in Fortran order, expected C order "
                      "(numpy.save(f, numpy.ascontiguousarray(a)) writes that)",
                      path));
    return header;
  }

  std::string path;
  NpyHeader header;
  RawArray numbers;
};

class Hdf5Source : public Source {
public:
  Hdf5Source(const std::string &path, const std::string &dataset)
      : path(path), reader(openReader(path, dataset)) {}

  std::string name() const override { return path + ":" + reader->dataset(); }
  std::vector<int64_t> shape() const override { return reader->shape(); }
  Kind kind() const override {
    return reader->isReal()      ? Kind::Real
           : reader->isComplex() ? Kind::Complex
           : reader->isInteger() ? Kind::Integer
                                 : Kind::Other;
  }
  std::string type() const override { return reader->type(); }
  std::optional<std::string> unit() const override { return reader->unit(); }
  std::string lengths() const override {
    return reader->unit() ? reader->attribute("lengths").value_or("") : "";
  }
  int64_t workBytes() const override { return reader->workBytes(); }
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    try {
      reader->read(element, start, count, out);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", name(), e.what()));
    }
  }

private:
  static std::unique_ptr<Hdf5Reader> openReader(const std::string &path,
                                                const std::string &dataset) {
    const InputFile check(path); // its messages are better than HDF5's
    try {
      return std::make_unique<Hdf5Reader>(path, dataset);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
  }

  std::string path;
  std::unique_ptr<Hdf5Reader> reader;
};

std::string firstBytes(const std::string &path) {
  return InputFile(path).start(352);
}

bool isHdf5(const std::string &bytes) {
  return bytes.starts_with("\x89HDF\r\n\x1a\n");
}
bool isNpy(const std::string &bytes) { return bytes.starts_with("\x93NUMPY"); }

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

/// Whether a file holds several arrays with names.
bool hasParts(const std::string &path) {
  try {
    const std::string bytes = firstBytes(path);
    return isHdf5(bytes) || isFits(path, bytes);
  } catch (const std::runtime_error &) {
    return false; // told where it is opened
  }
}

} // namespace

bool Source::fits(pmrt_element element) const {
  return isComplex(element) ? kind() == Kind::Complex
         : isFloat(element) ? kind() == Kind::Real
                            : kind() == Kind::Integer;
}

std::vector<size_t> Source::axes() const {
  std::vector<size_t> all(shape().size());
  std::iota(all.begin(), all.end(), size_t(0));
  if (order() == AxisOrder::Columns)
    std::reverse(all.begin(), all.end());
  return all;
}

double Source::spacing(size_t) const { return 0; }

SourceName pmrt::sourceName(const std::string &spec) {
  SourceName name{spec, "", {}};
  if (exists(spec))
    return name;
  if (const size_t colon = spec.rfind(':');
      colon != std::string::npos && colon > 0)
    if (name.dims = namesIn(spec.substr(colon + 1)); !name.dims.empty())
      name.path.resize(colon);
  if (exists(name.path))
    return name;
  if (const size_t colon = name.path.rfind(":/");
      colon != std::string::npos && colon > 0) {
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

std::optional<RawDataName> pmrt::rawDataName(const SourceName &name) {
  if (std::string group = rawDataGroup(name.path, name.dataset); !group.empty())
    return RawDataName{std::move(group), false};
  constexpr std::string_view places = "/traj";
  if (!name.dataset.ends_with(places))
    return std::nullopt;
  std::string group = rawDataGroup(
      name.path, name.dataset.substr(0, name.dataset.size() - places.size()));
  if (group.empty())
    return std::nullopt;
  return RawDataName{std::move(group), true};
}

std::unique_ptr<Source> pmrt::openSource(const SourceName &name) {
  const std::string bytes = firstBytes(name.path);
  if (isFits(name.path, bytes))
    return openFits(name.path, name.dataset);
  if (!name.dataset.empty() || isHdf5(bytes)) {
    if (const auto raw = rawDataName(name))
      return openRawData(name.path, raw->group, raw->isTrajectory);
    return std::make_unique<Hdf5Source>(name.path, name.dataset);
  }
  if (isNpy(bytes))
    return std::make_unique<NpySource>(name.path);
  if (name.path.ends_with(".cfl"))
    return openCfl(name.path);
  if (isNifti(name.path, bytes))
    return openNifti(name.path);
  throw std::runtime_error(
      fmt::format("{} is neither a .npy nor an HDF5 file, nor one of imaging "
                  "(.nii, .cfl, .fits); give FILE.npy or FILE.h5:/DATASET",
                  name.path));
}

bool pmrt::isArrayFile(const std::string &spec) {
  const SourceName name = sourceName(spec);
  const std::string bytes = firstBytes(name.path);
  return !name.dataset.empty() || isHdf5(bytes) || isNpy(bytes);
}
