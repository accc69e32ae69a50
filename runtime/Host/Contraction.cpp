//===- Contraction.cpp - Contractions on the host -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c is cut into tiles, and if these are few, the sums into parts, both by the
// shape alone, so that the bits do not depend on the number of threads. A
// thread makes a tile by products of matrices: large ones are OpenBLAS's. What
// is not a matrix for it is packed first, a block at a time.
//
// Of f32, 512 products are added in f32, which errs by at most 512 units in the
// last place of Σ |a b|; what several of these blocks give is added in f64.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Contraction.h"

#include "runtime/Host/Blas.h"
#include "runtime/Host/Multiply.h"
#include "runtime/Host/Spread.h"

#include <climits>

using namespace pmrt;

namespace {

/// Elements a(i, j) at data + i * ld + j, or the other way round.
template <typename T> struct Matrix {
  const T *data = nullptr;
  int64_t ld = 0;
  bool transposed = false;
};

/// What a thread packs into, and adds up in.
template <typename T> struct Scratch {
  std::vector<T> left, right, product;
  std::vector<double> sum;
};

/// [begin, begin + count).
struct Range {
  int64_t begin = 0, count = 0;
};

using Stride = int64_t ContractionDim::*;

/// Where elements of a range lie, in one of the arrays.
std::vector<int64_t> placesOf(const ContractionDims &dims, Stride stride,
                              Range range) {
  std::vector<int64_t> places(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) {
    int64_t rest = range.begin + i, place = 0;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d].count)
      place += rest % dims[d].count * (dims[d].*stride);
    places[size_t(i)] = place;
  }
  return places;
}

int64_t placeOf(const ContractionDims &dims, Stride stride, int64_t index) {
  return placesOf(dims, stride, {index, 1}).front();
}

/// The distance of neighbors, if it is the same for all; 0 for one element.
bool isUniform(const ContractionDims &dims) { return dims.size() <= 1; }
int64_t strideOf(const ContractionDims &dims, Stride stride) {
  return dims.empty() ? 0 : dims.front().*stride;
}

/// How far the unit of work is cut.
constexpr int64_t tileRows = 256, tileColumns = 512, fewTiles = 16;
/// Products below which a library's call takes longer than the loops.
constexpr int64_t fewProducts = 32 * 32 * 32;

template <typename T> class HostContraction {
public:
  explicit HostContraction(const Contraction &work)
      : work(work), batches(countOf(work.batches)), rows(countOf(work.rows)),
        columns(countOf(work.columns)), terms(countOf(work.terms)),
        downTiles((rows + tileRows - 1) / tileRows),
        acrossTiles((columns + tileColumns - 1) / tileColumns),
        tiles(batches * downTiles * acrossTiles),
        blocks((terms + Contraction::block - 1) / Contraction::block),
        parts(work.ordered ? 1
                           : std::clamp(fewTiles / tiles, int64_t(1), blocks)) {
    const int64_t products =
        std::min(rows, tileRows) * std::min(columns, tileColumns) * terms;
    // A library does the edges of matrices otherwise than their middle.
    large = products > fewProducts && !work.ordered;
    library = large ? blas() : nullptr;
  }

  /// Whether a library would be faster, and is not there.
  bool lacksLibrary() const { return large && !library; }

  void run(Threads &threads) {
    if (parts == 1) {
      spread<Scratch<T>>(threads, tiles, [&](int64_t i, Scratch<T> &scratch) {
        makeTile(tileAt(i), scratch);
      });
      return;
    }
    const int64_t size =
        std::min(rows, tileRows) * std::min(columns, tileColumns);
    std::vector<double> sums(size_t(tiles * parts * size));
    spread<Scratch<T>>(threads, tiles * parts,
                       [&](int64_t i, Scratch<T> &scratch) {
                         const int64_t part = i % parts;
                         addBlocks(tileAt(i / parts), part * blocks / parts,
                                   (part + 1) * blocks / parts, scratch,
                                   sums.data() + i * size);
                       });
    spread<Scratch<T>>(threads, tiles, [&](int64_t i, Scratch<T> &) {
      const Tile tile = tileAt(i);
      double *sum = sums.data() + i * parts * size;
      const int64_t count = tile.rows.count * tile.columns.count;
      for (int64_t part = 1; part < parts; ++part)
        for (int64_t e = 0; e < count; ++e)
          sum[e] += sum[part * size + e];
      store(tile, sum);
    });
  }

private:
  struct Tile {
    int64_t batch = 0;
    Range rows, columns;
  };

  Tile tileAt(int64_t i) const {
    const int64_t column = i % acrossTiles * tileColumns;
    const int64_t row = i / acrossTiles % downTiles * tileRows;
    return {i / acrossTiles / downTiles,
            {row, std::min(tileRows, rows - row)},
            {column, std::min(tileColumns, columns - column)}};
  }

  void makeTile(const Tile &tile, Scratch<T> &scratch) const {
    const int64_t inColumn = strideOf(work.columns, &ContractionDim::c);
    const bool isMatrix = isUniform(work.rows) && isUniform(work.columns) &&
                          (inColumn == 1 || columns == 1);
    const bool isOneCall =
        blocks == 1 || (std::is_same_v<T, double> && !work.ordered);
    if (isMatrix && isOneCall) {
      const int64_t ld =
          std::max(strideOf(work.rows, &ContractionDim::c), tile.columns.count);
      T *c = static_cast<T *>(work.c) +
             placeOf(work.batches, &ContractionDim::c, tile.batch) +
             tile.rows.begin * strideOf(work.rows, &ContractionDim::c) +
             tile.columns.begin * inColumn;
      multiply(tile, {0, terms}, scratch, c, ld);
      return;
    }
    double *sum = grown(scratch.sum, tile.rows.count * tile.columns.count);
    addBlocks(tile, 0, blocks, scratch, sum);
    store(tile, sum);
  }

  void addBlocks(const Tile &tile, int64_t begin, int64_t end,
                 Scratch<T> &scratch, double *sum) const {
    const int64_t count = tile.rows.count * tile.columns.count;
    T *product = grown(scratch.product, count);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * Contraction::block;
      multiply(tile, {first, std::min(Contraction::block, terms - first)},
               scratch, product, tile.columns.count);
      if (block == begin)
        std::copy_n(product, count, sum);
      else
        for (int64_t e = 0; e < count; ++e)
          sum[e] += double(product[e]);
    }
  }

  void store(const Tile &tile, const double *sum) const {
    const auto down = placesOf(work.rows, &ContractionDim::c, tile.rows);
    const auto across =
        placesOf(work.columns, &ContractionDim::c, tile.columns);
    T *c = static_cast<T *>(work.c) +
           placeOf(work.batches, &ContractionDim::c, tile.batch);
    for (const int64_t row : down)
      for (const int64_t column : across)
        c[row + column] = T(*sum++);
  }

  /// A block of a field as a matrix, packed if it is none, or of numbers in
  /// reduced precision.
  template <typename S>
  static Matrix<T> matrixOf(const S *data, Stride stride,
                            const ContractionDims &down, Range rows,
                            const ContractionDims &across, Range columns,
                            std::vector<T> &memory, bool mayTranspose) {
    const int64_t inRow = strideOf(down, stride),
                  inColumn = strideOf(across, stride);
    if constexpr (std::is_same_v<S, T>)
      if (isUniform(down) && isUniform(across)) {
        const T *first = data + rows.begin * inRow + columns.begin * inColumn;
        if (inColumn == 1 || columns.count == 1) {
          const int64_t ld = std::max(inRow, columns.count);
          if (ld <= INT_MAX)
            return {first, ld, false};
        } else if (mayTranspose && (inRow == 1 || rows.count == 1)) {
          const int64_t ld = std::max(inColumn, rows.count);
          if (ld <= INT_MAX)
            return {first, ld, true};
        }
      }
    const auto i = placesOf(down, stride, rows);
    const auto j = placesOf(across, stride, columns);
    T *packed = grown(memory, rows.count * columns.count), *to = packed;
    for (const int64_t row : i)
      for (const int64_t column : j)
        *to++ = data[row + column];
    return {packed, columns.count, false};
  }

  /// One block of terms, to a matrix with dense rows.
  void multiply(const Tile &tile, Range block, Scratch<T> &scratch, T *c,
                int64_t ld) const {
    const bool hasLibrary = library && ld <= INT_MAX && block.count <= INT_MAX;
    const int64_t beginA =
                      placeOf(work.batches, &ContractionDim::a, tile.batch),
                  beginB =
                      placeOf(work.batches, &ContractionDim::b, tile.batch);
    const Matrix<T> a = work.a.visit<T>([&](const auto *data) {
      return matrixOf(data + beginA, &ContractionDim::a, work.rows, tile.rows,
                      work.terms, block, scratch.left, true);
    });
    const Matrix<T> b = work.b.visit<T>([&](const auto *data) {
      return matrixOf(data + beginB, &ContractionDim::b, work.terms, block,
                      work.columns, tile.columns, scratch.right, hasLibrary);
    });
    const int64_t m = tile.rows.count, n = tile.columns.count;
    if (!hasLibrary) {
      multiplyBlock({m, n, block.count}, a.data, a.transposed ? 1 : a.ld,
                    a.transposed ? a.ld : 1, b.data, b.ld, c, ld);
      return;
    }
    const int left = a.transposed ? Blas::transposed : Blas::plain,
              right = b.transposed ? Blas::transposed : Blas::plain;
    if constexpr (std::is_same_v<T, float>)
      library->sgemm(Blas::rowMajor, left, right, int(m), int(n),
                     int(block.count), 1, a.data, int(a.ld), b.data, int(b.ld),
                     0, c, int(ld));
    else
      library->dgemm(Blas::rowMajor, left, right, int(m), int(n),
                     int(block.count), 1, a.data, int(a.ld), b.data, int(b.ld),
                     0, c, int(ld));
  }

  const Contraction &work;
  int64_t batches, rows, columns, terms;
  int64_t downTiles, acrossTiles, tiles, blocks;
  int64_t parts;      ///< that the terms of a tile are cut into
  bool large = false; ///< enough for a library
  const Blas *library = nullptr;
};

} // namespace

template <typename T>
static bool run(Threads &threads, const Contraction &work) {
  HostContraction<T> contraction(work);
  contraction.run(threads);
  return contraction.lacksLibrary();
}

bool pmrt::contract(Threads &threads, const Contraction &work) {
  return work.element == PMRT_F32 ? run<float>(threads, work)
                                  : run<double>(threads, work);
}
