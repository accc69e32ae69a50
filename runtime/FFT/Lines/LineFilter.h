//===- LineFilter.h - A filter between two passes ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_LINEFILTER_H
#define PMRT_FFT_LINEFILTER_H

#include "runtime/Base/Threads.h"
#include "runtime/FFT/Lines/ColumnBlocks.h"
#include "runtime/FFT/Lines/LinePasses.h"
#include "runtime/FFT/Plans.h"

#include <optional>

namespace pmrt {

/// The last pass of a transform, a filter, and the first pass of the inverse
/// transform, along one dim, on blocks of lines. A thread has a copy of the
/// block's modes that its core's cache holds. The bits are those of three
/// sweeps over the arrays.
class LineFilter {
public:
  /// None if the passes are along different dims. `blocks`: the layout of the
  /// spectrum in memory; null: row by row.
  static std::optional<LineFilter> make(const LinePass &last,
                                        const LinePass &first,
                                        const FftFilter &filter,
                                        const ColumnBlocks *blocks);

  void run(Threads &threads, const LineTransform &there,
           const LineTransform &back, const void *from, void *to) const;

private:
  /// Lines of a block, and elements from a mode of a line to the next one.
  struct Block {
    int64_t lines, next;
  };

  LineFilter(const LinePass &last, const LinePass &first,
             const FftFilter &filter, const ColumnBlocks *blocks)
      : last(last), first(first), filter(filter), blocks(blocks) {}

  Block getBlock(int64_t lanes, int threads) const;
  /// Lines of a block, as many at a time as there are lanes.
  void transform(const LineTransform &kernel, const LinePass &pass,
                 LineGroup group, int64_t lines, void *workspace) const;
  void apply(char *modes, const Block &block, int64_t place, int64_t line,
             int64_t lines) const;
  /// The row of a line's first mode among those of its place, its column, and
  /// how many columns of the row follow in memory, this one included.
  ColumnBlocks::Place find(int64_t line) const;

  const LinePass &last, &first;
  const FftFilter &filter;
  const ColumnBlocks *blocks;
  /// Lines next to each other, at so many places.
  int64_t side = 1, places = 1;
  int64_t cells = 0;      ///< modes of a line
  bool alongLast = false; ///< else lines are beside each other
};

} // namespace pmrt

#endif // PMRT_FFT_LINEFILTER_H
