//===- Margins.h - Cells that are read beyond a rank's part -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_MARGINS_H
#define PMC_PASSES_SHARDING_MARGINS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// How far readings of a field go along each of its dims; also where the
/// parts of a dim and a coarser one, of so many blocks, meet.
struct Margin {
  llvm::SmallVector<int64_t> below, above, blocks, meetingBelow, meetingAbove;

  explicit Margin(size_t rank)
      : below(rank, 0), above(rank, 0), blocks(rank, 0), meetingBelow(rank, 0),
        meetingAbove(rank, 0) {}

  using Widths = std::pair<int64_t, int64_t>;
  void add(size_t dim, Widths apart, Widths meeting, int64_t count);
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    pm::DimsAttr dims) const;
};

/// Where the field's cells come: before the loops that do not change it.
mlir::Operation *getExchangePlace(mlir::Operation *reader, mlir::Value field);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_MARGINS_H
