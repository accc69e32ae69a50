//===- SampleFiles.cpp - Samples in files ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/SampleFiles.h"

#include "runtime/Base/Text/Format.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>

using namespace pmrt;
namespace fs = std::filesystem;

/// Numbers in names count by their value: box_2 comes before box_10.
static bool comesBefore(const std::string &a, const std::string &b) {
  const auto isDigit = [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!isDigit(a[i]) || !isDigit(b[j])) {
      if (a[i] != b[j])
        return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    const auto take = [&](const std::string &text, size_t &at) {
      while (at < text.size() && text[at] == '0')
        ++at;
      const size_t begin = at;
      while (at < text.size() && isDigit(text[at]))
        ++at;
      return text.substr(begin, at - begin);
    };
    const std::string m = take(a, i), n = take(b, j);
    if (m.size() != n.size())
      return m.size() < n.size();
    if (m != n)
      return m < n;
  }
  if (a.size() - i != b.size() - j)
    return a.size() - i < b.size() - j;
  return a < b; // 7 and 007
}

/// Of a whole sample.
static std::vector<int64_t> shapeOf(const Context &context,
                                    const Input &input) {
  std::vector<int64_t> shape;
  for (const int32_t dim : input.dims)
    shape.push_back(context.program.dims[size_t(dim)].stored());
  return shape;
}

/// Samples are read row by row.
static void refuseOtherOrder(const Source &source) {
  const std::vector<size_t> axes = source.axes();
  if (source.order() == AxisOrder::Rows &&
      !std::is_sorted(axes.begin(), axes.end()))
    throw std::runtime_error(
        fmt::format("{} is in Fortran order, but samples must be in C order; "
                    "write it with numpy.save(f, numpy.ascontiguousarray(a))",
                    source.name()));
}

SampleFiles::SampleFiles(const Context &context, const Input &input,
                         const std::string &spec)
    : context(context), input(input), name(spec),
      extents(shapeOf(context, input)) {
  std::error_code error;
  if (const SourceName place = inputSource(context, input, spec);
      fs::is_directory(place.path, error))
    findFiles(place);
  else
    openOne(context, spec);
  if (input.samples > 0 && samples != input.samples)
    throw std::runtime_error(fmt::format("{} has {} sample{}, expected {}",
                                         name, samples, samples == 1 ? "" : "s",
                                         input.samples));
}

void SampleFiles::findFiles(const SourceName &place) {
  const std::string &folder = place.path;
  name = folder;
  if (!place.dims.empty())
    throw std::runtime_error(fmt::format(
        "':{}' after {}: the order of a stream's dims cannot be changed",
        fmt::join(place.dims, ","), folder));
  std::vector<std::string> others;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (file.starts_with('.'))
      continue;
    if (file.ends_with(".npy"))
      files.push_back(file);
    else if (file.ends_with(".h5") || file.ends_with(".hdf5"))
      others.push_back(file);
  }
  if (error)
    throw std::runtime_error(fmt::format("{}: {}", folder, error.message()));
  if (!files.empty() && !others.empty())
    throw std::runtime_error(
        fmt::format("{} has both .npy and HDF5 files, such as {} and {}, but a "
                    "stream has files of one format",
                    folder, files[0], others[0]));
  if (!files.empty() && !place.dataset.empty())
    throw std::runtime_error(
        fmt::format("{} has .npy files, which have one array each; omit ':{}'",
                    folder, place.dataset));
  if (files.empty())
    files = std::move(others);
  if (files.empty())
    throw std::runtime_error(
        fmt::format("{} has no samples: a stream is a folder of .npy or HDF5 "
                    "files, one per sample, or one such file",
                    folder));
  std::sort(files.begin(), files.end(), comesBefore);
  samples = int64_t(files.size());
  dataset = place.dataset;
  const FieldFile first(context, input, pathOf(0));
  type = first.source().type();
  work = first.source().workBytes();
  converted = first.conversion();
  // As the first one has it: another one must not be another dataset.
  dataset = sourceName(first.source().name()).dataset;
}

std::string SampleFiles::pathOf(int64_t sample) const {
  std::string path = (fs::path(name) / files[size_t(sample)]).string();
  return dataset.empty() ? path : path + ":" + dataset;
}

void SampleFiles::openOne(const Context &context, const std::string &spec) {
  const SourceName place = inputSource(context, input, spec);
  if (!place.dims.empty())
    throw std::runtime_error(fmt::format(
        "':{}' after {}: the order of a stream's dims cannot be changed",
        fmt::join(place.dims, ","), place.path));
  whole = openSource(place);
  work = whole->workBytes();
  name = whole->name();
  refuseOtherOrder(*whole);
  if (whole->order() != AxisOrder::Rows)
    throw std::runtime_error(fmt::format(
        "{} is not a stream, expected a .npy or HDF5 file, or a folder of them",
        name));
  whole = checkNumbers(std::move(whole), input, &converted);
  type = whole->type();
  const std::vector<int64_t> shape = whole->shape();
  if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(),
                                   extents.begin(), extents.end())) {
    std::vector<std::string> names;
    for (const int32_t dim : input.dims)
      names.push_back(context.program.dims[size_t(dim)].name);
    throw std::runtime_error(fmt::format(
        "{} has shape {}, expected the number of samples, then {} (dims {})",
        name, shapeText(shape), shapeText(extents), fmt::join(names, ", ")));
  }
  samples = shape[0];
  if (samples == 0)
    throw std::runtime_error(fmt::format("{} has no samples", name));
}

std::string SampleFiles::text() const {
  return fmt::format("{}, {} samples of {} {}", name, samples,
                     shapeText(extents), type);
}

std::string SampleFiles::nameOf(int64_t sample) const {
  if (whole)
    return fmt::format("sample {} of {}", sample, name);
  return fmt::format("sample {}, {}", sample, pathOf(sample));
}

void SampleFiles::read(int64_t sample, pmrt_element element,
                       const std::vector<int64_t> &start,
                       const std::vector<int64_t> &shape, void *out) {
  try {
    if (!whole) {
      const FieldFile field(context, input, pathOf(sample));
      refuseOtherOrder(field.source());
      if (field.source().order() != AxisOrder::Rows)
        throw std::runtime_error(
            fmt::format("{} has ISMRMRD raw data, which cannot be a sample",
                        field.source().name()));
      return field.source().load(element, start, shape, out);
    }
    std::vector<int64_t> from = {sample}, count = {1};
    from.insert(from.end(), start.begin(), start.end());
    count.insert(count.end(), shape.begin(), shape.end());
    whole->load(element, from, count, out);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("sample {}: {}", sample, e.what()));
  }
}

std::string SampleFiles::fingerprint() const {
  std::string all;
  const auto add = [&](const std::string &path, const std::string &what) {
    struct stat info = {};
    stat(path.c_str(), &info);
    all += fmt::format("{} {} {}.{:09} ", what, int64_t(info.st_size),
                       int64_t(info.st_mtim.tv_sec),
                       int64_t(info.st_mtim.tv_nsec));
  };
  if (whole)
    add(sourceName(name).path, fmt::format("{}", samples));
  for (const std::string &file : files)
    add((fs::path(name) / file).string(), file);
  return all;
}
