//===- Neighbors.h - What is read at neighbors, computed there -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_NEIGHBORS_H
#define PMC_PASSES_OPTIMIZE_NEIGHBORS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// What a pm.neighbor reads.
struct NeighborRead {
  mlir::Value field;
  llvm::ArrayRef<int64_t> offsets;
  bool isPeriodic; ///< along all dims with an offset
};
/// Of an op that reads a neighbor.
std::optional<NeighborRead> getNeighborRead(mlir::Operation *op);

/// Whether the op takes an instruction or two: arithmetic without divisions.
bool isCheapOp(mlir::Operation *op);

/// What is read at no offset becomes an input. Where neighbors of a cheap map
/// of one field are read, the field's neighbors are read instead, and the map
/// is computed there. Cheap: it reads one element, and its operations at all
/// neighbors together are few. What reads more stays a field, as the reads
/// would multiply. Returns how many were computed anew.
unsigned inlineAtNeighbors(mlir::Operation *function, unsigned mostOperations);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_NEIGHBORS_H
