//===- Fits.cpp - Files of FITS -------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Descriptor.h"
#include "runtime/FormatPlugins/FitsPlugin.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/FormatPlugin.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace pmrt;

static constexpr FormatPlugin fitsLibrary = {
    "libpmrt_fits.so", "pmrt_fits_plugin_version", PMRT_FITS_PLUGIN_VERSION,
    "FITS files require a pmc that was built with the library CFITSIO (package "
    "libcfitsio-dev)"};

/// Numbers, and each header, fill blocks of so many bytes.
static constexpr int64_t fitsBlock = 2880;

/// nside of a map with so many pixels, 12 nside^2; 0 if it is none.
static int64_t healpixSide(int64_t pixels) {
  const int64_t side = std::llround(std::sqrt(double(pixels) / 12));
  return side > 0 && 12 * side * side == pixels ? side : 0;
}

namespace {

class FitsSource : public Source {
public:
  FitsSource(std::string path, std::unique_ptr<FitsArray> array)
      : path(std::move(path)), array(std::move(array)) {}

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return array->shape; }
  Kind kind() const override {
    return array->kind == 'f' ? Kind::Real
           : array->kind      ? Kind::Integer
                              : Kind::Other;
  }
  std::string type() const override { return array->type; }
  std::string missing() const override {
    return " (the file has no value there: NaN, BLANK, BAD_DATA or UNSEEN)";
  }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    int64_t rows = 1;
    for (size_t a = 0; a + 1 < count.size(); ++a)
      rows *= count[a];
    const int64_t length = count.empty() ? 1 : count.back();
    auto *to = static_cast<char *>(out);
    for (int64_t row = 0; row < rows && length > 0; ++row) {
      std::vector<int64_t> at = start;
      int64_t rest = row;
      for (size_t a = count.size() - 1; a-- > 0; rest /= count[a])
        at[a] += rest % count[a];
      try {
        array->read(element, at, length, to);
      } catch (const std::runtime_error &e) {
        throw std::runtime_error(fmt::format("{} {}", path, e.what()));
      }
      to += length * elementSize(element);
    }
  }

private:
  std::string path;
  std::unique_ptr<FitsArray> array;
};

} // namespace

static std::unique_ptr<FitsArray> openArray(const std::string &path,
                                            const std::string &part) {
  const auto open = fitsLibrary.find<decltype(pmrt_fits_plugin_open)>(
      path, "pmrt_fits_plugin_open");
  std::unique_ptr<FitsArray> array;
  try {
    open(path, part.starts_with('/') ? part.substr(1) : part, array);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
  return array;
}

/// The bytes that a file has before its numbers. `isMap`: a table with the
/// pixels of a map of the sky.
static std::string fitsHeader(const Context &context, const NamedArray &array,
                              bool isMap) {
  const Stream &stream = array.stream;
  FitsHeader header;
  header.element = stream.element;
  for (const int32_t index : stream.dims) {
    const Dim &dim = context.program.dims[size_t(index)];
    const bool isLength = dim.kind == DimKind::Space && dim.lengthUnit;
    header.shape.push_back(dim.stored());
    header.dims.push_back(dim.name);
    header.spacing.push_back(
        isLength ? context.lengths[size_t(index)] / double(dim.extent) : 0);
    header.spacingUnits.push_back(isLength ? *dim.lengthUnit : "");
  }
  header.columns = stream.columnNames;
  if (stream.columns > 1 && stream.columnNames.empty())
    for (int64_t i = 1; i <= stream.columns; ++i)
      header.columns.push_back(fmt::format("{}_{}", array.name, i));
  header.name = array.name;
  header.unit = stream.unit == "1" ? "" : stream.unit;
  header.program = fmt::format("pmc {}", context.program.compilerVersion);
  if (isMap)
    header.nside = healpixSide(header.shape.front());
  std::string bytes;
  fitsLibrary.find<decltype(pmrt_fits_plugin_header)>(
      "an output", "pmrt_fits_plugin_header")(header, bytes);
  return bytes;
}

/// Elements with their bytes the other way around.
static void reverseBytes(const char *from, int64_t count, int64_t size,
                         char *to) {
  for (int64_t i = 0; i < count; ++i)
    std::reverse_copy(from + i * size, from + (i + 1) * size, to + i * size);
}

namespace {

/// Images.
class FitsFormat : public Format {
public:
  std::string_view name() const override { return "fits"; }
  std::string_view summary() const override { return "FITS image"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return file.path.ends_with(".fits") || file.path.ends_with(".fits.gz") ||
           file.bytes.starts_with("SIMPLE  =");
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &part) const override {
    return std::make_unique<FitsSource>(path, openArray(path, part));
  }
  bool hasParts() const override { return true; }
  std::vector<std::string>
  checkedFiles(const std::string &path) const override {
    return {path};
  }
  void verify(const std::string &path, const std::string &part) const override {
    std::unique_ptr<FitsArray> array;
    try {
      array = openArray(path, part);
    } catch (const std::runtime_error &) {
      return; // `open` reports it
    }
    try {
      array->verify();
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
  }

  void require() const override { fitsLibrary.need(); }
  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    if (std::string why = problemOfAxes(program, output); !why.empty())
      return why;
    if (isComplex(output.element))
      return "it is complex, and this format stores only real numbers";
    return "";
  }

  std::optional<FileAxes> axes(const Context &context,
                               std::span<const int32_t> dims,
                               int64_t components) const override {
    return axesInRows(context, dims, components);
  }
  /// The first byte of a number comes first.
  bool encodes() const override {
    return std::endian::native == std::endian::little;
  }
  void encode(const Stream &stream, int64_t, int64_t count, const char *from,
              char *to) const override {
    reverseBytes(from, count, elementSize(stream.element), to);
  }
  std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const Stream &stream = arrays.front().stream;
    if (stream.element == PMRT_U64)
      throw std::runtime_error(
          fmt::format("cannot write output '{}': FITS files cannot store "
                      "unsigned 64-bit integers",
                      arrays.front().name));
    const std::string header = fitsHeader(context, arrays.front(), isMap());
    file.write(header.data(), header.size(), 0);
    int64_t bytes = elementSize(stream.element);
    for (const int64_t extent : stream.shape)
      bytes *= extent;
    if (bytes % fitsBlock != 0) {
      const std::string rest(size_t(fitsBlock - bytes % fitsBlock), '\0');
      file.write(rest.data(), rest.size(), int64_t(header.size()) + bytes);
    }
    return {int64_t(header.size())};
  }
  /// Adds the checksums to the headers.
  void finish(Context &, OutputFile &file, const NamedArray &) const override {
    try {
      fitsLibrary.find<decltype(pmrt_fits_plugin_sum)>(
          "an output", "pmrt_fits_plugin_sum")(file.openPath());
    } catch (const std::runtime_error &e) {
      throw cannotWrite(file, fmt::format("it {}", e.what()));
    }
    file.commit();
  }

private:
  virtual bool isMap() const { return false; }
};

/// Maps of the sky, in a table.
class HealpixFormat : public FitsFormat {
public:
  std::string_view name() const override { return "healpix"; }
  std::string_view suffix() const override { return "fits"; }
  std::string_view summary() const override { return "FITS map of HEALPix"; }

  /// FitsFormat reads both.
  bool probe(const FileStart &) const override { return false; }
  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    if (std::string why = FitsFormat::problem(program, output); !why.empty())
      return why;
    if (output.dims.size() != 1 ||
        healpixSide(program.dims[size_t(output.dims[0])].extent) == 0)
      return "its shape is not one dim of 12 nside^2 pixels";
    return "";
  }

private:
  bool isMap() const override { return true; }
};

} // namespace

PMRT_FORMATS(Fits, FitsFormat, HealpixFormat);
