//===- Nifti.cpp - The plugin for NIfTI -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FormatPlugins/NiftiPlugin.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <nifti2_io.h>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

namespace {

struct FreeImage {
  void operator()(nifti_image *image) const { nifti_image_free(image); }
};
using Image = std::unique_ptr<nifti_image, FreeImage>;

struct Element {
  int type; ///< of the library
  char kind;
  int size;
};
constexpr Element elements[] = {
    {DT_FLOAT32, 'f', 4},     {DT_FLOAT64, 'f', 8}, {DT_COMPLEX64, 'c', 8},
    {DT_COMPLEX128, 'c', 16}, {DT_UINT8, 'u', 1},   {DT_INT8, 'i', 1},
    {DT_INT16, 'i', 2},       {DT_UINT16, 'u', 2},  {DT_INT32, 'i', 4},
    {DT_UINT32, 'u', 4},      {DT_INT64, 'i', 8},   {DT_UINT64, 'u', 8}};

ImageFrame frameOf(int code, const nifti_dmat44 &matrix, double unit) {
  ImageFrame frame;
  frame.code = std::max(code, 0);
  for (size_t column = 0; column < 4; ++column)
    for (size_t row = 0; row < 3; ++row)
      frame.columns[column][row] = unit * matrix.m[row][column];
  return frame;
}

nifti_dmat44 matrixOf(const ImageFrame &frame) {
  nifti_dmat44 matrix = {};
  for (size_t column = 0; column < 4; ++column)
    for (size_t row = 0; row < 3; ++row)
      matrix.m[row][column] = frame.columns[column][row];
  matrix.m[3][3] = 1;
  return matrix;
}

void setGeometry(nifti_image &image, const ImageGeometry &geometry) {
  if (!geometry.isKnown())
    return;
  for (size_t axis = 0; axis < 3; ++axis)
    image.pixdim[axis + 1] = geometry.spacing(axis);
  image.qform_code = geometry.qform.code;
  image.sform_code = geometry.sform.code;
  image.sto_xyz = matrixOf(geometry.sform);
  if (geometry.qform.code > 0)
    nifti_dmat44_to_quatern(
        matrixOf(geometry.qform), &image.quatern_b, &image.quatern_c,
        &image.quatern_d, &image.qoffset_x, &image.qoffset_y, &image.qoffset_z,
        nullptr, nullptr, nullptr, &image.qfac);
}

double meters(int units) {
  return units == NIFTI_UNITS_METER    ? 1.0
         : units == NIFTI_UNITS_MM     ? 1e-3
         : units == NIFTI_UNITS_MICRON ? 1e-6
                                       : 0.0;
}

} // namespace

int pmrt_nifti_plugin_version() { return PMRT_NIFTI_PLUGIN_VERSION; }

void pmrt_nifti_plugin_open(const std::string &path, NiftiImage &image) {
  nifti_set_debug_level(0); // what is wrong is said by who opens it
  const Image read(nifti_image_read(path.c_str(), /*read_data=*/0));
  if (!read)
    throw std::runtime_error(
        "is not a complete NIfTI file: its header cannot be read");
  const double unit = meters(read->xyz_units);
  for (int64_t d = 1; d <= std::min<int64_t>(read->ndim, 7); ++d) {
    image.shape.push_back(read->dim[d]);
    image.spacing.push_back(d <= 3 ? unit * double(read->pixdim[d]) : 0);
  }
  for (const Element &element : elements)
    if (element.type == read->datatype) {
      image.kind = element.kind;
      image.size = element.size;
    }
  image.type = nifti_datatype_string(read->datatype);
  std::transform(image.type.begin(), image.type.end(), image.type.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  // In mm; a file without units is taken to have them, as other readers do.
  const double length = unit > 0 ? 1e3 * unit : 1;
  image.geometry = {frameOf(read->qform_code, read->qto_xyz, length),
                    frameOf(read->sform_code, read->sto_xyz, length)};
  image.swap = read->byteorder != nifti_short_order();
  image.numbers = read->iname ? read->iname : path;
  image.offset = int64_t(read->iname_offset);
  image.slope = double(read->scl_slope);
  image.intercept = double(read->scl_inter);
  image.compressed = nifti_is_gzfile(image.numbers.c_str()) != 0;
}

void pmrt_nifti_plugin_unpack(const NiftiImage &image, int to) {
  znzFile file = znzopen(image.numbers.c_str(), "rb", /*use_compression=*/1);
  if (znz_isnull(file))
    throw std::runtime_error("cannot be opened to be unpacked");
  const auto done = [&](const std::string &problem) {
    znzclose(file);
    if (!problem.empty())
      throw std::runtime_error(problem);
  };
  if (znzseek(file, long(image.offset), SEEK_SET) < 0)
    done("is truncated: it ends before its data");
  int64_t left = image.size;
  for (const int64_t extent : image.shape)
    left *= extent;
  const int64_t all = left;
  std::vector<char> buffer(size_t(4) << 20);
  while (left > 0) {
    const size_t want = size_t(std::min<int64_t>(left, int64_t(buffer.size())));
    const size_t got = znzread(buffer.data(), 1, want, file);
    if (got == 0 || got > want)
      done(fmt::format("is truncated or damaged: only {} of {} bytes of data "
                       "can be unpacked",
                       all - left, all));
    for (size_t at = 0; at < got;) {
      const ssize_t put = write(to, buffer.data() + at, got - at);
      if (put < 0 && errno == EINTR)
        continue;
      if (put <= 0)
        done(fmt::format(
            "cannot be unpacked: {} (set TMPDIR to use another folder)",
            std::strerror(errno)));
      at += size_t(put);
    }
    left -= int64_t(got);
  }
  done("");
}

void pmrt_nifti_plugin_pack(const std::string &from, const std::string &to,
                            const std::function<void()> &between) {
  struct Files {
    znzFile in, out;
    ~Files() {
      znzclose(in);
      if (!znz_isnull(out))
        znzclose(out);
    }
  } files{znzopen(from.c_str(), "rb", /*use_compression=*/0),
          znzopen(to.c_str(), "wb", /*use_compression=*/1)};
  if (znz_isnull(files.in) || znz_isnull(files.out))
    throw std::runtime_error(
        fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::vector<char> buffer(size_t(1) << 20);
  uintmax_t packed = 0;
  while (const size_t got =
             znzread(buffer.data(), 1, buffer.size(), files.in)) {
    packed += got;
    if (znzwrite(buffer.data(), 1, got, files.out) != got)
      throw std::runtime_error(std::strerror(errno));
    between();
  }
  // An error of reading is told as the end is.
  if (packed != std::filesystem::file_size(from))
    throw std::runtime_error(
        fmt::format("{} could not be read to its end", from));
  // Closing writes the rest, and may find a full disk, too.
  if (znzclose(files.out) != 0)
    throw std::runtime_error(std::strerror(errno));
}

void pmrt_nifti_plugin_header(const NiftiImage &image, std::string &bytes) {
  int64_t dims[8] = {int64_t(image.shape.size()), 1, 1, 1, 1, 1, 1, 1};
  std::copy(image.shape.begin(), image.shape.end(), dims + 1);
  int type = 0;
  for (const Element &element : elements)
    if (element.kind == image.kind && element.size == image.size)
      type = element.type;
  const Image made(nifti_make_new_nim(dims, type, /*data_fill=*/0));
  if (!made)
    throw std::runtime_error("cannot be a NIfTI image");
  bool isMetric = false;
  for (size_t d = 0; d < image.spacing.size() && d < 3; ++d)
    if (image.spacing[d] > 0) {
      isMetric = true;
      made->pixdim[d + 1] = image.spacing[d] * 1e3;
    }
  // Readers complain about 0, also of axes that the image has not.
  for (size_t d = image.shape.size(); d < 3; ++d)
    made->pixdim[d + 1] = 1;
  if (image.geometry.isKnown())
    isMetric = true;
  setGeometry(*made, image.geometry);
  made->dx = made->pixdim[1];
  made->dy = made->pixdim[2];
  made->dz = made->pixdim[3];
  made->xyz_units = isMetric ? NIFTI_UNITS_MM : NIFTI_UNITS_UNKNOWN;
  made->intent_code = image.isVector ? NIFTI_INTENT_VECTOR : NIFTI_INTENT_NONE;
  std::strncpy(made->descrip, image.description.c_str(),
               sizeof made->descrip - 1);
  // The first version counts cells in 16 bits.
  const int64_t longest =
      *std::max_element(image.shape.begin(), image.shape.end());
  const bool first = longest <= std::numeric_limits<int16_t>::max();
  made->nifti_type = first ? NIFTI_FTYPE_NIFTI1_1 : NIFTI_FTYPE_NIFTI2_1;
  made->iname_offset = first ? 352 : 544;
  bytes.assign(size_t(made->iname_offset), '\0');
  if (first) {
    nifti_1_header header;
    if (nifti_convert_nim2n1hdr(made.get(), &header) != 0)
      throw std::runtime_error("cannot be a NIfTI image");
    std::memcpy(bytes.data(), &header, sizeof header);
  } else {
    nifti_2_header header;
    if (nifti_convert_nim2n2hdr(made.get(), &header) != 0)
      throw std::runtime_error("cannot be a NIfTI image");
    std::memcpy(bytes.data(), &header, sizeof header);
  }
}
