//===- ColumnBlocks.h - Half spectra in blocks of columns -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a half spectrum has an odd number of columns in general, so that
// vectors of columns begin anywhere in a cache line, and each touches one line
// more than it fills. The spectrum between the transforms of a filter is seen
// by nothing else. There, a plane of the last two dims has its columns in
// blocks of two cache lines: all rows of the first block, then all rows of the
// next one, and behind them the last columns one by one. A plane takes the
// memory that it takes row by row.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_COLUMNBLOCKS_H
#define PMRT_FFT_COLUMNBLOCKS_H

#include "runtime/FFT/LinePasses.h"

#include <optional>

namespace pmrt {

struct ColumnBlocks {
  int64_t rows = 0, columns = 0; ///< of a plane
  int64_t width = 0;             ///< columns of a block

  /// For the spectrum of a filter. Nothing if it has fewer than two blocks, or
  /// fewer than three dims, of which the last pass takes the first one.
  static std::optional<ColumnBlocks> make(const FftProblem &forward,
                                          const FftProblem &backward);

  int64_t inBlocks() const { return columns / width * width; }
  int64_t rest() const { return columns - inBlocks(); }
  /// Elements from a block to the next one.
  int64_t blockStep() const { return rows * width; }
  /// Of element 0 of column `inBlocks() + i`.
  int64_t restBegin(int64_t i) const { return (inBlocks() + i) * rows; }

  /// Where an element of a plane is in the spectrum, and how many columns of
  /// its row follow it in memory, itself included.
  struct Place {
    int64_t row, column, count;
  };
  Place find(int64_t element) const;

  /// The pass along the last dim: rows are as far apart as in a block.
  void placeRows(LinePass &pass) const;
  /// The pass along the last dim but one: the columns in blocks.
  LinePass inBlocks(LinePass pass) const;
  /// The same pass: the last columns, each dense.
  LinePass rest(LinePass pass) const;
};

} // namespace pmrt

#endif // PMRT_FFT_COLUMNBLOCKS_H
