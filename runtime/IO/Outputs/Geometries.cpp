//===- Geometries.cpp - Where the cells of output images are --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/Geometries.h"

#include "runtime/Core/Context.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <stdexcept>

using namespace pmrt;

/// Matrices that differ by less are the same, in mm.
static constexpr double tolerance = 1e-3;

static bool areClose(const ImageFrame &a, const ImageFrame &b) {
  for (size_t column = 0; column < a.columns.size(); ++column)
    for (size_t row = 0; row < 3; ++row)
      if (!(std::abs(a.columns[column][row] - b.columns[column][row]) <
            tolerance))
        return false;
  return true;
}

static bool areClose(const ImageGeometry &a, const ImageGeometry &b) {
  const auto agree = [](const ImageFrame &one, const ImageFrame &other) {
    return one.code <= 0 || other.code <= 0 || areClose(one, other);
  };
  return agree(a.qform, b.qform) && agree(a.sform, b.sform) &&
         (a.qform.code > 0) == (b.qform.code > 0);
}

/// The geometry of an image whose axes count `dims`: axes that count none take
/// the others in their order. Nothing if the file has other dims.
static std::optional<ImageGeometry>
permuted(const FileGeometry &from, const std::array<int32_t, 3> &dims) {
  std::array<size_t, 3> axes = {};
  std::array<bool, 3> used = {};
  for (size_t axis = 0; axis < 3; ++axis) {
    size_t source = 0;
    while (source < 3 && (used[source] || from.dims[source] != dims[axis]))
      ++source;
    if (source == 3)
      return std::nullopt;
    used[source] = true;
    axes[axis] = source;
  }
  ImageGeometry to = from.geometry;
  for (size_t axis = 0; axis < 3; ++axis) {
    to.qform.columns[axis] = from.geometry.qform.columns[axes[axis]];
    to.sform.columns[axis] = from.geometry.sform.columns[axes[axis]];
  }
  return to;
}

/// That of the inputs over the same dims, if they agree.
static std::optional<ImageGeometry>
fromInputs(Context &context, const Output &output,
           const std::array<int32_t, 3> &dims) {
  std::optional<ImageGeometry> found;
  std::string file;
  for (const FileGeometry &input : context.inputGeometries) {
    const auto one = permuted(input, dims);
    if (one && found && !areClose(*one, *found)) {
      if (context.transport->rank() == 0 && !context.likeGeometry)
        context.progress.warn(fmt::format(
            "warning: [PM9207] {} and {} have the dims of output '{}', but "
            "different orientations or origins: the output gets no "
            "geometry; choose one with --like=FILE",
            file, input.file, output.name));
      return std::nullopt;
    }
    if (one && !found) {
      found = one;
      file = input.file;
    }
  }
  return found;
}

namespace {
/// What the first three axes of an output's file count: dims of the program or
/// -1, and cells.
struct ImageAxes {
  std::array<int32_t, 3> dims = {};
  std::array<int64_t, 3> cells = {};
};
} // namespace

static ImageAxes imageAxesOf(const Context &context, const Format &format,
                             const Output &output) {
  FileAxes all = format.axes(context, output.dims, 1).value_or(FileAxes());
  all.padTo(3);
  ImageAxes axes;
  for (size_t axis = 0; axis < 3; ++axis) {
    const int dim = all.dims[axis];
    axes.dims[axis] = dim < 0 ? -1 : output.dims[size_t(dim)];
    axes.cells[axis] = all.cells[axis];
  }
  return axes;
}

static FileGeometry readLike(const std::string &path) {
  FileGeometry all;
  all.file = path;
  const std::unique_ptr<Source> source = openSource(sourceName(path));
  const ImageGeometry *geometry = source->geometry();
  if (!geometry)
    throw std::runtime_error(fmt::format(
        "{} has no orientation and no origin: expected a NIfTI file with a "
        "qform or an sform",
        path));
  all.geometry = *geometry;
  const std::vector<int64_t> shape = source->shape();
  for (size_t axis = 0; axis < std::min<size_t>(3, shape.size()); ++axis)
    all.cells[axis] = shape[shape.size() - 1 - axis];
  return all;
}

void pmrt::chooseGeometries(Context &context) {
  const std::string &like = context.settings.like;
  try {
    if (!like.empty())
      context.likeGeometry = readLike(like);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("[PM9006] --like: {}", e.what()));
  }
  std::vector<std::string> others;
  bool isUsed = false;
  for (const Output &output : context.program.outputs) {
    const Format &format = formatOf(context.settings, output.name);
    if (!format.keepsGeometry() || output.kind != OutputKind::Field)
      continue;
    const ImageAxes axes = imageAxesOf(context, format, output);
    if (const auto found = fromInputs(context, output, axes.dims)) {
      context.geometries[output.name] = {*found, false};
    } else if (context.likeGeometry &&
               context.likeGeometry->cells == axes.cells) {
      context.geometries[output.name] = {context.likeGeometry->geometry, true};
      isUsed = true;
    } else {
      others.push_back(
          fmt::format("'{}' has {}", output.name, fmt::join(axes.cells, "x")));
    }
  }
  if (!context.likeGeometry || isUsed)
    return;
  throw std::runtime_error(fmt::format(
      "--like: {} has {} cells, which matches no NIfTI output without its own "
      "geometry{}",
      like, fmt::join(context.likeGeometry->cells, "x"),
      others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", "))));
}
