//===- Multiply.cpp - Products of small matrices --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with -ffp-contract=fast: a product and its addition are one FMA.
//
//===----------------------------------------------------------------------===//

#include "runtime/Host/Multiply.h"

using namespace pmrt;

// Sanitizers do not survive the resolvers.
#if defined(__x86_64__) && defined(__ELF__) && !defined(PMRT_NO_CLONES)
#define PMRT_CLONES                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PMRT_CLONES
#endif

static constexpr int64_t rowsAtOnce = 4;

namespace {

/// `Columns` of them; 0: as many as are left, less than eight.
template <typename T, int64_t Rows, int64_t Columns>
[[gnu::always_inline]] inline void
multiplyStrip(ProductShape shape, const T *a, int64_t aRow, int64_t aTerm,
              const T *b, int64_t ldb, T *c, int64_t ldc) {
  T sum[Rows][Columns ? Columns : 8] = {};
  const int64_t width = Columns ? Columns : shape.columns;
  for (int64_t k = 0; k < shape.terms; ++k)
    for (int64_t i = 0; i < Rows; ++i) {
      const T factor = a[i * aRow + k * aTerm];
      for (int64_t j = 0; j < width; ++j)
        sum[i][j] += factor * b[k * ldb + j];
    }
  for (int64_t i = 0; i < Rows; ++i)
    for (int64_t j = 0; j < width; ++j)
      c[i * ldc + j] = sum[i][j];
}

template <typename T, int64_t Columns>
[[gnu::always_inline]] inline void
multiplyStrips(ProductShape shape, const T *a, int64_t aRow, int64_t aTerm,
               const T *b, int64_t ldb, T *c, int64_t ldc) {
  int64_t i = 0;
  for (; i + rowsAtOnce <= shape.rows; i += rowsAtOnce)
    multiplyStrip<T, rowsAtOnce, Columns>(shape, a + i * aRow, aRow, aTerm, b,
                                          ldb, c + i * ldc, ldc);
  for (; i < shape.rows; ++i)
    multiplyStrip<T, 1, Columns>(shape, a + i * aRow, aRow, aTerm, b, ldb,
                                 c + i * ldc, ldc);
}

template <typename T>
[[gnu::always_inline]] inline void
multiplyAll(ProductShape shape, const T *a, int64_t aRow, int64_t aTerm,
            const T *b, int64_t ldb, T *c, int64_t ldc) {
  int64_t left = shape.columns;
  for (; left >= 32; left -= 32, b += 32, c += 32)
    multiplyStrips<T, 32>(shape, a, aRow, aTerm, b, ldb, c, ldc);
  for (; left >= 16; left -= 16, b += 16, c += 16)
    multiplyStrips<T, 16>(shape, a, aRow, aTerm, b, ldb, c, ldc);
  for (; left >= 8; left -= 8, b += 8, c += 8)
    multiplyStrips<T, 8>(shape, a, aRow, aTerm, b, ldb, c, ldc);
  shape.columns = left;
  if (left > 0)
    multiplyStrips<T, 0>(shape, a, aRow, aTerm, b, ldb, c, ldc);
}

/// So many elements; `Bytes` in all.
template <typename T, int64_t Bytes> struct Lanes {
  using Type [[gnu::vector_size(Bytes)]] = T;
  static constexpr int64_t count = Bytes / int64_t(sizeof(T));
};

template <Strip strip, typename T>
[[gnu::always_inline]] inline void
gatherStrip(int64_t count, const T *a, const int64_t *rows,
            const int64_t *terms, const T *b, double *sum, int64_t ld,
            bool first) {
  constexpr int64_t vectors = strip == Strip::TwoVectors ? 2 : 1;
  using Vector = typename Lanes<T, bytesOf(strip) / vectors>::Type;
  constexpr int64_t lanes = Lanes<T, bytesOf(strip) / vectors>::count;
  constexpr int64_t height = rowsOf(strip);
  Vector total[height][vectors] = {};
  const T *from[height];
  for (int64_t i = 0; i < height; ++i)
    from[i] = a + rows[i];
  for (int64_t k = 0; k < count; ++k, b += vectors * lanes) {
    Vector factor[vectors];
    for (int64_t h = 0; h < vectors; ++h)
      __builtin_memcpy(&factor[h], b + h * lanes, sizeof(Vector));
    const int64_t term = terms[k];
    for (int64_t i = 0; i < height; ++i) {
      const T one = from[i][term];
      for (int64_t h = 0; h < vectors; ++h)
        total[i][h] += one * factor[h];
    }
  }
  for (int64_t i = 0; i < height; ++i, sum += ld)
    for (int64_t h = 0; h < vectors; ++h)
      for (int64_t j = 0; j < lanes; ++j)
        sum[h * lanes + j] =
            (first ? 0.0 : sum[h * lanes + j]) + double(total[i][h][j]);
}

template <typename T>
[[gnu::always_inline]] inline void
gather(int64_t count, const T *a, const int64_t *rows, const int64_t *terms,
       const T *b, double *sum, int64_t ld, Strip strip, bool first) {
  switch (strip) {
  case Strip::TwoVectors:
    return gatherStrip<Strip::TwoVectors>(count, a, rows, terms, b, sum, ld,
                                          first);
  case Strip::OneVector:
    return gatherStrip<Strip::OneVector>(count, a, rows, terms, b, sum, ld,
                                         first);
  case Strip::HalfVector:
    return gatherStrip<Strip::HalfVector>(count, a, rows, terms, b, sum, ld,
                                          first);
  }
}

} // namespace

PMRT_CLONES
void pmrt::multiplyGathered(int64_t count, const float *a, const int64_t *rows,
                            const int64_t *terms, const float *b, double *sum,
                            int64_t ld, Strip strip, bool first) {
  gather(count, a, rows, terms, b, sum, ld, strip, first);
}

PMRT_CLONES
void pmrt::multiplyGathered(int64_t count, const double *a, const int64_t *rows,
                            const int64_t *terms, const double *b, double *sum,
                            int64_t ld, Strip strip, bool first) {
  gather(count, a, rows, terms, b, sum, ld, strip, first);
}

PMRT_CLONES
void pmrt::multiplyBlock(ProductShape shape, const float *a, int64_t aRow,
                         int64_t aTerm, const float *b, int64_t ldb, float *c,
                         int64_t ldc) {
  multiplyAll(shape, a, aRow, aTerm, b, ldb, c, ldc);
}

PMRT_CLONES
void pmrt::multiplyBlock(ProductShape shape, const double *a, int64_t aRow,
                         int64_t aTerm, const double *b, int64_t ldb, double *c,
                         int64_t ldc) {
  multiplyAll(shape, a, aRow, aTerm, b, ldb, c, ldc);
}
