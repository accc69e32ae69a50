//===- Contraction.h - A sum of products of two fields ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MATRICES_CONTRACTION_H
#define PMRT_CORE_MATRICES_CONTRACTION_H

#include "runtime/Core/Matrices/Factor.h"

#include "pmrt/pmrt.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pmrt {

class Context;
class Threads;

/// A dim, or neighbors that are one in every array that has them.
struct ContractionDim {
  int64_t count = 1;
  int64_t a = 0, b = 0, c = 0; ///< strides in elements; 0: does not have it
};

/// Outermost first.
using ContractionDims = std::vector<ContractionDim>;

int64_t countOf(const ContractionDims &dims);
/// Adds a dim. Joins it with the last one if both are contiguous in every
/// array.
void appendDim(ContractionDims &dims, const ContractionDim &dim);

/// c = sum over terms of a * b: of each batch, a matrix of rows and terms times
/// one of terms and columns. All counts are at least 1, and the last dim of c
/// is not a row, if there are columns.
struct Contraction {
  pmrt_element element = PMRT_F64; ///< of c
  Factor a, b;
  void *c = nullptr;
  ContractionDims batches, rows, columns, terms;
  /// An element's bits must depend on its terms alone, not on what else is
  /// made.
  bool ordered = false;

  /// Products of f32 that are added in f32 at most.
  static constexpr int64_t block = 512;
};

/// Exchanges the factors, so that rows of c become columns.
void transpose(Contraction &work);

/// The contraction of pmrt_contract. None if there is nothing to multiply. Then
/// `isZero` is true if c has elements, all of which are 0.
std::optional<Contraction> makeContraction(const Context &context, pmrt_loc loc,
                                           const pmrt_array &a,
                                           const pmrt_array &b,
                                           const pmrt_array &c, bool &isZero);

/// Throws an internal error if ranks have parts of a dim that is summed over,
/// in a program whose bits must not depend on them.
void checkWhole(const Context &context, pmrt_loc loc, int32_t dim);

/// On the host's cores. The bits do not depend on their number. Whether
/// OpenBLAS would have made it, and is not there.
bool contract(Threads &threads, const Contraction &work);

} // namespace pmrt

#endif // PMRT_CORE_MATRICES_CONTRACTION_H
