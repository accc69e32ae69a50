//===- ForeignOutput.cpp - Outputs as files of other programs -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/ForeignOutput.h"

#include "runtime/IO/Files/FileOrder.h"
#include "runtime/IO/Formats/Cfl.h"
#include "runtime/IO/Formats/Fits.h"
#include "runtime/IO/Formats/Nifti.h"
#include "runtime/IO/Outputs/Outputs.h"

#include <atomic>
#include <cmath>
#include <span>
#include <stdexcept>

using namespace pmrt;

bool pmrt::isForeign(FileFormat format) {
  return isNifti(format) || isFits(format) || format == FileFormat::Cfl;
}

namespace {

/// Axes of a file from the fastest on.
struct Columns {
  std::vector<int64_t> cells;
  std::vector<int> dims; ///< -1: one cell, or components
  std::vector<int64_t> shifts;
  std::vector<double> spacing; ///< metres; 0: not known

  void add(int64_t count, int dim = -1, int64_t shift = 0, double apart = 0) {
    cells.push_back(count);
    dims.push_back(dim);
    shifts.push_back(shift);
    spacing.push_back(apart);
  }
  void padTo(size_t count) {
    while (cells.size() < count)
      add(1);
  }
};

} // namespace

/// In the order of the dims, the last one the fastest, as readers in Python
/// have them.
static Columns rowsOf(const Context &context, const pmrt_array &array,
                      int64_t parts) {
  Columns columns;
  for (int32_t d = array.rank; d-- > 0;)
    columns.add(context.program.dims[size_t(array.dims[d])].stored(), d);
  if (parts > 1)
    columns.add(parts);
  return columns;
}

/// Directions come first, as the first three axes of such files; then what
/// counts a batch, and components.
static Columns columnsOf(const Context &context, std::span<const int32_t> dims,
                         FileFormat format, int64_t parts) {
  std::vector<bool> batch;
  for (const int32_t index : dims) {
    const Dim &dim = context.program.dims[size_t(index)];
    batch.push_back(dim.kind == DimKind::Space && !dim.lengthUnit);
  }
  const std::vector<int> order = columnDims(batch);
  Columns columns;
  bool isBatch = false;
  for (const int d : order) {
    const auto index = size_t(dims[size_t(d)]);
    const Dim &dim = context.program.dims[index];
    if (batch[size_t(d)] != batch[size_t(order[0])] && !isBatch) {
      isBatch = true;
      columns.padTo(3);
    }
    const bool metric = dim.lengthUnit == "km" && dim.kind == DimKind::Space;
    columns.add(dim.stored(), d, dim.kind == DimKind::Dual ? dim.extent / 2 : 0,
                metric ? 1e3 * context.lengths[index] / double(dim.extent) : 0);
  }
  if (parts > 1) {
    if (isNifti(format))
      columns.padTo(4);
    columns.add(parts);
  }
  return columns;
}

ImageAxes pmrt::imageAxesOf(const Context &context, const Output &output) {
  Columns columns = columnsOf(context, output.dims, FileFormat::Nifti, 1);
  columns.padTo(3);
  ImageAxes axes = {};
  for (size_t axis = 0; axis < 3; ++axis) {
    const int dim = columns.dims[axis];
    axes.dims[axis] = dim < 0 ? -1 : output.dims[size_t(dim)];
    axes.cells[axis] = columns.cells[axis];
  }
  return axes;
}

/// The geometry that was chosen for an output. That of --like is left out where
/// the dims turn out to have cells of another size.
static ImageGeometry geometryOf(Context &context, const Output &output,
                                const Columns &columns) {
  const auto chosen = context.geometries.find(output.name);
  if (chosen == context.geometries.end())
    return {};
  const ImageGeometry &geometry = chosen->second.geometry;
  for (size_t axis = 0; chosen->second.isLike && axis < 3; ++axis) {
    const double here =
        axis < columns.spacing.size() ? 1e3 * columns.spacing[axis] : 0;
    const double there = geometry.spacing(axis);
    if (!(here > 0) || std::abs(there / here - 1) <= 0.01)
      continue;
    if (context.transport->rank() == 0)
      context.progress.warn(fmt::format(
          "warning: --like: {} has cells of {:.6g} mm along axis {}, and "
          "output '{}' has cells of {:.6g} mm: it gets no geometry",
          context.settings.like, there, axis + 1, output.name, here));
    return {};
  }
  return geometry;
}

/// What a piece is of the file, which has `shape`, from element `offset` on.
static StreamPart partOf(const FilePiece &piece,
                         const std::vector<int64_t> &shape, int64_t offset) {
  StreamPart part;
  part.length = 1;
  for (size_t a = shape.size(); a-- > 0;) {
    part.length *= piece.sides[a].extent;
    if (piece.sides[a].extent != shape[a])
      break;
  }
  const int64_t cells = piece.cells(), length = part.length;
  part.runs = cells ? cells / length : 0;
  part.start = [piece, shape, offset, length](int64_t run) {
    int64_t rest = run * length, index = 0, stride = 1;
    for (size_t a = shape.size(); a-- > 0;) {
      const Shard &side = piece.sides[a];
      index += (rest % side.extent + side.offset) * stride;
      rest /= side.extent;
      stride *= shape[a];
    }
    return offset + index;
  };
  return part;
}

/// Numbers of any kind as pairs of floats. False if one is too large.
static bool toPairs(pmrt_element element, const char *from, int64_t count,
                    float *to) {
  bool good = true;
  const auto convert = [&](auto zero) {
    using T = decltype(zero);
    const auto *values = reinterpret_cast<const T *>(from);
    const bool complex = isComplex(element);
    for (int64_t i = 0; i < count; ++i) {
      to[2 * i] = float(values[complex ? 2 * i : i]);
      to[2 * i + 1] = complex ? float(values[2 * i + 1]) : 0.0F;
      good = good && std::isfinite(to[2 * i]) && std::isfinite(to[2 * i + 1]);
    }
  };
  switch (element) {
  case PMRT_F32:
  case PMRT_C64:
    convert(float());
    break;
  case PMRT_F64:
  case PMRT_C128:
    convert(double());
    break;
  case PMRT_I8:
    convert(int8_t());
    break;
  case PMRT_I64:
    convert(int64_t());
    break;
  case PMRT_U64:
    convert(uint64_t());
    break;
  case PMRT_BF16:
  case PMRT_F16:
    refuseShort(element);
  }
  return good;
}

/// What a file of NIfTI has before its numbers.
static std::string headerOf(Context &context, const Output &output,
                            pmrt_element element, const Columns &columns,
                            bool isVector) {
  NiftiImage image;
  image.shape = columns.cells;
  image.spacing = columns.spacing;
  image.kind = isComplex(element)    ? 'c'
               : isFloat(element)    ? 'f'
               : element == PMRT_I64 ? 'i'
                                     : 'u';
  image.size = int(elementSize(element));
  image.isVector = isVector;
  image.geometry = geometryOf(context, output, columns);
  image.description =
      fmt::format("{} of {}", output.name, context.program.name);
  if (!output.unit.empty() && output.unit != "1")
    image.description += " in " + output.unit;
  return niftiHeader(image);
}

/// What a file of FITS has before the numbers.
static std::string fitsHeaderOf(const Context &context, const Output &output,
                                const pmrt_array &array, int64_t parts,
                                FileFormat format) {
  FitsHeader header;
  header.element = pmrt_element(array.element);
  for (int32_t d = 0; d < array.rank; ++d) {
    const auto index = size_t(array.dims[d]);
    const Dim &dim = context.program.dims[index];
    const bool isLength = dim.kind == DimKind::Space && dim.lengthUnit;
    header.shape.push_back(dim.stored());
    header.dims.push_back(dim.name);
    header.spacing.push_back(
        isLength ? context.lengths[index] / double(dim.extent) : 0);
    header.spacingUnits.push_back(isLength ? *dim.lengthUnit : "");
  }
  header.columns = output.columns;
  for (int64_t i = 1; parts > 1 && output.columns.empty() && i <= parts; ++i)
    header.columns.push_back(fmt::format("{}_{}", output.name, i));
  header.name = output.name;
  header.unit = output.unit == "1" ? "" : output.unit;
  header.program = fmt::format("pmc {}", context.program.compilerVersion);
  if (format == FileFormat::Healpix)
    header.nside = healpixSide(header.shape.front());
  return fitsHeader(header);
}

void pmrt::writeForeign(Context &context, pmrt_loc loc, const Output &output,
                        const Layout &layout,
                        const std::vector<const pmrt_array *> &parts) {
  const FileFormat format = context.settings.formatOf(output.name);
  const auto element = pmrt_element(parts[0]->element);
  const auto count = int64_t(parts.size());
  const Columns columns =
      isFits(format)
          ? rowsOf(context, *parts[0], count)
          : columnsOf(context, {parts[0]->dims, size_t(parts[0]->rank)}, format,
                      count);
  if (isFits(format) && element == PMRT_U64)
    throw context.failure(
        loc, fmt::format("cannot write output '{}': FITS files have no whole "
                         "numbers of 64 bits without a sign",
                         output.name));
  FileOrder order;
  order.shape.assign(columns.cells.rbegin(), columns.cells.rend());
  order.dims.assign(columns.dims.rbegin(), columns.dims.rend());
  order.shifts.assign(columns.shifts.rbegin(), columns.shifts.rend());
  if (count > 1) // one component at a time
    order.shape.front() = 1;

  Stream stream;
  stream.element = format == FileFormat::Cfl ? PMRT_C64 : element;
  stream.shape = columns.cells;
  stream.columns = count;
  stream.columnNames = output.columns;
  stream.unit = output.unit;
  stream.isFits = isFits(format);
  if (isFits(format))
    stream.header = fitsHeaderOf(context, output, *parts[0], count, format);
  else if (isNifti(format))
    stream.header = headerOf(context, output, element, columns, count > 1);
  else
    stream.beside = cflHeader(
        columns.cells, fmt::format("pmc {}", context.program.compilerVersion));

  const int64_t size = elementSize(element);
  const Box mine = layout.box(context.mesh);
  std::vector<std::vector<char>> copies(parts.size()); // of a GPU's memory
  std::vector<FilePiece> pieces;
  // Of several copies, the first is written.
  if (isFirstCopy(context.mesh, layout.axes()))
    pieces = order.pieces(mine);
  int64_t cells = 1;
  for (const Split &dim : layout.dims)
    cells *= dim.cells;
  for (size_t p = 0; p < parts.size() && !pieces.empty(); ++p) {
    const auto *memory = static_cast<const char *>(
        context.device->read(parts[p]->data, mine.cells() * size, copies[p]));
    for (const FilePiece &piece : pieces) {
      StreamPart part = partOf(piece, order.shape, int64_t(p) * cells);
      part.column = int64_t(p);
      if (stream.element == element)
        part.copy = [&piece, memory, size](int64_t begin, int64_t end,
                                           char *out) {
          piece.gather(begin, end, size, memory, out);
        };
      else
        part.fetch = [&, memory](int64_t begin, int64_t end, char *out) {
          std::atomic<bool> good = true;
          context.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
            std::vector<char> own(size_t((e - b) * size));
            piece.gather(begin + b, begin + e, size, memory, own.data());
            if (!toPairs(element, own.data(), e - b,
                         reinterpret_cast<float *>(out) + 2 * b))
              good = false;
          });
          if (!good)
            throw std::runtime_error(
                fmt::format("cannot write output '{}': it has numbers beyond "
                            "those of 32 bits, which .cfl files hold",
                            output.name));
        };
      stream.parts.push_back(std::move(part));
    }
  }
  writeArray(context, loc, output.name, stream, {});
}
