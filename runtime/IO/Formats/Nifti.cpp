//===- Nifti.cpp - Files of NIfTI -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Interrupts.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/FormatPlugins/NiftiPlugin.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/FormatPlugin.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

static constexpr FormatPlugin niftiLibrary = {
    "libpmrt_nifti.so", "pmrt_nifti_plugin_version", PMRT_NIFTI_PLUGIN_VERSION,
    "NIfTI files require a pmc that was built with the library libnifti2 "
    "(package libnifti2-dev)"};

/// Whether a file is one, by its name and its first bytes.
static bool isNifti(const std::string &path, const std::string &bytes) {
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
    throw std::runtime_error(
        fmt::format("{} is compressed and cannot be unpacked in {}: {} (set "
                    "TMPDIR to use another folder)",
                    path, folder.string(), std::strerror(errno)));
  unlink(made.c_str());
  const InputFile empty(file, path); // closes it, whatever happens
  try {
    niftiLibrary.find<decltype(pmrt_nifti_plugin_unpack)>(
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

/// NAME.nii, NAME.nii.gz, or the NAME.hdr of a pair.
static std::unique_ptr<Source> openNifti(const std::string &path) {
  NiftiImage image;
  const auto open = niftiLibrary.find<decltype(pmrt_nifti_plugin_open)>(
      path, "pmrt_nifti_plugin_open");
  try {
    open(path, image);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("{} {}", path, e.what()));
  }
  return std::make_unique<NiftiSource>(path, image);
}

/// Compresses a file into another one. Calls `between` now and then.
static void packNifti(const std::string &from, const std::string &to,
                      const std::function<void()> &between) {
  niftiLibrary.find<decltype(pmrt_nifti_plugin_pack)>(
      "an output", "pmrt_nifti_plugin_pack")(from, to, between);
}

/// The bytes that a file has before its numbers.
static std::string niftiHeader(const NiftiImage &image) {
  std::string bytes;
  niftiLibrary.find<decltype(pmrt_nifti_plugin_header)>(
      "an output", "pmrt_nifti_plugin_header")(image, bytes);
  return bytes;
}

/// The geometry that was chosen for an output. That of --like is left out where
/// the dims turn out to have cells of another size.
static ImageGeometry geometryOf(Context &context, const std::string &output,
                                const FileAxes &axes) {
  const auto chosen = context.geometries.find(output);
  if (chosen == context.geometries.end())
    return {};
  const ImageGeometry &geometry = chosen->second.geometry;
  for (size_t axis = 0; chosen->second.isLike && axis < 3; ++axis) {
    const double here =
        axis < axes.spacing.size() ? 1e3 * axes.spacing[axis] : 0;
    const double there = geometry.spacing(axis);
    if (!(here > 0) || std::abs(there / here - 1) <= 0.01)
      continue;
    if (context.transport->rank() == 0)
      context.progress.warn(fmt::format(
          "warning: [PM9207] --like: {} has cells of {:.6g} mm along "
          "axis {}, and "
          "output '{}' has cells of {:.6g} mm: the output gets no geometry",
          context.settings.like, there, axis + 1, output, here));
    return {};
  }
  return geometry;
}

static std::string niftiHeader(Context &context, const NamedArray &array) {
  const Stream &stream = array.stream;
  const pmrt_element element = stream.element;
  NiftiImage image;
  image.shape = stream.axes.cells;
  image.spacing = stream.axes.spacing;
  image.kind = isComplex(element)    ? 'c'
               : isFloat(element)    ? 'f'
               : element == PMRT_I64 ? 'i'
                                     : 'u';
  image.size = int(elementSize(element));
  image.isVector = stream.columns > 1;
  image.geometry = geometryOf(context, array.name, stream.axes);
  image.description = fmt::format("{} of {}", array.name, context.program.name);
  if (!stream.unit.empty() && stream.unit != "1")
    image.description += " in " + stream.unit;
  return niftiHeader(image);
}

namespace {

class NiftiFormat : public Format {
public:
  std::string_view name() const override { return "nii"; }
  std::string_view summary() const override { return "NIfTI"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return isNifti(file.path, file.bytes);
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &) const override {
    return openNifti(path);
  }
  /// The numbers of a pair are in a file of their own.
  std::vector<std::string> besides(const std::string &path) const override {
    if (!path.ends_with(".hdr"))
      return {};
    return {std::filesystem::path(path).replace_extension(".img").string()};
  }

  void require() const override { niftiLibrary.need(); }
  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    if (std::string why = problemOfAxes(program, output); !why.empty())
      return why;
    // Components are along the fifth of seven axes.
    const size_t most = output.columns.empty() ? 7 : 4;
    return problemOfRank(output.dims.size(), most);
  }
  bool keepsGeometry() const override { return true; }

  std::optional<FileAxes> axes(const Context &context,
                               std::span<const int32_t> dims,
                               int64_t components) const override {
    return axesInColumns(context, dims, components, 4);
  }
  std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const std::string header = niftiHeader(context, arrays.front());
    file.write(header.data(), header.size(), 0);
    return {int64_t(header.size())};
  }
};

class PackedNiftiFormat : public NiftiFormat {
public:
  std::string_view name() const override { return "nii.gz"; }
  std::string_view summary() const override { return "compressed NIfTI"; }

  /// NiftiFormat reads both.
  bool probe(const FileStart &) const override { return false; }
  int64_t leastBytes(pmrt_element, int64_t) const override { return 0; }

  /// Makes a compressed copy under the file's name. The file itself, which has
  /// a temporary name, is removed.
  void finish(Context &context, OutputFile &whole,
              const NamedArray &) const override {
    OutputFile packed(whole.path(), context.token);
    const Waiting waiting(context.progress, "packing " + whole.path());
    try {
      packNifti(whole.openPath(), packed.openPath(), [&] {
        checkInterrupt();
        context.transport->poll();
      });
    } catch (const std::runtime_error &e) {
      throw cannotWrite(whole, e.what());
    }
    packed.commit();
  }
};

} // namespace

PMRT_FORMATS(Nifti, NiftiFormat, PackedNiftiFormat);
