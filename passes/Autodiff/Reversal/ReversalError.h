//===- ReversalError.h - How well a loop's state was recovered --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_REVERSALERROR_H
#define PMC_PASSES_AUTODIFF_REVERSALERROR_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// What the loop calls something that it carries, or else its position.
std::string getCarriedName(mlir::scf::ForOp loop, unsigned position);

/// Compares the state that a loop began with and the one that its reversal
/// recovered, without a copy of the first: a field's sketch has 64 numbers,
/// sums of its elements with random signs, each over a random 64th of them
/// (Charikar, Chen & Farach-Colton 2002). Sketches are linear, and the sum of
/// the squares of one is that of the field, to some 10 %: so the difference of
/// two sketches estimates the rms of the difference of two fields.
class ReversalError {
public:
  /// Before the loop: sketches what it begins with. `fields`: where the fields
  /// are among what it carries.
  ReversalError(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                llvm::ArrayRef<unsigned> fields);

  /// Behind the loop: sketches what it ends with. Errors are relative to the
  /// rms at the start, and of a field that is zero there to that at the end.
  void atEnd(mlir::OpBuilder &builder, mlir::ValueRange results);

  /// After the loop's reversal: reports to the runtime. `recovered`: the fields
  /// of the first state.
  void report(mlir::OpBuilder &builder, mlir::ValueRange recovered);

private:
  /// The sketches of fields, of complex ones two.
  llvm::SmallVector<mlir::Value> sketch(mlir::OpBuilder &builder,
                                        mlir::ValueRange values);
  pm::FieldType getSketchType();

  mlir::scf::ForOp loop;
  /// Positions of the fields, and of those among them that the loop changes.
  llvm::SmallVector<unsigned> fields, positions;
  llvm::SmallVector<mlir::Value> first, last;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_REVERSALERROR_H
