//===- MatrixCall.h - Work on dense matrices over dims ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MATRICES_MATRIXCALL_H
#define PMRT_CORE_MATRICES_MATRIXCALL_H

#include "pmrt/matrices.h"

#include <array>
#include <cstdint>

namespace pmrt {

class Context;
struct MatrixShapes;

/// An array as a batch of matrices with dense rows. A vector has one column.
struct MatrixArray {
  void *data = nullptr;
  int rows = 1, columns = 1;

  int64_t size() const { return int64_t(rows) * columns; }
};

/// The arguments of pmrt_matrices(), with arrays as batches of matrices.
struct MatrixCall {
  pmrt_matrix_kind kind;
  int32_t flags;
  pmrt_element element;
  int64_t count; ///< number of matrices in the batch
  std::array<MatrixArray, 2> in;
  std::array<MatrixArray, 3> out;

  bool has(pmrt_matrix_flag flag) const { return (flags & flag) != 0; }
  bool isComplex() const { return element == PMRT_C64 || element == PMRT_C128; }
  bool isSingle() const { return element == PMRT_F32 || element == PMRT_C64; }
};

/// The call that the descriptor announces, without data.
MatrixCall matrixCall(const Context &context, const MatrixShapes &shapes);

} // namespace pmrt

#endif // PMRT_CORE_MATRICES_MATRIXCALL_H
