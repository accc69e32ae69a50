//===- Kernels.cpp - The runtime's own kernels ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain C++ that clang compiles to PTX (no CUDA toolkit, no library header, no
// fused operations), and for tests to host code.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Kernels.h"

#include "pmrt/pmrt_cuda.h"
#include "runtime/Base/ReducedPrecision.h"
#include "runtime/Core/WhiteNoise.h"

using namespace pmrt;
using namespace pmrt::cuda;

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

static inline uint64_t globalIndex(const NoisePlace &place, int64_t local) {
  uint64_t index = 0, stride = 1;
  for (int32_t d = place.rank; d-- > 0;) {
    const int64_t at = place.rank == 1 ? local : local % place.shape[d];
    index += stride * uint64_t(at + place.offset[d]);
    stride *= uint64_t(place.cells[d]);
    local /= place.shape[d];
  }
  return index;
}

template <typename T>
static inline void noise(const NoisePlace &place, uint64_t seed, int64_t count,
                         T *out) {
  forItems((count + 1) / 2, [&](int64_t item) {
    const int64_t i = 2 * item;
    const uint64_t index = globalIndex(place, i);
    double even, odd;
    normalPair(seed, index / 2, even, odd);
    out[i] = T(index % 2 ? odd : even);
    if (i + 1 == count)
      return;
    const uint64_t next = globalIndex(place, i + 1);
    if (next / 2 != index / 2)
      normalPair(seed, next / 2, even, odd);
    out[i + 1] = T(next % 2 ? odd : even);
  });
}

void pmrt_noise_f32(NoisePlace place, uint64_t seed, int64_t count,
                    float *out) {
  noise(place, seed, count, out);
}

void pmrt_noise_f64(NoisePlace place, uint64_t seed, int64_t count,
                    double *out) {
  noise(place, seed, count, out);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The cell of the field at an index q u; -1 where it is 0. As in
/// Core/Matrices/Convolution.cpp.
static inline int64_t cellOf(const ConvolvePlan &plan, int32_t d,
                             int64_t index) {
  const int64_t divisor = plan.divisor[d], last = plan.cells[d] - 1,
                all = divisor * plan.cells[d];
  // A division takes many instructions, and few indices are beyond the ends.
  if (plan.edge[d] == PMRT_EDGE_PERIODIC && (index < 0 || index >= all))
    index = (index % all + all) % all;
  if (divisor != 1) {
    if (index % divisor != 0)
      return -1;
    index /= divisor;
  }
  if (plan.edge[d] == PMRT_EDGE_ZERO)
    return index < 0 || index > last ? -1 : index;
  if (plan.edge[d] == PMRT_EDGE_CLAMP)
    return index < 0 ? 0 : index > last ? last : index;
  if (plan.edge[d] == PMRT_EDGE_REFLECT) {
    index = index < 0 ? -index : index;
    return index > last ? 2 * last - index : index;
  }
  return index;
}

/// The element `place` of the result; null where it is 0.
static inline const void *cellAt(const ConvolvePlan &plan,
                                 const int64_t *indexes, const void *field,
                                 void *const *rows, int64_t &place) {
  place = 0;
  for (int32_t d = 0; d < plan.reads; ++d) {
    int64_t cell = cellOf(plan, d, indexes[d]);
    if (cell < 0)
      return nullptr;
    cell -= plan.begin[d];
    if (rows && cell < 0)
      cell += plan.cells[d];
    if (rows && d + 1 == plan.reads) {
      const void *row = rows[place];
      place = cell;
      return row;
    }
    place += cell * plan.stride[d];
  }
  return field;
}

template <typename T>
static inline double plainAt(const void *data, int64_t i) {
  return double(static_cast<const T *>(data)[i]);
}

/// Of a factor, which may have reduced precision.
template <typename T>
static inline double factorAt(int32_t element, const void *data, int64_t i) {
  return element == PMRT_BF16  ? plainAt<Brain>(data, i)
         : element == PMRT_F16 ? plainAt<Half>(data, i)
                               : plainAt<T>(data, i);
}

template <typename T, typename FieldAt, typename WeightAt>
static inline void convolve(const ConvolvePlan &plan, int64_t count,
                            const void *field, const FieldAt &fieldAt,
                            void *const *rows, const void *weights,
                            const WeightAt &weightAt, T *result) {
  forItems(count, [&](int64_t item) {
    int64_t indexes[mostDims], at[mostLoopDims], to = 0, from = 0;
    for (int32_t d = 0; d < plan.reads; ++d)
      indexes[d] = plan.offset[d];
    for (int32_t p = plan.kept; p-- > 0;) {
      const int64_t i = item % plan.count[p];
      item /= plan.count[p];
      to += i * plan.result[p];
      from += i * plan.weights[p];
      if (plan.reader[p] >= 0)
        indexes[plan.reader[p]] += i * plan.number[p];
    }
    for (int32_t p = plan.kept; p < plan.loop; ++p)
      at[p] = 0;
    double sum = 0;
    for (;;) {
      int64_t place;
      if (const void *cells = cellAt(plan, indexes, field, rows, place))
        sum += fieldAt(cells, place) * weightAt(weights, from);
      int32_t p = plan.loop;
      for (; p-- > plan.kept;) {
        from += plan.weights[p];
        indexes[plan.reader[p]] += plan.number[p];
        if (++at[p] < plan.count[p])
          break;
        from -= at[p] * plan.weights[p];
        indexes[plan.reader[p]] -= at[p] * plan.number[p];
        at[p] = 0;
      }
      if (p < plan.kept)
        break;
    }
    result[to] = T(sum);
  });
}

void pmrt_convolve_f32(ConvolvePlan plan, int64_t count, const float *field,
                       void *const *rows, const float *weights, float *result) {
  convolve(plan, count, field, plainAt<float>, rows, weights, plainAt<float>,
           result);
}

void pmrt_convolve_f64(ConvolvePlan plan, int64_t count, const double *field,
                       void *const *rows, const double *weights,
                       double *result) {
  convolve(plan, count, field, plainAt<double>, rows, weights, plainAt<double>,
           result);
}

template <typename T>
static inline void patches(const ConvolvePlan &plan, int64_t count,
                           const void *field, int32_t element,
                           void *const *rows, T *out) {
  forItems(count, [&](int64_t item) {
    int64_t indexes[mostDims];
    for (int32_t d = 0; d < plan.reads; ++d)
      indexes[d] = plan.offset[d];
    auto rest = uint32_t(item); // a patch has less than 2^31 elements
    for (int32_t p = plan.loop; p-- > 0;) {
      const auto size = uint32_t(plan.count[p]);
      const uint32_t i = rest % size;
      rest /= size;
      if (plan.reader[p] >= 0)
        indexes[plan.reader[p]] += int64_t(i) * plan.number[p];
    }
    int64_t place;
    const void *cells = cellAt(plan, indexes, field, rows, place);
    out[item] = cells ? T(factorAt<T>(element, cells, place)) : T(0);
  });
}

void pmrt_patches_f32(ConvolvePlan plan, int64_t count, const void *field,
                      int32_t element, void *const *rows, float *out) {
  patches(plan, count, field, element, rows, out);
}

void pmrt_patches_f64(ConvolvePlan plan, int64_t count, const void *field,
                      int32_t element, void *const *rows, double *out) {
  patches(plan, count, field, element, rows, out);
}

template <typename T>
static inline void convolveReduced(const ConvolvePlan &plan, int64_t count,
                                   const void *field, int32_t fieldElement,
                                   void *const *rows, const void *weights,
                                   int32_t weightsElement, T *result) {
  convolve(
      plan, count, field,
      [=](const void *data, int64_t i) {
        return factorAt<T>(fieldElement, data, i);
      },
      rows, weights,
      [=](const void *data, int64_t i) {
        return factorAt<T>(weightsElement, data, i);
      },
      result);
}

void pmrt_convolve_reduced_f32(ConvolvePlan plan, int64_t count,
                               const void *field, int32_t fieldElement,
                               void *const *rows, const void *weights,
                               int32_t weightsElement, float *result) {
  convolveReduced(plan, count, field, fieldElement, rows, weights,
                  weightsElement, result);
}

void pmrt_convolve_reduced_f64(ConvolvePlan plan, int64_t count,
                               const void *field, int32_t fieldElement,
                               void *const *rows, const void *weights,
                               int32_t weightsElement, double *result) {
  convolveReduced(plan, count, field, fieldElement, rows, weights,
                  weightsElement, result);
}

//===----------------------------------------------------------------------===//
// Values that are not finite
//===----------------------------------------------------------------------===//

template <typename Bits, Bits exponent, typename T>
static inline void nonFinite(const T *data, int64_t count, uint64_t *first) {
  forItems(count, [&](int64_t i) {
    Bits bits;
    __builtin_memcpy(&bits, data + i, sizeof bits);
    if ((bits & exponent) == exponent)
      __atomic_fetch_min(first, uint64_t(i), __ATOMIC_RELAXED);
  });
}

void pmrt_non_finite_f32(const float *data, int64_t count, uint64_t *first) {
  nonFinite<uint32_t, 0x7F800000u>(data, count, first);
}

void pmrt_non_finite_f64(const double *data, int64_t count, uint64_t *first) {
  nonFinite<uint64_t, 0x7FF0000000000000u>(data, count, first);
}

void pmrt_halo_rows(HaloRows rows, int64_t count, void **table) {
  forItems(count, [&](int64_t row) { table[row] = rowAddress(rows, row); });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void pmrt_fill_f64(double *data, int64_t count, double value) {
  forItems(count, [&](int64_t i) { data[i] = value; });
}

/// As combine of Base/Reduce.h: NaN wins.
static inline double combined(int32_t kind, double a, double b) {
  if (kind == PMRT_SUM)
    return a + b;
  if (a != a || b != b)
    return __builtin_nan("");
  return (kind == PMRT_MIN) == (b < a) ? b : a;
}

static inline double startOf(int32_t kind) {
  return kind == PMRT_SUM   ? 0.0
         : kind == PMRT_MIN ? __builtin_inf()
                            : -__builtin_inf();
}

void pmrt_combine(int32_t kind, int64_t blocks, int64_t width, int64_t lanes,
                  const double *in, double *out) {
  forItems(lanes * width, [&](int64_t item) {
    double all = startOf(kind);
    for (int64_t row = item / width; row < blocks; row += lanes)
      all = combined(kind, all, in[row * width + item % width]);
    out[item] = all;
  });
}

template <typename T>
static inline void combineTo(int32_t kind, int64_t rows, int64_t width,
                             int64_t first, int64_t count, const double *in,
                             T *out) {
  forItems(count, [&](int64_t i) {
    double all = startOf(kind);
    for (int64_t row = 0; row < rows; ++row)
      all = combined(kind, all, in[row * width + first + i]);
    out[i] = T(all);
  });
}

void pmrt_combine_f32(int32_t kind, int64_t rows, int64_t width, int64_t first,
                      int64_t count, const double *in, float *out) {
  combineTo(kind, rows, width, first, count, in, out);
}

void pmrt_combine_f64(int32_t kind, int64_t rows, int64_t width, int64_t first,
                      int64_t count, const double *in, double *out) {
  combineTo(kind, rows, width, first, count, in, out);
}

void pmrt_combine_i64(int32_t kind, int64_t rows, int64_t width, int64_t first,
                      int64_t count, const double *in, int64_t *out) {
  combineTo(kind, rows, width, first, count, in, out);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Calls body(from, to) for `count` elements of a box, at most `mostPairs`.
template <typename Body>
static inline void forPairs(const BoxPair &box, int64_t count, const char *from,
                            char *to, const Body &body) {
  forItems(count, [&](int64_t item) {
    int64_t a = 0, b = 0;
    auto rest = uint32_t(item);
    for (int32_t d = box.rank; d-- > 1;) {
      const uint32_t outer = quotient(box, d, rest);
      const int64_t i = rest - outer * uint32_t(box.counts[d]);
      rest = outer;
      a += i * box.from[d];
      b += i * box.to[d];
    }
    a += rest * box.from[0];
    b += rest * box.to[0];
    body(from + a, to + b);
  });
}

template <typename T>
static inline void copy(const BoxPair &box, int64_t count, const char *from,
                        char *to) {
  forPairs(box, count, from, to, [](const char *a, char *b) {
    *reinterpret_cast<T *>(b) = *reinterpret_cast<const T *>(a);
  });
}

template <typename T>
static inline void widen(const BoxPair &box, int64_t count, int32_t element,
                         const char *from, char *to) {
  forPairs(box, count, from, to, [=](const char *a, char *b) {
    *reinterpret_cast<T *>(b) = T(factorAt<T>(element, a, 0));
  });
}

void pmrt_widen_f32(BoxPair box, int64_t count, int32_t element,
                    const char *from, char *to) {
  widen<float>(box, count, element, from, to);
}

void pmrt_widen_f64(BoxPair box, int64_t count, int32_t element,
                    const char *from, char *to) {
  widen<double>(box, count, element, from, to);
}

template <typename T>
static inline void add(const BoxPair &box, int64_t count, const char *from,
                       char *to) {
  forPairs(box, count, from, to, [](const char *a, char *b) {
    *reinterpret_cast<T *>(b) =
        T(*reinterpret_cast<T *>(b) + *reinterpret_cast<const T *>(a));
  });
}

/// NaN beats everything.
template <typename T, bool isMax>
static inline void extreme(const BoxPair &box, int64_t count, const char *from,
                           char *to) {
  forPairs(box, count, from, to, [](const char *a, char *b) {
    const T now = *reinterpret_cast<const T *>(a);
    T &old = *reinterpret_cast<T *>(b);
    const bool isBeyond = isMax ? now > old : now < old;
    if (isBeyond || __builtin_isunordered(now, now))
      old = now;
  });
}

void pmrt_copy_1(BoxPair box, int64_t count, const char *from, char *to) {
  copy<uint8_t>(box, count, from, to);
}

void pmrt_copy_4(BoxPair box, int64_t count, const char *from, char *to) {
  copy<uint32_t>(box, count, from, to);
}

void pmrt_copy_8(BoxPair box, int64_t count, const char *from, char *to) {
  copy<uint64_t>(box, count, from, to);
}

void pmrt_copy_16(BoxPair box, int64_t count, const char *from, char *to) {
  copy<Unit16>(box, count, from, to);
}

void pmrt_add_i8(BoxPair box, int64_t count, const char *from, char *to) {
  add<int8_t>(box, count, from, to);
}

void pmrt_add_i64(BoxPair box, int64_t count, const char *from, char *to) {
  add<int64_t>(box, count, from, to);
}

void pmrt_add_f32(BoxPair box, int64_t count, const char *from, char *to) {
  add<float>(box, count, from, to);
}

void pmrt_add_f64(BoxPair box, int64_t count, const char *from, char *to) {
  add<double>(box, count, from, to);
}

void pmrt_min_f32(BoxPair box, int64_t count, const char *from, char *to) {
  extreme<float, false>(box, count, from, to);
}

void pmrt_min_f64(BoxPair box, int64_t count, const char *from, char *to) {
  extreme<double, false>(box, count, from, to);
}

void pmrt_max_f32(BoxPair box, int64_t count, const char *from, char *to) {
  extreme<float, true>(box, count, from, to);
}

void pmrt_max_f64(BoxPair box, int64_t count, const char *from, char *to) {
  extreme<double, true>(box, count, from, to);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Calls body(real number, parts of an element) for an element type.
template <typename Body>
static inline void forElement(int32_t element, const Body &body) {
  if (element == PMRT_F32)
    body(0.0F, 1);
  else if (element == PMRT_F64)
    body(0.0, 1);
  else if (element == PMRT_C64)
    body(0.0F, 2);
  else
    body(0.0, 2);
}

static inline bool isFinite(float x) {
  return __builtin_fabsf(x) <= __FLT_MAX__;
}
static inline bool isFinite(double x) {
  return __builtin_fabs(x) <= __DBL_MAX__;
}

void pmrt_matrix_check(int32_t element, int64_t count, int64_t size,
                       int64_t diagonal, const void *from, int32_t *bad) {
  forElement(element, [&](auto zero, int parts) {
    using T = decltype(zero);
    const auto *data = static_cast<const T *>(from);
    forItems(count * size, [&](int64_t item) {
      const T re = data[item * parts],
              im = parts == 2 ? data[item * 2 + 1] : T(0);
      const int64_t place = item % size;
      const bool isBad = !isFinite(re) || !isFinite(im) ||
                         (diagonal != 0 && re == 0 && im == 0 &&
                          place / diagonal == place % diagonal);
      if (isBad)
        __atomic_fetch_or(bad + item / size, 1, __ATOMIC_RELAXED);
    });
  });
}

void pmrt_matrix_transpose(MatrixCopy copy, int64_t count, const int32_t *bad,
                           const void *from, void *to) {
  forElement(copy.element, [&](auto zero, int parts) {
    using T = decltype(zero);
    const int64_t size = copy.rows * copy.columns;
    forItems(count * size, [&](int64_t item) {
      const int64_t matrix = item / size, i = item % size / copy.columns,
                    j = item % copy.columns;
      const T *in = static_cast<const T *>(from) +
                    parts * (matrix * copy.fromStep + i * copy.fromRow + j);
      T *out = static_cast<T *>(to) +
               parts * (matrix * copy.toStep + j * copy.toRow + i);
      const bool isZero = bad && bad[matrix] != 0;
      out[0] = isZero ? T(0) : in[0];
      if (parts == 2)
        out[1] = isZero ? T(0) : copy.conjugate ? -in[1] : in[1];
    });
  });
}

void pmrt_matrix_hermitian(int32_t element, int64_t count, int64_t n,
                           const int32_t *bad, const void *from, void *to) {
  forElement(element, [&](auto zero, int parts) {
    using T = decltype(zero);
    forItems(count * n * n, [&](int64_t item) {
      const int64_t matrix = item / (n * n), i = item % (n * n) / n,
                    j = item % n;
      const T *one = static_cast<const T *>(from) + parts * item;
      const T *other =
          static_cast<const T *>(from) + parts * ((matrix * n + j) * n + i);
      T *out = static_cast<T *>(to) + parts * item;
      const bool isZero = bad[matrix] != 0;
      out[0] = isZero ? T(0) : T(0.5) * (one[0] + other[0]);
      if (parts == 2)
        out[1] = isZero ? T(0) : T(0.5) * (one[1] - other[1]);
    });
  });
}

void pmrt_matrix_finish(int32_t element, int64_t count, int64_t size,
                        int64_t lower, const int32_t *bad, const int32_t *info,
                        void *data) {
  forElement(element, [&](auto zero, int parts) {
    using T = decltype(zero);
    forItems(count * size, [&](int64_t item) {
      const int64_t matrix = item / size, place = item % size;
      const bool isBad = bad[matrix] != 0 || info[matrix] != 0;
      const bool isAbove = lower != 0 && place % lower > place / lower;
      T *out = static_cast<T *>(data) + parts * item;
      for (int part = 0; part < parts; ++part)
        if (isBad || isAbove)
          out[part] = isBad ? T(__builtin_nan("")) : T(0);
    });
  });
}

void pmrt_matrix_divide(int32_t element, int64_t count, int64_t rows,
                        int64_t columns, double least, const void *values,
                        void *data) {
  forElement(element, [&](auto zero, int parts) {
    using T = decltype(zero);
    forItems(count * rows * columns, [&](int64_t item) {
      const int64_t row = item / columns, matrix = row / rows;
      const T value = static_cast<const T *>(values)[row],
              first = static_cast<const T *>(values)[matrix * rows];
      T *out = static_cast<T *>(data) + parts * item;
      for (int part = 0; part < parts; ++part)
        out[part] =
            double(value) > least * double(first) ? out[part] / value : T(0);
    });
  });
}
