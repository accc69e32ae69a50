//===- Nifti.cpp - Files of NIfTI -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Nifti.h"

#include "runtime/Base/TemporaryFile.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/FormatPlugin.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

static constexpr FormatPlugin nifti = {
    "libpmrt_nifti.so", "pmrt_nifti_plugin_version", PMRT_NIFTI_PLUGIN_VERSION,
    "NIfTI files need the library libnifti2 (package "
    "libnifti2-dev when pmc was built)"};

void pmrt::needNifti() { nifti.need(); }

bool pmrt::isNifti(const std::string &path, const std::string &bytes) {
  if (path.ends_with(".nii") || path.ends_with(".nii.gz"))
    return true;
  const auto has = [&](size_t at, const char *magic) {
    return bytes.size() > at &&
           bytes.compare(at, std::strlen(magic), magic) == 0;
  };
  return has(344, "n+1") || has(344, "ni1") || has(4, "n+2") || has(4, "ni2");
}

/// The numbers of a compressed image in a file without a name, which goes when
/// it is closed.
static std::unique_ptr<InputFile> unpacked(const NiftiImage &image,
                                           const std::string &path) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path(error);
  std::string made;
  const int file = makeTemporary((folder / "unpacked").string(), "", made);
  if (file < 0)
    throw std::runtime_error(fmt::format(
        "{} is compressed, and there is no room to unpack it in {}: "
        "{} (TMPDIR names another folder)",
        path, folder.string(), std::strerror(errno)));
  unlink(made.c_str());
  const InputFile empty(file, path); // closes it, whatever happens
  try {
    nifti.find<decltype(pmrt_nifti_plugin_unpack)>(
        path, "pmrt_nifti_plugin_unpack")(image, file);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
  return std::make_unique<InputFile>(dup(file), path);
}

namespace {

class NiftiSource : public Source {
public:
  NiftiSource(const std::string &path, const NiftiImage &image)
      : path(path), image(image),
        numbers(image.compressed ? unpacked(image, path)
                                 : std::make_unique<InputFile>(image.numbers),
                image.compressed ? 0 : image.offset,
                {image.kind, image.size, image.swap},
                {image.shape.rbegin(), image.shape.rend()}) {}

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return numbers.shape(); }
  Kind kind() const override {
    return image.kind == 'c'   ? Kind::Complex
           : isScaled()        ? Kind::Real
           : image.kind == 'f' ? Kind::Real
           : image.kind        ? Kind::Integer
                               : Kind::Other;
  }
  std::string type() const override { return image.type; }
  /// Scanners store images as whole numbers.
  bool fits(pmrt_element element) const override {
    return Source::fits(element) ||
           (kind() == Kind::Integer && isFloat(element) && !isComplex(element));
  }
  AxisOrder order() const override { return AxisOrder::Columns; }
  double spacing(size_t axis) const override {
    return image.spacing[image.spacing.size() - 1 - axis];
  }
  const ImageGeometry *geometry() const override {
    return image.geometry.isKnown() ? &image.geometry : nullptr;
  }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    if (!isScaled())
      return numbers.read(element, start, count, out);
    // In f64, because large whole numbers and an intercept may cancel.
    int64_t values = isComplex(element) ? 2 : 1;
    for (int64_t extent : count)
      values *= extent;
    parts.resize(size_t(values));
    numbers.read(isComplex(element) ? PMRT_C128 : PMRT_F64, start, count,
                 parts.data());
    if (element == PMRT_F32 || element == PMRT_C64)
      scale(static_cast<float *>(out));
    else
      scale(static_cast<double *>(out));
  }

private:
  bool isScaled() const {
    return image.slope != 0 && (image.slope != 1 || image.intercept != 0);
  }
  /// Of complex numbers, both parts are scaled.
  template <typename T> void scale(T *to) const {
    for (const double value : parts)
      *to++ = T(image.slope * value + image.intercept);
  }

  std::string path;
  NiftiImage image;
  RawArray numbers;
  std::vector<double> parts;
};

} // namespace

std::unique_ptr<Source> pmrt::openNifti(const std::string &path) {
  NiftiImage image;
  const auto open = nifti.find<decltype(pmrt_nifti_plugin_open)>(
      path, "pmrt_nifti_plugin_open");
  try {
    open(path, image);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
  return std::make_unique<NiftiSource>(path, image);
}

bool pmrt::isNifti(FileFormat format) {
  return format == FileFormat::Nifti || format == FileFormat::NiftiPacked;
}

void pmrt::packNifti(const std::string &from, const std::string &to,
                     const std::function<void()> &between) {
  nifti.find<decltype(pmrt_nifti_plugin_pack)>(
      "an output", "pmrt_nifti_plugin_pack")(from, to, between);
}

std::string pmrt::niftiHeader(const NiftiImage &image) {
  std::string bytes;
  nifti.find<decltype(pmrt_nifti_plugin_header)>(
      "an output", "pmrt_nifti_plugin_header")(image, bytes);
  return bytes;
}
