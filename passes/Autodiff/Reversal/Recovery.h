//===- Recovery.h - States of a loop from the ones behind them -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_RECOVERY_H
#define PMC_PASSES_AUTODIFF_RECOVERY_H

#include "passes/Autodiff/Reversal/LoopStep.h"

namespace pmc::passes {

/// Loops that only add to the fields that they carry, as leapfrog does:
/// y_j = x_j + e_j, where e_j depends on the new values of fields and on the
/// old ones of fields whose e depends on less. Then x_j = y_j − e_j, up to
/// rounding.
class Recovery {
public:
  /// Finds an order in which the fields can be recovered, if there is one.
  Recovery(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> ops);

  /// Why a carried field cannot be recovered.
  struct Hindrance {
    unsigned position;      ///< of the field among what the loop carries
    mlir::Location place;   ///< in the body
    llvm::StringRef reason; ///< a sentence
  };
  /// That of the first field for which there is no order; none: all can be
  /// recovered.
  const std::optional<Hindrance> &getHindrance() const { return hindrance; }
  /// Positions of the carried fields that are recovered, and of the carried
  /// numbers, which are not. Fields that no step reads are neither.
  llvm::ArrayRef<unsigned> getFields() const { return fields; }
  llvm::ArrayRef<unsigned> getNumbers() const { return numbers; }

  /// The state before a step from the fields behind it and the numbers before
  /// it. What the step does with numbers alone is done in `again`.
  llvm::SmallVector<mlir::Value> recover(mlir::OpBuilder &builder, Again &again,
                                         mlir::ValueRange fieldsBehind,
                                         mlir::ValueRange numbersBefore);

private:
  Hindrance explain(unsigned position, llvm::DenseSet<mlir::Value> &known);

  mlir::scf::ForOp loop;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> fields, numbers, order;
  std::optional<Hindrance> hindrance;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_RECOVERY_H
