//===- Verify.h - What verifiers share --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_VERIFY_H
#define PMC_DIALECT_IR_VERIFY_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

bool isReal(mlir::Type type);

/// Constraints 1 and 2 of every domain op; appends the yielded types. The body
/// has `more` arguments than there are inputs.
llvm::LogicalResult verifyDomain(mlir::Operation *op,
                                 llvm::SmallVectorImpl<mlir::Type> &yielded,
                                 size_t more = 0);

/// What is multiplied has the real element of the sum, or one of reduced
/// precision.
llvm::LogicalResult verifyFactors(mlir::Operation *op, GridType one,
                                  GridType other, GridType sum);

/// Whether mesh dims refine the lattice's, one by one.
bool isRefinement(llvm::ArrayRef<DimAttr> mesh,
                  llvm::ArrayRef<DimAttr> lattice);

/// Whether `part` is a subsequence of `whole`.
bool isSubset(llvm::ArrayRef<DimAttr> part, llvm::ArrayRef<DimAttr> whole);

/// A halo is of the mesh's dims and element.
llvm::LogicalResult verifyHaloOf(mlir::Operation *op, mlir::Type halo,
                                 GridType mesh);

/// Results of the value form, outs of the buffer form.
llvm::SmallVector<GridType> getTargets(mlir::ResultRange results,
                                       mlir::OperandRange outs);

/// Ops with one result on fields, and one out on buffers: its type.
llvm::FailureOr<GridType> verifyOneTarget(mlir::Operation *op,
                                          mlir::Value result,
                                          mlir::OperandRange outs);

/// The bool that the body of a paint yields last; null if there is none.
mlir::Value getSelectionOf(mlir::OperandRange yielded);

/// A result, of this type, is partial over just these axes, unless the op is
/// marked as one of a rank's owned cells.
llvm::LogicalResult verifyPartial(mlir::Operation *op, mlir::Type type,
                                  llvm::ArrayRef<mlir::StringAttr> axes,
                                  Reduction kind);

/// What is combined is partial over the axes of the op, and of its kind.
llvm::LogicalResult verifyParts(mlir::Operation *op, mlir::TypeRange parts,
                                ReductionAttr kind, mlir::ArrayAttr axes);

/// How often a window is differentiated along each of `count` dims.
llvm::LogicalResult verifyOrders(mlir::Operation *op,
                                 std::optional<llvm::ArrayRef<int64_t>> orders,
                                 size_t count);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_VERIFY_H
