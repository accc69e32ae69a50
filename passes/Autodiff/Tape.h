//===- Tape.h - A tape and what goes through it -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_TAPE_H
#define PMC_PASSES_AUTODIFF_TAPE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// States of a loop on a tape. Slots are i64; bools are kept as numbers.
class Tape {
public:
  static mlir::FailureOr<Tape> create(mlir::OpBuilder &builder,
                                      mlir::Location loc, mlir::Value slots,
                                      mlir::ValueRange like);

  void save(mlir::OpBuilder &builder, mlir::Value slot,
            mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> restore(mlir::OpBuilder &builder,
                                         mlir::Value slot);
  void free(mlir::OpBuilder &builder);

  /// Keeps no more than what is restored and used.
  void drop();

private:
  pm::TapeOp tape;
  llvm::SmallVector<mlir::Type> types;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_TAPE_H
