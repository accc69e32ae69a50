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

/// Finds the ops of functions whose tangents affect the results.
///
/// A tangent by hand need not read the tangents of all arguments. For example,
/// the derivative of a solution does not depend on the tangents of the
/// iterations that found the solution. Such tangents are not computed.
class Demand {
public:
  /// Returns the ops of the body on whose tangents no result depends.
  llvm::DenseSet<mlir::Operation *> listIdle(mlir::func::FuncOp function);

private:
  using Values = llvm::DenseSet<mlir::Value>;
  /// Returns the values on whose tangents results depend. Adds the other ops to
  /// `idle` if it is given.
  Values listRead(mlir::func::FuncOp function,
                  llvm::DenseSet<mlir::Operation *> *idle = nullptr);
  /// Adds the operands of `op` on whose tangents its results depend.
  void addOperands(mlir::Operation *op, Values &read);
  /// For each argument, returns whether results depend on its tangent.
  llvm::SmallVector<bool> getArguments(mlir::func::FuncOp function);

  /// The results of getArguments.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<bool>> known;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_DEMAND_H
