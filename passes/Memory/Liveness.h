//===- Liveness.h - When a field is live ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program points are a depth-first numbering of a structured function. The op
// at point t reads at time 2t and writes at 2t + 1; an op with regions has a
// first and a last point around those of its body.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_LIVENESS_H
#define PMC_PASSES_MEMORY_LIVENESS_H

#include "dialect/IR/PM.h"

#include "llvm/ADT/MapVector.h"

namespace pmc::passes {

struct Interval {
  int64_t start, end; // both included
  bool overlaps(const Interval &other) const {
    return start <= other.end && other.start <= end;
  }
};

/// Whether the op may write a result over this operand's own element.
bool readsElementwise(mlir::OpOperand &operand);
/// Whether the op spoils the operand's contents.
bool destroys(mlir::OpOperand &operand);

class Liveness {
public:
  explicit Liveness(mlir::func::FuncOp function);

  /// Fields in the order of their definition.
  llvm::ArrayRef<mlir::Value> fields() const { return order; }
  Interval get(mlir::Value field) const { return intervals.lookup(field); }
  int64_t firstPoint(mlir::Operation *op) const { return first.lookup(op); }
  int64_t lastPoint(mlir::Operation *op) const { return last.lookup(op); }

private:
  void number(mlir::Block &block, int64_t &point);
  void measure(mlir::Value field);

  llvm::DenseMap<mlir::Operation *, int64_t> first, last;
  llvm::DenseMap<mlir::Value, Interval> intervals;
  llvm::SmallVector<mlir::Value> order;
};

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_LIVENESS_H
