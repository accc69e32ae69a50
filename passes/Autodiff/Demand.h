//===- Demand.h - Tangents that reach the results ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_DEMAND_H
#define PMC_PASSES_AUTODIFF_DEMAND_H

#include "dialect/IR/PM.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace pmc::passes {

/// The ops of functions whose tangents reach the results.
///
/// A tangent by hand may not read all tangents of its arguments. For example,
/// the derivative of a solution does not need those of the iterations that
/// found it.
class Demand {
public:
  /// The ops of the body whose tangents no result depends on.
  llvm::DenseSet<mlir::Operation *> listIdle(mlir::func::FuncOp function);

private:
  using Values = llvm::DenseSet<mlir::Value>;
  /// The values whose tangents results depend on; fills `idle` if it is given.
  Values listRead(mlir::func::FuncOp function,
                  llvm::DenseSet<mlir::Operation *> *idle = nullptr);
  void addOperands(mlir::Operation *op, Values &read);
  /// The arguments with such tangents.
  llvm::SmallVector<bool> getArguments(mlir::func::FuncOp function);

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<bool>> known;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_DEMAND_H
