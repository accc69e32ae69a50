//===- Kernels.h - The runtime's own kernels --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over grid-strided items, none with a barrier. Included by the host,
// too: the declarations check what it launches. No library header: see
// Kernels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_KERNELS_H
#define PMRT_CUDA_KERNELS_H

#include "runtime/CUDA/Grid.h"
#include "runtime/Dist/HaloRows.h"

namespace pmrt::cuda {

/// Of a box: those of a field, and the parts of an element.
constexpr int mostDims = 13;

/// Where a local array lies in the whole one; dims without a split are joined.
struct NoisePlace {
  int32_t rank;
  int64_t shape[mostDims], offset[mostDims], cells[mostDims];
};

/// The largest number of elements of a box, so that 31 bits can number them.
constexpr int64_t mostPairs = (int64_t(1) << 31) - 1;

/// Boxes of `rank` dims: element i is at base + sum of its indices * strides.
/// `factor` and `shift` replace divisions by the counts (see setDivisors).
struct BoxPair {
  int32_t rank;
  int64_t counts[mostDims], from[mostDims], to[mostDims]; ///< strides in bytes
  uint32_t factor[mostDims], shift[mostDims];
};

/// n / counts[d] for n below 2^31. Source: Granlund & Montgomery, "Division by
/// invariant integers using multiplication" (1994), section 4. Because n is
/// below 2^31, the sum does not overflow.
inline uint32_t quotient(const BoxPair &box, int32_t d, uint32_t n) {
  return (uint32_t((uint64_t(box.factor[d]) * n) >> 32) + n) >> box.shift[d];
}

/// Sets `factor` and `shift` for the counts, which are below 2^31.
inline void setDivisors(BoxPair &box) {
  for (int32_t d = 0; d < box.rank; ++d) {
    const auto count = uint64_t(box.counts[d]);
    uint32_t shift = 0;
    while ((uint64_t(1) << shift) < count)
      ++shift;
    box.shift[d] = shift;
    box.factor[d] = uint32_t(
        (((uint64_t(1) << shift) - count) << 32) / (count ? count : 1) + 1);
  }
}

constexpr int mostLoopDims = 2 * mostDims;

/// As Convolution.h has it: the dims of the result first, `kept` of them.
struct ConvolvePlan {
  int32_t kept, loop, reads;
  int32_t reader[mostLoopDims];
  int64_t count[mostLoopDims], number[mostLoopDims], weights[mostLoopDims],
      result[mostLoopDims];
  int32_t edge[mostDims];
  int64_t cells[mostDims], begin[mostDims], stride[mostDims], offset[mostDims],
      divisor[mostDims]; ///< `begin`: the first cell here, or in the view
};

/// A transposing copy of matrices. Steps are in elements.
struct MatrixCopy {
  int32_t element, conjugate;
  int64_t rows, columns; ///< of the matrices that are read
  int64_t fromStep, fromRow, toStep, toRow;
};

/// 16 bytes, which one access loads or stores.
using Unit16 = uint64_t __attribute__((vector_size(16)));

} // namespace pmrt::cuda

// NOLINTBEGIN(readability-identifier-naming): as in the device code.

/// Numbers of `seed`; two to an item.
PMRT_KERNEL void pmrt_noise_f32(pmrt::cuda::NoisePlace place, uint64_t seed,
                                int64_t count, float *out);
PMRT_KERNEL void pmrt_noise_f64(pmrt::cuda::NoisePlace place, uint64_t seed,
                                int64_t count, double *out);

/// The least index of a number that is not finite goes to `first`.
PMRT_KERNEL void pmrt_non_finite_f32(const float *data, int64_t count,
                                     uint64_t *first);
PMRT_KERNEL void pmrt_non_finite_f64(const double *data, int64_t count,
                                     uint64_t *first);

/// The addresses of the rows of a halo.
PMRT_KERNEL void pmrt_halo_rows(pmrt::HaloRows rows, int64_t count,
                                void **table);

PMRT_KERNEL void pmrt_fill_f64(double *data, int64_t count, double value);

/// Combines `blocks` rows of `width` partial results into `lanes` rows: lane l
/// has rows l, l + lanes, ..., in order.
PMRT_KERNEL void pmrt_combine(int32_t kind, int64_t blocks, int64_t width,
                              int64_t lanes, const double *in, double *out);
/// The same with one lane, of `count` columns from `first` on, to an element
/// type.
PMRT_KERNEL void pmrt_combine_f32(int32_t kind, int64_t rows, int64_t width,
                                  int64_t first, int64_t count,
                                  const double *in, float *out);
PMRT_KERNEL void pmrt_combine_f64(int32_t kind, int64_t rows, int64_t width,
                                  int64_t first, int64_t count,
                                  const double *in, double *out);
PMRT_KERNEL void pmrt_combine_i64(int32_t kind, int64_t rows, int64_t width,
                                  int64_t first, int64_t count,
                                  const double *in, int64_t *out);

/// `count` elements of a convolution, an item each. `rows`: those of the view
/// that the field's cells are in, or null.
PMRT_KERNEL void pmrt_convolve_f32(pmrt::cuda::ConvolvePlan plan, int64_t count,
                                   const float *field, void *const *rows,
                                   const float *weights, float *result);
PMRT_KERNEL void pmrt_convolve_f64(pmrt::cuda::ConvolvePlan plan, int64_t count,
                                   const double *field, void *const *rows,
                                   const double *weights, double *result);

/// The same of factors that may have reduced precision, each with its element.
PMRT_KERNEL void
pmrt_convolve_reduced_f32(pmrt::cuda::ConvolvePlan plan, int64_t count,
                          const void *field, int32_t fieldElement,
                          void *const *rows, const void *weights,
                          int32_t weightsElement, float *result);
PMRT_KERNEL void
pmrt_convolve_reduced_f64(pmrt::cuda::ConvolvePlan plan, int64_t count,
                          const void *field, int32_t fieldElement,
                          void *const *rows, const void *weights,
                          int32_t weightsElement, double *result);

/// Copies the input of a convolution: the element of the field for each index
/// of the loop, the last dim fastest, or 0 beyond an edge. The field may have
/// reduced precision.
PMRT_KERNEL void pmrt_patches_f32(pmrt::cuda::ConvolvePlan plan, int64_t count,
                                  const void *field, int32_t element,
                                  void *const *rows, float *out);
PMRT_KERNEL void pmrt_patches_f64(pmrt::cuda::ConvolvePlan plan, int64_t count,
                                  const void *field, int32_t element,
                                  void *const *rows, double *out);

/// Numbers in reduced precision, converted.
PMRT_KERNEL void pmrt_widen_f32(pmrt::cuda::BoxPair box, int64_t count,
                                int32_t element, const char *from, char *to);
PMRT_KERNEL void pmrt_widen_f64(pmrt::cuda::BoxPair box, int64_t count,
                                int32_t element, const char *from, char *to);

PMRT_KERNEL void pmrt_copy_1(pmrt::cuda::BoxPair box, int64_t count,
                             const char *from, char *to);
PMRT_KERNEL void pmrt_copy_4(pmrt::cuda::BoxPair box, int64_t count,
                             const char *from, char *to);
PMRT_KERNEL void pmrt_copy_8(pmrt::cuda::BoxPair box, int64_t count,
                             const char *from, char *to);
PMRT_KERNEL void pmrt_copy_16(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_add_i8(pmrt::cuda::BoxPair box, int64_t count,
                             const char *from, char *to);
PMRT_KERNEL void pmrt_add_i64(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_add_f32(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_add_f64(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
/// NaN beats everything.
PMRT_KERNEL void pmrt_min_f32(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_min_f64(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_max_f32(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);
PMRT_KERNEL void pmrt_max_f64(pmrt::cuda::BoxPair box, int64_t count,
                              const char *from, char *to);

// Kernels for batches of matrices.

/// Marks in `bad`, which is 0 before, the matrices of `size` elements that are
/// not finite. Also marks those with a 0 on the diagonal if `diagonal`, the
/// number of columns, is not 0.
PMRT_KERNEL void pmrt_matrix_check(int32_t element, int64_t count, int64_t size,
                                   int64_t diagonal, const void *from,
                                   int32_t *bad);
/// Writes element (i, j) to (j, i). A bad matrix is replaced by 0.
PMRT_KERNEL void pmrt_matrix_transpose(pmrt::cuda::MatrixCopy copy,
                                       int64_t count, const int32_t *bad,
                                       const void *from, void *to);
/// Writes (A + A*) / 2 for matrices of n rows. A bad matrix is replaced by 0.
PMRT_KERNEL void pmrt_matrix_hermitian(int32_t element, int64_t count,
                                       int64_t n, const int32_t *bad,
                                       const void *from, void *to);
/// Writes NaN to the matrices for which `bad` or `info` is not 0. In the
/// others, writes 0 above the diagonal if `lower`, the number of columns, is
/// not 0.
PMRT_KERNEL void pmrt_matrix_finish(int32_t element, int64_t count,
                                    int64_t size, int64_t lower,
                                    const int32_t *bad, const int32_t *info,
                                    void *data);
/// Divides row k by value k. Sets the row to 0 if value k is at most `least`
/// times value 0.
PMRT_KERNEL void pmrt_matrix_divide(int32_t element, int64_t count,
                                    int64_t rows, int64_t columns, double least,
                                    const void *values, void *data);

// NOLINTEND(readability-identifier-naming)

#endif // PMRT_CUDA_KERNELS_H
