//===- Lowering.cpp - Types and values of Sema in MLIR --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Lowering.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/ErrorHandling.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

Dim pmc::dimOf(pm::DimAttr dim) {
  return {dim.getName().str(), dim.getExtent(), dim.getRefine(),
          dim.isSpace()  ? Dim::Kind::Space
          : dim.isHalf() ? Dim::Kind::Half
                         : Dim::Kind::Dual};
}

std::vector<Dim> pmc::dimsOf(llvm::ArrayRef<pm::DimAttr> dims) {
  std::vector<Dim> result;
  result.reserve(dims.size());
  for (pm::DimAttr dim : dims)
    result.push_back(dimOf(dim));
  return result;
}

pm::DimAttr pmc::lower(const Dim &dim, mlir::MLIRContext &context) {
  return pm::DimAttr::get(&context, dim.name, dim.extent, dim.refine,
                          dim.isSpace()  ? pm::DimKind::Space
                          : dim.isHalf() ? pm::DimKind::Half
                                         : pm::DimKind::Dual);
}

llvm::SmallVector<pm::DimAttr> pmc::lower(DimList dims,
                                          mlir::MLIRContext &context) {
  llvm::SmallVector<pm::DimAttr> result;
  for (const Dim &dim : dims)
    result.push_back(lower(dim, context));
  return result;
}

std::string pmc::describeDims(llvm::ArrayRef<pm::DimAttr> dims) {
  return describeDims(dimsOf(dims));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Storage pmc::storageOf(mlir::Type type) {
  if (type.isF32())
    return Storage::F32;
  if (type.isF64())
    return Storage::F64;
  if (type.isInteger(64))
    return Storage::I64;
  if (type.isInteger(1))
    return Storage::I1;
  auto complex = llvm::cast<mlir::ComplexType>(type);
  return complex.getElementType().isF32() ? Storage::ComplexF32
                                          : Storage::ComplexF64;
}

mlir::Type pmc::lower(Storage storage, mlir::MLIRContext &context) {
  switch (storage) {
  case Storage::None:
    return {};
  case Storage::I1:
    return mlir::IntegerType::get(&context, 1);
  case Storage::I64:
  case Storage::U64:
    return mlir::IntegerType::get(&context, 64);
  case Storage::F32:
    return mlir::Float32Type::get(&context);
  case Storage::F64:
    return mlir::Float64Type::get(&context);
  case Storage::ComplexF32:
    return mlir::ComplexType::get(mlir::Float32Type::get(&context));
  case Storage::ComplexF64:
    return mlir::ComplexType::get(mlir::Float64Type::get(&context));
  }
  llvm_unreachable("all ways to store a number are listed");
}

pm::FieldType pmc::lowerField(const Value &value, mlir::MLIRContext &context) {
  return pm::FieldType::get(&context, lower(value.getDims(), context),
                            lower(value.getStorage(), context));
}

mlir::Type pmc::lowerType(const Value &value, mlir::MLIRContext &context) {
  switch (value.getKind()) {
  case Value::Kind::Scalar:
    return lower(value.getStorage(), context);
  case Value::Kind::Field:
    return lowerField(value, context);
  case Value::Kind::Table:
    return pm::TableType::get(&context);
  default:
    return {};
  }
}

pm::Schedule pmc::lower(Schedule schedule) {
  switch (schedule) {
  case Schedule::Keep:
    return pm::Schedule::Keep;
  case Schedule::Revolve:
    return pm::Schedule::Revolve;
  case Schedule::Reverse:
    return pm::Schedule::Reverse;
  }
  llvm_unreachable("all schedules are listed");
}

Schedule pmc::scheduleOf(pm::Schedule schedule) {
  return schedule == pm::Schedule::Keep      ? Schedule::Keep
         : schedule == pm::Schedule::Revolve ? Schedule::Revolve
                                             : Schedule::Reverse;
}

pm::Edge pmc::lower(Edge edge) {
  switch (edge) {
  case Edge::Periodic:
    return pm::Edge::Periodic;
  case Edge::Zero:
    return pm::Edge::Zero;
  case Edge::Clamp:
    return pm::Edge::Clamp;
  case Edge::Reflect:
    return pm::Edge::Reflect;
  }
  llvm_unreachable("all edges are listed");
}

Edge pmc::edgeOf(pm::Edge edge) {
  return edge == pm::Edge::Periodic ? Edge::Periodic
         : edge == pm::Edge::Zero   ? Edge::Zero
         : edge == pm::Edge::Clamp  ? Edge::Clamp
                                    : Edge::Reflect;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value pmc::scalarOf(mlir::Value ssa, Unit unit) {
  return Value::scalar(storageOf(ssa.getType()), unit,
                       ssa.getAsOpaquePointer());
}

Value pmc::fieldOf(mlir::Value ssa, Unit unit) {
  auto type = llvm::cast<pm::FieldType>(ssa.getType());
  return Value::field(dimsOf(type.getDims()), storageOf(type.getElementType()),
                      unit, ssa.getAsOpaquePointer());
}

Value pmc::tableOf(mlir::Value ssa, Unit xUnit, Unit yUnit) {
  return Value::table(xUnit, yUnit, ssa.getAsOpaquePointer());
}
