//===- PMTaps.h - Elements that a cell is computed from ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMTAPS_H
#define PMC_DIALECT_IR_FORMS_PMTAPS_H

#include "mlir/IR/Operation.h"

namespace pmc::pm {

/// An element of a field, at an offset from the cell that is computed.
struct Tap {
  size_t field;
  llvm::ArrayRef<int64_t> offsets; ///< one each dim
};

/// From an attribute `taps`: for each tap the number of a field and `rank`
/// offsets.
llvm::SmallVector<Tap> getTaps(llvm::ArrayRef<int64_t> numbers, size_t rank);

/// How far taps are below and above of the cell along a dim.
std::pair<int64_t, int64_t> getDistance(llvm::ArrayRef<Tap> taps, size_t dim);

/// Checks a region that computes cells: either there are neither taps nor a
/// region, or it has an argument for each tap, of one of `fields` fields, and
/// yields `values` numbers. All of these are of type `element`.
llvm::LogicalResult verifyCell(mlir::Operation *op, mlir::Region &cell,
                               std::optional<llvm::ArrayRef<int64_t>> numbers,
                               size_t rank, size_t fields, size_t values,
                               mlir::Type element);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMTAPS_H
