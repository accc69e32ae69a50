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

/// Whether the op may write any of its results over this operand.
bool canShareBuffer(mlir::OpOperand &operand);

/// A field that a structured op or its terminator hands on: the operand, and
/// the block argument or result that it becomes.
using Tie = std::pair<mlir::OpOperand *, mlir::Value>;

/// All of a function's, outer ops first.
llvm::SmallVector<Tie> getTies(mlir::func::FuncOp function);

class Liveness {
public:
  Liveness(mlir::func::FuncOp function, llvm::ArrayRef<Tie> ties);

  /// Fields in the order of their definition.
  llvm::ArrayRef<mlir::Value> fields() const { return order; }
  /// One after the other; there are several where branches need the field.
  llvm::ArrayRef<Interval> get(mlir::Value field) const {
    return intervals.find(field)->second;
  }
  /// Whether the field is read, or handed on, after the op has run.
  bool isLiveAfter(mlir::Value field, mlir::Operation *op) const;

private:
  void number(mlir::Block &block, int64_t &point);
  void measure(mlir::Value field);

  struct Use {
    mlir::Operation *user;
    int64_t time;
  };
  /// When the block needs a field that is there from `start` on.
  void cover(mlir::Block &block, int64_t start, llvm::ArrayRef<Use> uses,
             llvm::SmallVectorImpl<Interval> &live) const;

  llvm::DenseMap<mlir::Operation *, int64_t> first, last;
  /// Block arguments: when the first of what becomes them is handed on.
  llvm::DenseMap<mlir::Value, int64_t> handedOn;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Interval, 1>> intervals;
  llvm::SmallVector<mlir::Value> order;
};

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_LIVENESS_H
