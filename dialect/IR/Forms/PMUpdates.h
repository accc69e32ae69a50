//===- PMUpdates.h - Fields that change in a part of a dim ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if index(q, z) == i then g else f` and f + (`if index(q, z) == i then g
// else 0`) are f but for the cells i of z: updates of f.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMUPDATES_H
#define PMC_DIALECT_IR_FORMS_PMUPDATES_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// A result of a map that is one of its inputs wherever none of the conditions,
/// of which there is one at least, holds.
struct Update {
  unsigned input;
  llvm::SmallVector<mlir::Value> conditions;
};
std::optional<Update> getUpdate(MapOp map, unsigned result);

/// Conditions of which one holds wherever a value of a body is not 0; none if
/// it may be another number anywhere.
std::optional<llvm::SmallVector<mlir::Value>> getSupport(mlir::Value element);

/// Integers from `base` + first to `base` + end, without this; no base is 0.
struct IndexRange {
  std::string dim;
  mlir::Value base;
  int64_t first, end;

  bool isConstant() const { return !base; }
  /// The smallest range that has both; none if that is not known.
  std::optional<IndexRange> join(const IndexRange &other) const;
};
/// Where along a dim one of the conditions can hold; none if that is not known.
std::optional<IndexRange> getRange(DomainOpInterface op,
                                   llvm::ArrayRef<mlir::Value> conditions);

/// Where the map changes what all its results update; none if it is not an
/// update of a part of a dim.
std::optional<IndexRange> getUpdatedRange(MapOp map);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMUPDATES_H
