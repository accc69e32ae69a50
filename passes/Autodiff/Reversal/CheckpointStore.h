//===- CheckpointStore.h - Access to the states of a loop -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_CHECKPOINTSTORE_H
#define PMC_PASSES_AUTODIFF_CHECKPOINTSTORE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// States of a loop on a checkpoint store. Slots are i64; bools are kept as
/// numbers.
class CheckpointStore {
public:
  static mlir::FailureOr<CheckpointStore> create(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::Value slots,
                                                 mlir::ValueRange like);

  void save(mlir::OpBuilder &builder, mlir::Value slot,
            mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> restore(mlir::OpBuilder &builder,
                                         mlir::Value slot);
  void free(mlir::OpBuilder &builder);

  /// Keeps no more than what is restored and used.
  void drop();

private:
  pm::CheckpointStoreOp store;
  llvm::SmallVector<mlir::Type> types;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_CHECKPOINTSTORE_H
