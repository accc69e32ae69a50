//===- ArrangedField.cpp - Fields whose format chooses the axes -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/ArrangedField.h"

#include "runtime/IO/Files/FileOrder.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Outputs/WriteArrays.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

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

namespace {

/// A field, from what this rank has of it to parts of a file.
class Arrangement {
public:
  Arrangement(Context &context, const Format &format, const Output &output,
              const Layout &layout, const FileAxes &axes,
              const std::vector<const pmrt_array *> &arrays)
      : context(context), format(format), output(output), axes(axes),
        mine(layout.box(context.mesh)),
        // Of several copies, the first is written.
        isWriter(isFirstCopy(context.mesh, layout.axes()) && mine.cells() > 0),
        element(pmrt_element(arrays[0]->element)) {
    const int64_t bytes = mine.cells() * elementSize(element);
    for (const pmrt_array *array : arrays) {
      dims.assign(array->dims, array->dims + array->rank);
      memory.push_back(isWriter
                           ? static_cast<const char *>(context.device->read(
                                 array->data, bytes, copies.emplace_back()))
                           : nullptr);
    }
  }

  /// Of a file with all cells, without what this rank has of them.
  Stream outline() const { return emptyStream(axes.cells); }

  /// Of a file that all ranks write.
  Stream whole() {
    Stream stream = outline();
    addParts(stream, mine);
    return stream;
  }

  /// Of a file for the cells of this rank.
  Stream piece() {
    std::vector<int64_t> cells = axes.cells;
    std::vector<Shard> sides;
    for (size_t axis = 0; axis < cells.size(); ++axis) {
      sides.push_back(axes.dims[axis] < 0
                          ? Shard{0, cells[axis]}
                          : mine.sides[size_t(axes.dims[axis])]);
      cells[axis] = sides[axis].extent;
    }
    Stream stream = emptyStream(cells);
    stream.sides = sides;
    Box box = mine;
    for (Shard &side : box.sides)
      side.offset = 0;
    addParts(stream, box);
    return stream;
  }

private:
  Stream emptyStream(const std::vector<int64_t> &cells) const {
    Stream stream;
    stream.element = format.stored(element);
    stream.shape = cells;
    stream.columns = int64_t(memory.size());
    stream.columnNames = output.columns;
    stream.unit = output.unit;
    stream.dims = dims;
    stream.axes = axes;
    for (const int64_t count : cells)
      stream.sides.push_back({0, count});
    return stream;
  }

  /// Adds this rank's `box` of an array with the stream's shape.
  void addParts(Stream &stream, const Box &box) {
    if (!isWriter)
      return;
    FileOrder order;
    order.shape.assign(stream.shape.rbegin(), stream.shape.rend());
    order.dims.assign(axes.dims.rbegin(), axes.dims.rend());
    order.shifts.assign(axes.shifts.rbegin(), axes.shifts.rend());
    if (memory.size() > 1) // one component at a time
      order.shape.front() = 1;
    int64_t cells = 1;
    for (const int64_t count : order.shape)
      cells *= count;
    pieces = order.pieces(box);
    const int64_t size = elementSize(element);
    for (size_t p = 0; p < memory.size(); ++p) {
      for (const FilePiece &piece : pieces) {
        StreamPart part = partOf(piece, order.shape, int64_t(p) * cells);
        part.column = int64_t(p);
        if (stream.element == element)
          part.copy = [&piece, from = memory[p], size](int64_t begin,
                                                       int64_t end, char *out) {
            piece.gather(begin, end, size, from, out);
          };
        else
          part.fetch = [this, &piece, from = memory[p], to = stream.element](
                           int64_t begin, int64_t end, char *out) {
            convert(piece, from, begin, end, to, out);
          };
        stream.parts.push_back(std::move(part));
      }
    }
  }

  void convert(const FilePiece &piece, const char *from, int64_t begin,
               int64_t end, pmrt_element to, char *out) const {
    const int64_t size = elementSize(element), stored = elementSize(to);
    std::atomic<bool> good = true;
    context.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
      std::vector<char> own(size_t((e - b) * size));
      piece.gather(begin + b, begin + e, size, from, own.data());
      if (!format.convert(element, own.data(), e - b, out + b * stored))
        good = false;
    });
    if (!good)
      throw std::runtime_error(
          fmt::format("cannot write output '{}': it has integers that do not "
                      "fit 32 bits, the limit of .{} files",
                      output.name, format.suffix()));
  }

  Context &context;
  const Format &format;
  const Output &output;
  const FileAxes &axes;
  Box mine;
  bool isWriter;
  pmrt_element element;
  std::vector<int32_t> dims;
  std::vector<const char *> memory;     ///< of each component
  std::deque<std::vector<char>> copies; ///< of a GPU's memory
  std::vector<FilePiece> pieces;
};

} // namespace

void pmrt::writeArranged(Context &context, pmrt_loc loc, const Output &output,
                         const Layout &layout, const FileAxes &axes,
                         const std::vector<const pmrt_array *> &components) {
  const Format &format = formatOf(context.settings, output.name);
  Arrangement field(context, format, output, layout, axes, components);
  if (!format.inPieces(context))
    return writeArrays(context, loc, output.name,
                       {{output.name, field.whole(), {}}});
  writePieces(context, loc, {output.name, field.outline(), {}}, field.piece());
}
