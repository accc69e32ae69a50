//===- LoopStep.h - One step of a loop backwards ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_LOOPSTEP_H
#define PMC_PASSES_AUTODIFF_LOOPSTEP_H

#include "passes/Autodiff/Reverse.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/BitVector.h"

namespace pmc::passes {

/// The steps of a loop, counted from 0.
class Steps {
public:
  Steps(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

  mlir::Value getCount() const { return count; }
  mlir::Value getZero() const { return zero; }
  mlir::Value getOne() const { return one; }
  /// The step that comes when `done` have been reversed.
  mlir::Value getFromEnd(mlir::OpBuilder &builder, mlir::Value done) const;

  /// The loop's variable in a step.
  mlir::Value getVariable(mlir::OpBuilder &builder, mlir::Value step);
  /// The step in which the loop is, in its body.
  mlir::Value getStep(mlir::OpBuilder &builder);

private:
  mlir::scf::ForOp loop;
  mlir::Value count, zero, one;
};

/// What of a loop's state its steps read. Fields that they only add to, or of
/// which they replace parts, such as the stack of what was seen on the way,
/// need not be known to go back: these changes are linear.
class ReadState {
public:
  explicit ReadState(mlir::scf::ForOp loop);

  bool isRead(unsigned position) const { return read.test(position); }
  /// Those of the carried values that are read.
  llvm::SmallVector<mlir::Value> select(mlir::ValueRange carried) const;
  /// All, with zeros for those that nothing is made of but themselves.
  llvm::SmallVector<mlir::Value> expand(mlir::OpBuilder &builder,
                                        mlir::ValueRange selected) const;

private:
  mlir::scf::ForOp loop;
  llvm::BitVector read;
};

/// A step that is computed again: what its variable, its state and what has
/// been computed of it have become.
struct Again {
  mlir::IRMapping mapping;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> made;

  Again(mlir::scf::ForOp loop, mlir::Value variable) {
    mapping.map(loop.getInductionVar(), variable);
  }
  /// The op that stands for one of the loop's.
  mlir::Operation *make(mlir::OpBuilder &builder, mlir::Operation *op);
};

/// What flows backwards through a loop: the cotangents of what it carries and
/// of what its body reads of outside.
class Backward {
public:
  /// Looks at the loop as it is before anything is added to its body.
  Backward(mlir::scf::ForOp loop, Reverse &outside);

  /// The ops of a step.
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

  /// The cotangents behind the last step.
  llvm::SmallVector<mlir::Value> begin(mlir::OpBuilder &builder);
  /// Computes a step from the state at its beginning, and then its adjoint: the
  /// cotangents before the step from those behind it.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> step(mlir::OpBuilder &builder,
                                                       Again again,
                                                       mlir::ValueRange state,
                                                       mlir::ValueRange behind);
  /// Hands on the cotangents before the first step.
  void end(mlir::OpBuilder &builder, mlir::ValueRange first);

private:
  mlir::scf::ForOp loop;
  Reverse &outside;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> active;
  llvm::SmallVector<mlir::Value> captured;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_LOOPSTEP_H
