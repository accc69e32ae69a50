//===- PMIndexes.h - Indices that are sums of those of other dims -*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMINDEXES_H
#define PMC_DIALECT_IR_FORMS_PMINDEXES_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// The index along one dim that a pm.view reads, Σ c j_p + o.
struct ReadIndex {
  struct Term {
    size_t dim; // of those that make the index
    int64_t number;
  };
  llvm::SmallVector<Term, 2> terms;
  int64_t offset;
  Edge edge;
  /// Cells of the dim, and the least and the largest index without starts.
  int64_t cells, low, high;

  bool isInside() const { return low >= 0 && high < cells; }
};

llvm::SmallVector<ReadIndex> getReadIndexes(ViewOp op);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMINDEXES_H
