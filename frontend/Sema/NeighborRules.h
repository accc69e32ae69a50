//===- NeighborRules.h - Indexes of fields ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for f[x + 1] and shift(f, x = 1). A rule returns what is wrong, or an
// empty text.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NEIGHBORRULES_H
#define PMC_FRONTEND_SEMA_NEIGHBORRULES_H

#include "frontend/Sema/Value.h"

namespace pmc {

/// Position of a dim of a field with the name of `dim`, or -1.
int findDimOf(DimList dims, const Dim &dim);

/// An index without the name of the dim that it counts along: `factors` are the
/// numbers of dims in its sum.
std::string checkPlainIndex(llvm::ArrayRef<int64_t> factors);
/// What is read at an index that picks no component. `hasDim`: the index has a
/// dim.
std::string explainNoNeighbors(const Value &base, bool hasDim, bool isElement);

/// Why offsets of both kinds have no common edge.
std::string explainEdgesApart();

/// A number of cells along a dim.
struct Offset {
  Dim dim;
  int64_t cells;
  bool isReflected; ///< its edge is "reflect"
};
/// Along the dims of a field; `at` is the first offset that is wrong.
std::string checkOffsets(DimList dims, llvm::ArrayRef<Offset> offsets,
                         size_t &at);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NEIGHBORRULES_H
