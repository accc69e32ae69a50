//===- Activity.h - Dependence on the variables -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_ACTIVITY_H
#define PMC_PASSES_AUTODIFF_ACTIVITY_H

#include "dialect/IR/PM.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

namespace pmc::passes {

/// The values from outside of the op that it or its regions read, once each.
llvm::SetVector<mlir::Value> listRead(mlir::Operation *op);
/// Those that its regions read.
llvm::SetVector<mlir::Value> listCaptured(mlir::Operation *op);

/// The values that depend, by way of real and complex numbers, fields and
/// tables, on some that are given.
class Activity {
public:
  /// `outer` says which values from outside of the code that is looked at are
  /// active.
  explicit Activity(std::function<bool(mlir::Value)> outer)
      : outer(std::move(outer)) {}

  void seed(mlir::Value value) { active.insert(value); }
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  /// Whether the op reads something active.
  bool reads(mlir::Operation *op) const;

  bool isActive(mlir::Value value) const {
    return isLocal(value) || outer(value);
  }
  /// Whether the value was found active here rather than by `outer`.
  bool isLocal(mlir::Value value) const { return active.contains(value); }

private:
  void visitFor(mlir::scf::ForOp loop);
  void visitWhile(mlir::scf::WhileOp loop);
  /// Whether the callee has an adjoint by hand that returns 0 for every active
  /// operand.
  bool isStopped(mlir::func::CallOp call) const;
  /// Marks what takes over from active values; whether there was anything new.
  bool hand(mlir::ValueRange from, mlir::ValueRange to);

  llvm::DenseSet<mlir::Value> active;
  std::function<bool(mlir::Value)> outer;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_ACTIVITY_H
