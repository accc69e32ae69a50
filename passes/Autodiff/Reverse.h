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

/// What one reading of a table adds to the cotangents of a row and, if it is
/// not null, of the next one.
struct RowReading {
  mlir::Value table;
  mlir::Value row; ///< i64
  mlir::Value first, second;
};

/// What one reading of a cell adds to the cotangent of the field.
struct CellReading {
  mlir::Value field;
  llvm::SmallVector<mlir::Value> indices; ///< i64
  mlir::Value cotangent;
};

/// Reverse mode: goes through ops from the last to the first and lets each add
/// to the cotangents of what it reads.
///
/// A table that depends on few numbers has no cotangent: whatever reads it adds
/// to the cotangents of those. Its derivatives by them are tables too, made in
/// forward mode. A table that is differentiated with respect to, or made of
/// one, has sums for its rows, to which whatever reads it adds; these become
/// its cotangent, a table over the same x.
class Reverse : public pm::Cotangents {
public:
  /// `activity` knows all that the ops compute; `outer`, the tables from
  /// outside of them.
  explicit Reverse(const Activity &activity, Reverse *outer = nullptr)
      : activity(activity), outer(outer) {}

  bool needs(mlir::Value primal) const override {
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
  /// The state with which a loop began, from its reversal on: the recovered
  /// one, so that what was kept of it is free from the loop on.
  mlir::Value getAgain(mlir::Value primal) const {
    mlir::Value value = recovered.lookup(primal);
    return value ? value : primal;
  }
  void setRecovered(mlir::Value primal, mlir::Value value) {
    recovered[primal] = value;
  }
  /// Its cotangent may be 0 where its derivatives are not finite, as that of
  /// what a choice does not take, or infinite where they are 0. What it is
  /// multiplied with then requires guarded products.
  void guard(mlir::Value primal) { guarded.insert(primal); }
  bool isGuarded(mlir::Value primal) const { return guarded.contains(primal); }
  bool isAnyGuarded(mlir::ValueRange primals) const {
    return llvm::any_of(primals,
                        [&](mlir::Value value) { return isGuarded(value); });
  }
  /// Its cotangent is one row by row, whatever it is made of.
  void setByRows(mlir::Value table) { byRows.insert(table); }
  /// Whether it has sums for its rows.
  bool isByRows(mlir::Value table) const;
  /// Whether the op reads such a table.
  bool readsRows(mlir::Operation *op) const;
  /// Adds to the cotangents of a table's rows, or of the numbers that it is
  /// made of. In loops over a domain what is added to rows is noted.
  void add(mlir::OpBuilder &builder, const RowReading &reading);
  void note(const RowReading &reading) { readings.push_back(reading); }
  llvm::ArrayRef<RowReading> getReadings() const { return readings; }
  /// In loops over a domain, what is added to cells that elements say.
  void note(const CellReading &reading) { cells.push_back(reading); }
  llvm::ArrayRef<CellReading> getCells() const { return cells; }
  /// The sums for the rows of a table, which begin beside it.
  mlir::Value getRowSums(mlir::Value table);
  /// The sums for the rows, if there are any, become the table's cotangent.
  void finishRows(mlir::OpBuilder &builder, mlir::Value table);

  /// The cotangents of these values that a row adds to; null where none.
  using RowStep =
      llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
          mlir::OpBuilder &, mlir::Value row)>;
  /// Goes through the rows of a table, and adds what each gives to the
  /// cotangents of `wanted`.
  mlir::LogicalResult addOverRows(mlir::OpBuilder &builder, mlir::Value table,
                                  llvm::ArrayRef<mlir::Value> wanted,
                                  RowStep step);

  /// What has been added up, which then is zero again.
  mlir::Value take(mlir::Value primal);

  /// From the last op to the first.
  mlir::LogicalResult differentiate(mlir::OpBuilder &builder,
                                    llvm::ArrayRef<mlir::Operation *> ops);

  /// The numbers that a table is made of.
  llvm::ArrayRef<TableDerivative> getDerivatives(mlir::Value table);

  /// What is wanted of these values; instead of a table without sums for its
  /// rows, the numbers that it is made of.
  llvm::SetVector<mlir::Value>
  getWanted(const llvm::SetVector<mlir::Value> &values);

  /// The adjoint of an op that reads few numbers and no fields: its derivative
  /// by each of them, in forward mode.
  mlir::LogicalResult addColumns(mlir::OpBuilder &builder, mlir::Operation *op);

private:
  /// Guards what the op reads if it makes that necessary, or hands it on.
  void guardReads(mlir::Operation *op);
  /// Adds a table to the cotangent of one.
  void addTable(mlir::OpBuilder &builder, mlir::Value primal,
                mlir::Value cotangent);
  /// The tangents of what the op reads as `number` grows.
  Forward seed(mlir::OpBuilder &builder, mlir::Operation *op,
               mlir::Value number);

  const Activity &activity;
  Reverse *outer;
  /// Whether the derivative of a table was an error.
  bool isBroken = false;
  llvm::DenseMap<mlir::Value, mlir::Value> sums;
  llvm::DenseMap<mlir::Value, mlir::Value> recovered;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<TableDerivative>> derivatives;
  llvm::DenseSet<mlir::Value> guarded;
  llvm::DenseSet<mlir::Value> byRows;
  llvm::DenseMap<mlir::Value, mlir::Value> rowSums;
  llvm::SmallVector<RowReading> readings;
  llvm::SmallVector<CellReading> cells;
};

/// The ops of a block but its terminator.
llvm::SmallVector<mlir::Operation *> listOps(mlir::Block &block);

/// The rules of this folder run under Reverse alone.
inline Reverse &asReverse(pm::Cotangents &cotangents) {
  return static_cast<Reverse &>(cotangents);
}

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_REVERSE_H
