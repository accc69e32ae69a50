//===- Lowering.h - Types and values of Sema in MLIR ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sema does not depend on MLIR. Here are the conversions between its dims,
// types and values and those of the pm dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_LOWERING_H
#define PMC_FRONTEND_IRGEN_LOWERING_H

#include "dialect/IR/PM.h"
#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Dims -----------------------------------------------------------===//

Dim dimOf(pm::DimAttr dim);
/// The dims without their layout.
std::vector<Dim> dimsOf(llvm::ArrayRef<pm::DimAttr> dims);
pm::DimAttr lower(const Dim &dim, mlir::MLIRContext &context);
llvm::SmallVector<pm::DimAttr> lower(DimList dims, mlir::MLIRContext &context);

/// The space dim behind a dual one: `x` for `kx`.
inline pm::DimAttr getSpaceDim(pm::DimAttr dim) {
  return dim.withKind(pm::DimKind::Space);
}
/// "[x, y, z]" of labels.
std::string describeDims(llvm::ArrayRef<pm::DimAttr> dims);

//===--- Types ----------------------------------------------------------===//

/// Of an SSA value or an element; a u64 is an i64 there.
Storage storageOf(mlir::Type type);
mlir::Type lower(Storage storage, mlir::MLIRContext &context);
/// The type of the SSA value of a number, field or table; null of others.
mlir::Type lowerType(const Value &value, mlir::MLIRContext &context);
/// The type of a field, or of the samples of a stream.
pm::FieldType lowerField(const Value &value, mlir::MLIRContext &context);

pm::Schedule lower(Schedule schedule);
Schedule scheduleOf(pm::Schedule schedule);
pm::Edge lower(Edge edge);
Edge edgeOf(pm::Edge edge);

//===--- Values ---------------------------------------------------------===//

/// The SSA value; null if the value is a constant or only a type.
inline mlir::Value getSSA(const Value &value) {
  return mlir::Value::getFromOpaquePointer(value.getHandle());
}
Value scalarOf(mlir::Value ssa, Unit unit = {});
Value fieldOf(mlir::Value ssa, Unit unit = {});
Value tableOf(mlir::Value ssa, Unit xUnit, Unit yUnit);
inline Value valueOf(pm::DimAttr dim) { return Value::dim(dimOf(dim)); }

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_LOWERING_H
