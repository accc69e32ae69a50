//===- Convolution.cpp - Convolutions on the host -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop dim is a batch (all three have it), an output (of weights and result,
// as channels that come out), a place (of the result alone) or a term (of the
// weights alone); the field has places and terms. So this is a product of a
// matrix over places and terms, which is the field read at indices, with one
// over terms and outputs.
//
// It is done a box at a time: for some places and some terms, the cells of the
// field that they read are copied, side by side and with what lies beyond the
// ends, into a box that fits into a core's cache. There element (place, term)
// is at the sum of a number of the place and one of the term, whatever the
// strides and offsets. A box is made once for all outputs, and is smaller than
// the products that read it by the number of taps.
//
// Boxes, and the parts that long sums are cut into, depend on shapes alone, so
// that bits do not depend on the number of threads. At most 512 terms are added
// in f32; the rest, in f64.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Convolution.h"

#include "runtime/Core/Matrices/Contraction.h"
#include "runtime/Host/Multiply.h"
#include "runtime/Host/Spread.h"

#include <numeric>

using namespace pmrt;

namespace {

/// A box of loop dims: from where on, and how many.
struct Span {
  int64_t begin = 0, count = 1;
};
using Spans = std::vector<Span>;

/// What a box may have at most: bytes of cells, sums, terms of f32.
constexpr int64_t boxBytes = 160 << 10, mostSums = 32 << 10, mostOutputs = 128,
                  mostPlaces = 2048, fewBoxes = 16;

int64_t cut(int64_t count, int64_t parts) {
  return (count + parts - 1) / parts;
}

template <typename T> struct BoxScratch {
  std::vector<T> box, strips;
  std::vector<double> sums;
  std::vector<int64_t> places, terms, from, to, cells;
};

template <typename T> class HostConvolution {
public:
  explicit HostConvolution(const Convolution &work)
      : work(work), sizes(work.loop.size(), 1) {
    for (size_t d = 0; d < work.loop.size(); ++d) {
      const LoopDim &dim = work.loop[d];
      const bool inWeights = dim.weights != 0, inResult = dim.result != 0;
      (inWeights && inResult ? dim.reader < 0 ? outputs : batches
       : inResult            ? places
                             : terms)
          .push_back(d);
    }
    // What is read side by side last: dims alone in their index first.
    for (Dims *list : {&places, &terms})
      std::stable_sort(list->begin(), list->end(), [&](size_t a, size_t b) {
        return isAlone(a) && !isAlone(b);
      });
    chooseSizes();
  }

  void run(Threads &threads) {
    const int64_t size = sumsOf();
    if (parts == 1) {
      spread<BoxScratch<T>>(threads, tiles,
                            [&](int64_t i, BoxScratch<T> &scratch) {
                              const Spans tile = tileAt(i);
                              double *sums = grown(scratch.sums, size);
                              addTerms(tile, 0, blocks, scratch, sums);
                              store(tile, sums, scratch);
                            });
      return;
    }
    std::vector<double> all(size_t(tiles * parts * size));
    spread<BoxScratch<T>>(
        threads, tiles * parts, [&](int64_t i, BoxScratch<T> &scratch) {
          const int64_t part = i % parts;
          addTerms(tileAt(i / parts), part * blocks / parts,
                   (part + 1) * blocks / parts, scratch, all.data() + i * size);
        });
    spread<BoxScratch<T>>(threads, tiles,
                          [&](int64_t i, BoxScratch<T> &scratch) {
                            double *sums = all.data() + i * parts * size;
                            for (int64_t part = 1; part < parts; ++part)
                              for (int64_t e = 0; e < size; ++e)
                                sums[e] += sums[part * size + e];
                            store(tileAt(i), sums, scratch);
                          });
  }

private:
  using Dims = std::vector<size_t>;

  bool isAlone(size_t d) const {
    return std::count_if(work.loop.begin(), work.loop.end(),
                         [&](const LoopDim &dim) {
                           return dim.reader == work.loop[d].reader;
                         }) == 1;
  }

  //===--------------------------------------------------------------------===//
  // Boxes
  //===--------------------------------------------------------------------===//

  int64_t countOf(const Dims &dims) const {
    int64_t count = 1;
    for (const size_t d : dims)
      count *= sizes[d];
    return count;
  }

  /// Cells along a dim of the field that a box of this size reads.
  int64_t widthOf(size_t read) const {
    int64_t width = 1;
    for (size_t d = 0; d < work.loop.size(); ++d)
      if (work.loop[d].reader == int32_t(read))
        width += std::abs(work.loop[d].number) * (sizes[d] - 1);
    return width;
  }

  int64_t cellsOfBox() const {
    int64_t cells = 1;
    for (size_t d = 0; d < work.reads.size(); ++d)
      cells *= widthOf(d);
    return cells;
  }

  int64_t sumsOf() const {
    return padded(countOf(places), rowsAtOnce()) *
           padded(countOf(outputs), columnsAtOnce());
  }

  void chooseSizes() {
    for (const Dims *list : {&outputs, &places, &terms})
      for (const size_t d : *list)
        sizes[d] = work.loop[d].count;
    for (const size_t d : outputs)
      limit(d, [&] { return countOf(outputs) <= mostOutputs; });
    for (const Strip narrower : {Strip::OneVector, Strip::HalfVector})
      if (countOf(outputs) * int64_t(sizeof(T)) <= bytesOf(narrower))
        strip = narrower;
    for (const size_t d : terms)
      limit(d, [&] { return countOf(terms) <= Contraction::block; });
    auto fits = [&] {
      return countOf(places) <= mostPlaces && sumsOf() <= mostSums &&
             cellsOfBox() * int64_t(sizeof(T)) <= boxBytes;
    };
    for (const size_t d : places)
      limit(d, fits);
    // Taps that reach far: fewer of them at once.
    for (const size_t d : terms)
      limit(d, fits);
    tiles = blocks = 1;
    for (size_t d = 0; d < sizes.size(); ++d)
      (std::count(terms.begin(), terms.end(), d) ? blocks : tiles) *=
          cut(work.loop[d].count, sizes[d]);
    // Tiles are what a rank has. Blocks of terms are the same for all.
    parts = work.ordered ? 1 : std::clamp(fewBoxes / tiles, int64_t(1), blocks);
  }

  /// The largest part of the dim for which it holds, in parts of about one
  /// size.
  template <typename Condition> void limit(size_t d, const Condition &isGood) {
    const int64_t all = work.loop[d].count;
    for (int64_t count = cut(all, sizes[d]); !isGood() && sizes[d] > 1;) {
      while (cut(all, count) == sizes[d])
        ++count;
      sizes[d] = cut(all, count);
    }
  }

  /// The box number i of those of these dims.
  void place(const Dims &dims, int64_t i, Spans &spans) const {
    for (size_t n = dims.size(); n-- > 0;) {
      const size_t d = dims[n];
      const int64_t count = cut(work.loop[d].count, sizes[d]);
      const int64_t begin = i % count * sizes[d];
      spans[d] = {begin, std::min(sizes[d], work.loop[d].count - begin)};
      i /= count;
    }
  }

  Spans tileAt(int64_t i) const {
    Spans spans(work.loop.size());
    Dims dims = batches;
    dims.insert(dims.end(), places.begin(), places.end());
    dims.insert(dims.end(), outputs.begin(), outputs.end());
    place(dims, i, spans);
    return spans;
  }

  static int64_t padded(int64_t count, int64_t unit) {
    return (count + unit - 1) / unit * unit;
  }
  int64_t rowsAtOnce() const { return rowsOf(strip); }
  int64_t columnsAtOnce() const { return bytesOf(strip) / int64_t(sizeof(T)); }

  /// Where the elements of a box of these dims lie, each with these strides,
  /// counted from the box's first one.
  template <typename StrideOf>
  static int64_t *list(const Dims &dims, const Spans &spans,
                       const StrideOf &strideOf, std::vector<int64_t> &memory,
                       int64_t unit = 1) {
    int64_t count = 1;
    for (const size_t d : dims)
      count *= spans[d].count;
    int64_t *to = grown(memory, padded(count, unit));
    to[0] = 0;
    int64_t made = 1;
    for (const size_t d : dims) {
      // From the last one on, as what is there moves outwards.
      const int64_t cells = spans[d].count, stride = strideOf(d);
      for (int64_t i = made; i-- > 0;)
        for (int64_t j = cells; j-- > 0;)
          to[i * cells + j] = to[i] + j * stride;
      made *= cells;
    }
    std::fill(to + count, to + padded(count, unit), int64_t(0));
    return to;
  }

  static int64_t countOf(const Dims &dims, const Spans &spans) {
    int64_t count = 1;
    for (const size_t d : dims)
      count *= spans[d].count;
    return count;
  }

  template <typename StrideOf>
  int64_t start(const Spans &spans, const StrideOf &strideOf) const {
    int64_t at = 0;
    for (size_t d = 0; d < spans.size(); ++d)
      at += spans[d].begin * strideOf(d);
    return at;
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  void addTerms(Spans spans, int64_t begin, int64_t end, BoxScratch<T> &scratch,
                double *sums) const {
    const int64_t rows = countOf(places, spans),
                  columns = countOf(outputs, spans),
                  ld = padded(columns, columnsAtOnce());
    for (int64_t block = begin; block < end; ++block) {
      place(terms, block, spans);
      const int64_t count = countOf(terms, spans);
      packStrips(spans, count, columns, scratch);
      int64_t first = 0;
      const std::vector<int64_t> strides = fillBox(spans, scratch, first);
      auto inBox = [&](size_t d) {
        return work.loop[d].number * strides[size_t(work.loop[d].reader)];
      };
      const int64_t *row =
          list(places, spans, inBox, scratch.places, rowsAtOnce());
      const int64_t *term = list(terms, spans, inBox, scratch.terms);
      for (int64_t column = 0; column < ld; column += columnsAtOnce())
        for (int64_t i = 0; i < rows; i += rowsAtOnce())
          multiplyGathered(count, scratch.box.data() + first, row + i, term,
                           scratch.strips.data() + column * count,
                           sums + i * ld + column, ld, strip, block == begin);
    }
  }

  /// The weights, in strips of outputs: of each all terms, one after the other.
  void packStrips(const Spans &spans, int64_t count, int64_t columns,
                  BoxScratch<T> &scratch) const {
    auto inWeights = [&](size_t d) { return work.loop[d].weights; };
    const int64_t begin = start(spans, inWeights);
    const int64_t *term = list(terms, spans, inWeights, scratch.from);
    const int64_t *column = list(outputs, spans, inWeights, scratch.to);
    const int64_t width = columnsAtOnce();
    T *to = grown(scratch.strips, padded(columns, width) * count);
    work.weights.visit<T>([&](const auto *from) {
      for (int64_t first = 0; first < columns; first += width) {
        const int64_t wide = std::min(width, columns - first);
        if (wide < width)
          std::fill_n(to, width * count, T(0));
        for (int64_t j = 0; j < wide; ++j) {
          const auto *source = from + begin + column[first + j];
          for (int64_t k = 0; k < count; ++k)
            to[k * width + j] = source[term[k]];
        }
        to += width * count;
      }
    });
  }

  void store(const Spans &spans, const double *sums,
             BoxScratch<T> &scratch) const {
    auto inResult = [&](size_t d) { return work.loop[d].result; };
    T *to = static_cast<T *>(work.result) + start(spans, inResult);
    const int64_t rows = countOf(places, spans),
                  columns = countOf(outputs, spans),
                  ld = padded(columns, columnsAtOnce());
    const int64_t *row = list(places, spans, inResult, scratch.from);
    const int64_t *column = list(outputs, spans, inResult, scratch.to);
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i)
        to[row[i] + column[j]] = T(sums[i * ld + j]);
  }

  //===--------------------------------------------------------------------===//
  // Cells of the field
  //===--------------------------------------------------------------------===//

  /// The cells that these places and terms read; gives the strides of the box,
  /// and in `first` the cell of the first of both.
  std::vector<int64_t> fillBox(const Spans &spans, BoxScratch<T> &scratch,
                               int64_t &first) const {
    const size_t rank = work.reads.size();
    std::vector<int64_t> widths(rank, 1), low(rank), strides(rank, 1);
    std::vector<int64_t> above(rank, 0);
    for (size_t d = 0; d < rank; ++d)
      low[d] = work.reads[d].offset;
    for (size_t d = 0; d < spans.size(); ++d) {
      const LoopDim &dim = work.loop[d];
      if (dim.reader < 0)
        continue;
      const auto read = size_t(dim.reader);
      const int64_t reach = dim.number * (spans[d].count - 1);
      low[read] += dim.number * spans[d].begin + std::min<int64_t>(reach, 0);
      above[read] -= std::min<int64_t>(reach, 0);
      widths[read] += std::abs(reach);
    }
    int64_t cells = 1;
    first = 0;
    for (size_t d = rank; d-- > 0; cells *= widths[d]) {
      strides[d] = cells;
      first += above[d] * cells;
    }
    // Local cells, or those of the view, one list a dim; −1 for a zero.
    int64_t all = 0;
    for (const int64_t width : widths)
      all += width;
    int64_t *places = grown(scratch.cells, all);
    std::vector<const int64_t *> lists(rank);
    for (size_t d = 0; d < rank; ++d) {
      lists[d] = places;
      for (int64_t e = 0; e < widths[d]; ++e)
        *places++ = find(d, low[d] + e);
    }
    work.field.visit<T>([&](const auto *field) {
      copyRows(field, widths, lists, grown(scratch.box, cells));
    });
    return strides;
  }

  /// The cell's place along a dim, here or in the view.
  int64_t find(size_t d, int64_t index) const {
    const int64_t cell = work.reads[d].cellOf(index);
    if (cell < 0)
      return -1;
    if (!work.halo)
      return cell - work.reads[d].begin;
    const int64_t place = cell - work.halo->origin[d];
    return place < 0 ? place + work.halo->cells[d] : place;
  }

  template <typename S>
  void copyRows(const S *field, const std::vector<int64_t> &widths,
                const std::vector<const int64_t *> &lists, T *to) const {
    const size_t last = widths.size() - 1;
    int64_t rows = 1;
    for (size_t d = 0; d < last; ++d)
      rows *= widths[d];
    std::vector<int64_t> at(last, 0);
    for (int64_t row = 0; row < rows; ++row, to += widths[last]) {
      copyRow(rowAt(field, at, lists), lists[last], widths[last], to);
      for (size_t d = last; d-- > 0;) {
        if (++at[d] < widths[d])
          break;
        at[d] = 0;
      }
    }
  }

  /// Null where it is 0.
  template <typename S>
  const S *rowAt(const S *field, const std::vector<int64_t> &at,
                 const std::vector<const int64_t *> &lists) const {
    int64_t place = 0;
    const bool isView = work.halo && !work.halo->whole;
    for (size_t d = 0; d < at.size(); ++d) {
      const int64_t cell = lists[d][at[d]];
      if (cell < 0)
        return nullptr;
      place += cell * (isView ? work.halo->stride[d] : work.reads[d].stride);
    }
    return isView ? static_cast<const S *>(work.halo->rows[place])
                  : field + place;
  }

  /// In runs of neighbors. Numbers in reduced precision are converted here.
  template <typename S>
  static void copyRow(const S *from, const int64_t *cells, int64_t count,
                      T *to) {
    for (int64_t i = 0; i < count;) {
      if (!from || cells[i] < 0) {
        to[i++] = 0;
        continue;
      }
      int64_t end = i + 1;
      while (end < count && cells[end] == cells[i] + end - i)
        ++end;
      std::copy_n(from + cells[i], end - i, to + i);
      i = end;
    }
  }

  const Convolution &work;
  Dims batches, outputs, places, terms;
  std::vector<int64_t> sizes; ///< of a box, one a loop dim
  Strip strip = Strip::TwoVectors;
  int64_t tiles = 1, blocks = 1, parts = 1;
};

} // namespace

void pmrt::convolve(Threads &threads, const Convolution &work) {
  if (work.element == PMRT_F32)
    HostConvolution<float>(work).run(threads);
  else
    HostConvolution<double>(work).run(threads);
}
