//===- FileOrder.h - Order of arrays in files -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of other programs count their axes from the fastest one on, have axes
// of one cell, or the mode 0 in the middle. A part of an array is then some
// boxes of the file, whose cells are strides apart in memory.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_FILEORDER_H
#define PMRT_IO_FILES_FILEORDER_H

#include "runtime/Dist/Layout.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace pmrt {

/// A box of a file, and where its cells are in a part of the array.
struct FilePiece {
  std::vector<Shard> sides; ///< along the axes of the file, the slowest first
  std::vector<int64_t> strides; ///< in memory, in cells, one an axis
  int64_t first = 0;            ///< cell in memory of the box's first one

  int64_t cells() const;
  /// The box of `count` cells from `start` on, of the file.
  FilePiece part(const std::vector<int64_t> &start,
                 const std::vector<int64_t> &count) const;
  /// Calls `visit` with parts that follow each other, of at most `most` cells
  /// each.
  void forParts(int64_t most,
                const std::function<void(const FilePiece &)> &visit) const;
  std::vector<int64_t> start() const;
  std::vector<int64_t> count() const;

  /// Copies cells [begin, end), in the file's order, of `size` bytes.
  void gather(int64_t begin, int64_t end, int64_t size, const char *memory,
              char *out) const;
  void scatter(int64_t begin, int64_t end, int64_t size, const char *from,
               char *memory) const;
  /// Where cell `index`, in the file's order, is in memory.
  int64_t cell(int64_t index) const;

private:
  template <typename Visit>
  void forRows(int64_t begin, int64_t end, const Visit &visit) const;
};

struct FileOrder {
  std::vector<int64_t> shape; ///< of the file
  std::vector<int> dims;      ///< of the array, one an axis; -1: has one cell
  /// Cell i of an axis' dim is cell i + shift of the axis, modulo its cells.
  std::vector<int64_t> shifts;

  /// Whether the array has the same order in the file as in memory.
  bool isStraight(size_t rank) const;
  /// Where the cells of a part of the array are.
  std::vector<FilePiece> pieces(const Box &mine) const;
};

/// Dims in the order in which files with columns count them, the fastest first:
/// directions, then those that count a batch, the last one first. If there are
/// no others, all are directions.
std::vector<int> columnDims(const std::vector<bool> &batch);

} // namespace pmrt

#endif // PMRT_IO_FILES_FILEORDER_H
