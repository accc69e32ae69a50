//===- Emitter.h - Constants and conversions --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inserts constants and conversions of numbers into the module that is built.
// It does not know the spec.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_EMITTER_H
#define PMC_FRONTEND_IRGEN_EMITTER_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/IRGen/Lowering.h"
#include "frontend/Sema/Types/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseSet.h"

namespace pmc {

class Emitter {
protected:
  /// `isWide`: fields are of f64.
  Emitter(mlir::MLIRContext &context, DiagnosticEngine &diags, bool isWide);

  mlir::Value floatConstant(double value, mlir::Type type, mlir::Location loc);
  mlir::Value intConstant(int64_t value, mlir::Location loc);
  mlir::Value boolConstant(bool value, mlir::Location loc);
  mlir::Value zeroLike(mlir::Type type, mlir::Location loc);
  /// The real number or bool as an SSA value of the type.
  mlir::Value materialize(const Value &value, mlir::Type type,
                          mlir::Location loc);
  /// The real number or bool as an SSA value of its own type.
  mlir::Value materialize(const Value &value, mlir::Location loc);
  mlir::Value compareInts(mlir::arith::CmpIPredicate isSigned, const Value &a,
                          const Value &b, mlir::Location at);
  /// The bits of an int in an f64, for messages and outputs.
  mlir::Value intBits(const Value &value, mlir::Location at);

  /// The same value with other run-time parts.
  Value rebuild(const Value &shape, mlir::ValueRange leaves, unsigned &next);
  void shapeTypes(const Value &shape, llvm::SmallVectorImpl<mlir::Type> &types);
  /// Takes back the ops from `mark` to the insertion point.
  void eraseSince(mlir::Operation *mark);

  /// Of elements of fields.
  Storage realStorage() const {
    return realType == f64Type ? Storage::F64 : Storage::F32;
  }
  mlir::Type promote(const Value &a, const Value &b) const {
    return lower(pmc::promote(a, b, realStorage()));
  }
  mlir::Type lower(Storage storage) const {
    return pmc::lower(storage, context);
  }
  pm::DimAttr lower(const Dim &dim) const { return pmc::lower(dim, context); }
  llvm::SmallVector<pm::DimAttr> lower(DimList dims) const {
    return pmc::lower(dims, context);
  }
  mlir::Type lowerType(const Value &value) const {
    return pmc::lowerType(value, context);
  }
  pm::FieldType lowerField(const Value &value) const {
    return pmc::lowerField(value, context);
  }
  mlir::Type floatTypeOf(const Value &value) const;

  /// Whether fields of f32 are computed in f64 here: in `precise { … }`.
  bool isPrecise() const { return realType != programType; }
  /// The element of a field in f64 in such a block; itself elsewhere.
  mlir::Value preciseElement(mlir::Value number, mlir::Location at);
  /// The table with both columns multiplied.
  mlir::Value scaledTable(mlir::Value table, double x, double y,
                          mlir::Location at);

  mlir::MLIRContext &context;
  DiagnosticEngine &diags;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp mainFunction;
  /// Of elements of fields; f64 in `precise { … }`, where the program's
  /// precision is `programType`.
  mlir::Type realType;
  mlir::Type programType, f64Type, i64Type, i1Type;

private:
  void warnOutOfRange(double number, mlir::Location loc);

  llvm::DenseSet<mlir::Location> outOfRange; // of numbers, told
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_EMITTER_H
