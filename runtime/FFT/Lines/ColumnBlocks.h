//===- ColumnBlocks.h - Half spectra in blocks of columns -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a half spectrum usually has an odd number of columns. Therefore
// vectors of columns are not aligned to cache lines, and each accesses one line
// more than it fills. Only the filter uses the spectrum between its transforms.
// There, the columns of a plane of the last two dims are stored in blocks of
// two cache lines: all rows of the first block, then all rows of the next
// block. The last columns follow one by one. A plane takes as much memory as in
// row order.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_COLUMNBLOCKS_H
#define PMRT_FFT_COLUMNBLOCKS_H

#include "runtime/FFT/Lines/LinePasses.h"

#include <optional>

namespace pmrt {

struct ColumnBlocks {
  int64_t rows = 0, columns = 0; ///< of a plane
  int64_t width = 0;             ///< columns of a block

  /// The blocks for the spectrum of a filter. None if there are fewer than two
  /// blocks, or fewer than three dims, because the filter is along the first
  /// dim.
  static std::optional<ColumnBlocks> make(const FftProblem &forward,
                                          const FftProblem &backward);

  int64_t inBlocks() const { return columns / width * width; }
  int64_t rest() const { return columns - inBlocks(); }
  /// The distance of two blocks in elements.
  int64_t blockStep() const { return rows * width; }
  /// The place of element 0 of column `inBlocks() + i`.
  int64_t restBegin(int64_t i) const { return (inBlocks() + i) * rows; }

  /// The row and the column of an element of a plane, and the number of columns
  /// of the row that follow in memory, including this one.
  struct Place {
    int64_t row, column, count;
  };
  Place find(int64_t element) const;

  /// Gives the pass along the last dim the distance of rows in a block.
  void placeRows(LinePass &pass) const;
  /// The part of the pass along the last dim but one that transforms the
  /// columns in blocks.
  LinePass inBlocks(LinePass pass) const;
  /// The part of the same pass that transforms the last columns, which are
  /// dense.
  LinePass rest(LinePass pass) const;
};

} // namespace pmrt

#endif // PMRT_FFT_COLUMNBLOCKS_H
