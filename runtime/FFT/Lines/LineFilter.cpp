//===- LineFilter.cpp - A filter between two passes -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Lines/LineFilter.h"

#include "runtime/FFT/Share.h"

#include <utility>

using namespace pmrt;

/// Of a block's modes: a quarter of a second-level cache of 512 KiB, so that
/// the lines that it is read from stay there, too.
static constexpr int64_t mostBlockBytes = 1 << 17;
static constexpr int64_t cacheLineBytes = 64;

std::optional<LineFilter> LineFilter::make(const LinePass &last,
                                           const LinePass &first,
                                           const FftFilter &filter,
                                           const ColumnBlocks *blocks) {
  LineFilter made(last, first, filter, blocks);
  made.side = last.to;
  made.cells = last.cellsOut();
  const int64_t modes = filter.rows * filter.columns;
  if (last.n != first.n || first.cellsIn() != made.cells ||
      first.from != made.side || last.from != made.side ||
      first.to != made.side || modes % (made.side * made.cells) != 0)
    return std::nullopt;
  made.places = modes / (made.side * made.cells);
  // Lines along the last dim follow each other, all at one place.
  made.alongLast = made.side == 1;
  if (made.alongLast)
    std::swap(made.side, made.places);
  return made;
}

LineFilter::Block LineFilter::getBlock(int64_t lanes, int threads) const {
  const int64_t fit = mostBlockBytes / (cells * filter.bytes);
  const int64_t share = side * places / (int64_t(threads) * 8);
  int64_t lines = std::min(fit, share) / lanes * lanes;
  lines = std::min(std::max(lines, lanes), side);
  if (alongLast)
    return {lines, cells};
  // An odd number of cache lines from mode to mode spreads them over the sets.
  const int64_t unit = std::max<int64_t>(1, cacheLineBytes / filter.bytes);
  return {lines, ((lines + unit - 1) / unit | 1) * unit};
}

void LineFilter::transform(const LineTransform &kernel, const LinePass &pass,
                           LineGroup group, int64_t lines,
                           void *workspace) const {
  const int64_t half = filter.bytes / 2;
  const int64_t from =
      group.nextFrom *
      (pass.kind == LineKind::RealToComplex ? half : filter.bytes);
  const int64_t to =
      group.nextTo *
      (pass.kind == LineKind::ComplexToReal ? half : filter.bytes);
  for (int64_t i = 0; i < lines; i += kernel.lanes()) {
    group.lines = std::min(kernel.lanes(), lines - i);
    kernel.run(group, workspace);
    group.in = static_cast<const char *>(group.in) + kernel.lanes() * from;
    group.out = static_cast<char *>(group.out) + kernel.lanes() * to;
  }
}

ColumnBlocks::Place LineFilter::find(int64_t line) const {
  const int64_t columns = filter.columns;
  if (!blocks)
    return {line / columns, line % columns, columns - line % columns};
  const int64_t plane = blocks->rows * columns;
  ColumnBlocks::Place found = blocks->find(line % plane);
  found.row += line / plane * blocks->rows;
  return found;
}

void LineFilter::apply(char *modes, const Block &block, int64_t place,
                       int64_t line, int64_t lines) const {
  const int64_t columns = filter.columns;
  if (alongLast) {
    // Dims of one cell may follow the last transformed one.
    const int64_t rows = cells / columns;
    filter.body(filter.args, line * rows, 1, lines * rows, 0, columns, modes,
                columns);
    return;
  }
  for (int64_t i = 0; i < lines;) {
    const ColumnBlocks::Place at = find(line + i);
    const int64_t count = std::min(at.count, lines - i);
    filter.body(filter.args, place * cells * (side / columns) + at.row,
                side / columns, cells, at.column, at.column + count,
                modes + i * filter.bytes, block.next);
    i += count;
  }
}

void LineFilter::run(Threads &threads, const LineTransform &there,
                     const LineTransform &back, const void *from,
                     void *to) const {
  const Block block =
      getBlock(std::max(there.lanes(), back.lanes()), threads.count());
  const auto work =
      int64_t(std::max(there.workspaceBytes(), back.workspaceBytes()) +
              cacheLineBytes - 1) /
      cacheLineBytes * cacheLineBytes;
  const int64_t modes = block.next * (alongLast ? block.lines : cells);
  const int64_t each = (side + block.lines - 1) / block.lines;
  // Where a line begins, and what follows it.
  const int64_t step = alongLast ? 1 : side;
  const int64_t nextIn = alongLast ? last.cellsIn() : 1,
                nextOut = alongLast ? first.cellsOut() : 1,
                nextMode = alongLast ? block.next : 1;
  const int64_t bytesIn =
      last.kind == LineKind::RealToComplex ? filter.bytes / 2 : filter.bytes;
  const int64_t bytesOut =
      first.kind == LineKind::ComplexToReal ? filter.bytes / 2 : filter.bytes;
  share(threads, places * each, 1, size_t(work + modes * filter.bytes),
        [&](int64_t begin, int64_t end, void *memory) {
          char *copy = static_cast<char *>(memory) + work;
          for (int64_t i = begin; i < end; ++i) {
            const int64_t place = i / each, line = i % each * block.lines;
            const int64_t lines = std::min(block.lines, side - line);
            const void *in =
                static_cast<const char *>(from) +
                (place * side * last.cellsIn() + line * nextIn) * bytesIn;
            void *out =
                static_cast<char *>(to) +
                (place * side * first.cellsOut() + line * nextOut) * bytesOut;
            const int64_t along = alongLast ? 1 : block.next;
            transform(there, last, {in, copy, 0, step, along, nextIn, nextMode},
                      lines, memory);
            apply(copy, block, place, line, lines);
            transform(back, first,
                      {copy, out, 0, along, step, nextMode, nextOut}, lines,
                      memory);
          }
        });
}
