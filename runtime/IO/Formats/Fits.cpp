//===- Fits.cpp - Files of FITS -------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Fits.h"

#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Formats/FormatPlugin.h"

#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace pmrt;

static constexpr FormatPlugin fits = {
    "libpmrt_fits.so", "pmrt_fits_plugin_version", PMRT_FITS_PLUGIN_VERSION,
    "FITS files need the library CFITSIO (package "
    "libcfitsio-dev when pmc was built)"};

void pmrt::needFits() { fits.need(); }

bool pmrt::isFits(const std::string &path, const std::string &bytes) {
  return path.ends_with(".fits") || path.ends_with(".fits.gz") ||
         bytes.starts_with("SIMPLE  =");
}

bool pmrt::isFits(FileFormat format) {
  return format == FileFormat::Fits || format == FileFormat::Healpix;
}

int64_t pmrt::healpixSide(int64_t pixels) {
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
  /// Cameras store images as whole numbers.
  bool fits(pmrt_element element) const override {
    return Source::fits(element) ||
           (kind() == Kind::Integer && isFloat(element) && !isComplex(element));
  }
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
  const auto open =
      fits.find<decltype(pmrt_fits_plugin_open)>(path, "pmrt_fits_plugin_open");
  std::unique_ptr<FitsArray> array;
  try {
    open(path, part.starts_with('/') ? part.substr(1) : part, array);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
  return array;
}

std::unique_ptr<Source> pmrt::openFits(const std::string &path,
                                       const std::string &part) {
  return std::make_unique<FitsSource>(path, openArray(path, part));
}

void pmrt::verifyFits(const std::string &path, const std::string &part) {
  std::unique_ptr<FitsArray> array;
  try {
    array = openArray(path, part);
  } catch (const std::runtime_error &) {
    return; // told where it is opened for its numbers
  }
  try {
    array->verify();
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
}

void pmrt::sumFits(const std::string &path) {
  fits.find<decltype(pmrt_fits_plugin_sum)>("an output",
                                            "pmrt_fits_plugin_sum")(path);
}

std::string pmrt::fitsHeader(const FitsHeader &header) {
  std::string bytes;
  fits.find<decltype(pmrt_fits_plugin_header)>(
      "an output", "pmrt_fits_plugin_header")(header, bytes);
  return bytes;
}
