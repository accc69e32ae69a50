//===- Recovery.h - States of a loop from the ones behind them -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_RECOVERY_H
#define PMC_PASSES_AUTODIFF_RECOVERY_H

#include "passes/Autodiff/LoopStep.h"

namespace pmc::passes {

/// Loops that only add to the fields that they carry, as leapfrog does:
/// y_j = x_j + e_j, where e_j depends on the new values of fields and on the
/// old ones of fields whose e depends on less. Then x_j = y_j − e_j, up to
/// rounding.
class Recovery {
public:
  /// Finds an order in which the fields can be recovered, if there is one.
  Recovery(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> ops);

  /// The first carried field for which there is none; null: all can be
  /// recovered.
  mlir::Value getHindrance() const { return hindrance; }
  /// Positions of the carried fields, and of the carried numbers, which are not
  /// recovered.
  llvm::ArrayRef<unsigned> getFields() const { return fields; }
  llvm::ArrayRef<unsigned> getNumbers() const { return numbers; }

  /// The state before a step from the fields behind it and the numbers before
  /// it. What the step does with numbers alone is done in `again`.
  llvm::SmallVector<mlir::Value> recover(mlir::OpBuilder &builder, Again &again,
                                         mlir::ValueRange fieldsBehind,
                                         mlir::ValueRange numbersBefore);

private:
  mlir::scf::ForOp loop;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> fields, numbers, order;
  mlir::Value hindrance;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_RECOVERY_H
