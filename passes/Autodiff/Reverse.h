//===- Reverse.h - Cotangents of what a block reads -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_REVERSE_H
#define PMC_PASSES_AUTODIFF_REVERSE_H

#include "passes/Autodiff/Activity.h"
#include "passes/Autodiff/Forward.h"

namespace pmc::passes {

/// How a table changes with a number.
struct TableDerivative {
  mlir::Value number; ///< real, and wanted
  mlir::Value table;  ///< the derivatives of the rows by it
};

/// Reverse mode: goes through ops from the last to the first and lets each add
/// to the cotangents of what it reads.
///
/// Tables have no cotangents. They are few and depend on few numbers, so that
/// whatever reads a table adds to the cotangents of those: their derivatives
/// are tables too, made in forward mode.
class Reverse : public pm::Cotangents {
public:
  /// `activity` knows all that the ops compute; `outer`, the tables from
  /// outside of them.
  explicit Reverse(const Activity &activity, Reverse *outer = nullptr)
      : activity(activity), outer(outer) {}

  bool wants(mlir::Value primal) const override {
    return activity.isActive(primal);
  }
  mlir::Value get(mlir::Value primal) const override {
    return sums.lookup(primal);
  }
  void add(mlir::OpBuilder &builder, mlir::Value primal,
           mlir::Value cotangent) override;
  void set(mlir::Value primal, mlir::Value cotangent) {
    sums[primal] = cotangent;
  }
  /// What has been added up, which then is zero again.
  mlir::Value take(mlir::Value primal);

  /// From the last op to the first.
  mlir::LogicalResult differentiate(mlir::OpBuilder &builder,
                                    llvm::ArrayRef<mlir::Operation *> ops);

  /// The numbers that a table is made of.
  llvm::ArrayRef<TableDerivative> getDerivatives(mlir::Value table);

  /// What is wanted of these values; instead of a table, the numbers that it is
  /// made of.
  llvm::SetVector<mlir::Value>
  getWanted(const llvm::SetVector<mlir::Value> &values);

  /// The adjoint of an op that reads few numbers and no fields: its derivative
  /// by each of them, in forward mode.
  mlir::LogicalResult addColumns(mlir::OpBuilder &builder, mlir::Operation *op);

private:
  /// The tangents of what the op reads as `number` grows.
  Forward seed(mlir::OpBuilder &builder, mlir::Operation *op,
               mlir::Value number);

  const Activity &activity;
  Reverse *outer;
  /// Whether the derivative of a table was an error.
  bool isBroken = false;
  llvm::DenseMap<mlir::Value, mlir::Value> sums;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<TableDerivative>> derivatives;
};

/// The ops of a block but its terminator.
llvm::SmallVector<mlir::Operation *> listOps(mlir::Block &block);

/// The rules of this folder run under Reverse alone.
inline Reverse &asReverse(pm::Cotangents &cotangents) {
  return static_cast<Reverse &>(cotangents);
}

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_REVERSE_H
