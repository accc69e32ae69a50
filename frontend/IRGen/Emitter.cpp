//===- Emitter.cpp - Constants and conversions ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Emitter.h"

#include "dialect/IR/Markers/PMPrecise.h"
#include "dialect/IR/PMChecks.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace pmc;
namespace arith = mlir::arith;

Emitter::Emitter(mlir::MLIRContext &context, DiagnosticEngine &diags,
                 bool isWide)
    : context(context), diags(diags), builder(&context) {
  f64Type = builder.getF64Type();
  realType = isWide ? builder.getF64Type() : builder.getF32Type();
  programType = realType;
  i64Type = builder.getI64Type();
  i1Type = builder.getI1Type();
}

mlir::Value Emitter::floatConstant(double value, mlir::Type type,
                                   mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

mlir::Value Emitter::intConstant(int64_t value, mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

mlir::Value Emitter::boolConstant(bool value, mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Numbers are kept in working units, which may take one out of
/// what f32 has.
void Emitter::warnOutOfRange(double number, mlir::Location loc) {
  using Limits = std::numeric_limits<float>;
  const double size = std::abs(number);
  const bool isSmall = size > 0 && size < double(Limits::min());
  const bool isLarge = size > double(Limits::max()) && std::isfinite(size);
  if (!isSmall && !isLarge)
    return;
  // Where the spec calls what has the number.
  while (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    loc = call.getCaller();
  auto place = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || !outOfRange.insert(place).second)
    return;
  diags.report(
      Severity::Warning, place.getFilename().str(), place.getLine(),
      place.getColumn(),
      llvm::formatv(
          "[PM0323] a number here, {0} in working units, is {1} in f32, "
          "which {2}; --precision=f64 keeps it, and so may "
          "other units",
          llvm::format("%.3g", number),
          float(number) == 0 ? "0"
          : isSmall          ? "inexact"
                             : "infinite",
          isSmall ? "begins at 1.2e-38" : "ends at 3.4e38"));
}

mlir::Value Emitter::materialize(const Value &value, mlir::Type type,
                                 mlir::Location loc) {
  if (type.isUnsignedInteger(64))
    type = i64Type; // the same bits
  if (value.isConstNumber()) {
    if (type.isInteger(64))
      return intConstant(value.getConstInt().value_or(0), loc);
    if (type.isInteger(1))
      return boolConstant(*value.getConstReal() != 0, loc);
    if (type.isF32())
      warnOutOfRange(*value.getConstReal(), loc);
    return floatConstant(*value.getConstReal(), type, loc);
  }
  if (value.is(Value::Kind::Bool)) {
    if (type.isInteger(1))
      return boolConstant(value.getBool(), loc);
    return materialize(Value::integer(value.getBool()), type, loc);
  }
  mlir::Value ssa = getSSA(value);
  mlir::Type from = ssa.getType();
  if (from == type)
    return ssa;
  if (from.isInteger(1)) {
    mlir::Value one = materialize(Value::integer(1), type, loc);
    mlir::Value zero = materialize(Value::integer(0), type, loc);
    return arith::SelectOp::create(builder, loc, ssa, one, zero);
  }
  if (value.isUnsigned())
    return arith::UIToFPOp::create(builder, loc, type, ssa);
  if (from.isInteger(64))
    return arith::SIToFPOp::create(builder, loc, type, ssa);
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(builder, loc, type, ssa);
  return arith::ExtFOp::create(builder, loc, type, ssa);
}

mlir::Value Emitter::materialize(const Value &value, mlir::Location loc) {
  switch (value.getKind()) {
  case Value::Kind::Int:
    return materialize(value, i64Type, loc);
  case Value::Kind::Bool:
    return materialize(value, i1Type, loc);
  case Value::Kind::Real:
    return materialize(value, f64Type, loc);
  default:
    return getSSA(value);
  }
}

/// The type in which a function of a real number is computed.
mlir::Type Emitter::floatTypeOf(const Value &value) const {
  return value.isScalar() && value.getStorage() == realStorage() ? realType
                                                                 : f64Type;
}

mlir::Value Emitter::preciseElement(mlir::Value number, mlir::Location at) {
  if (!isPrecise() || number.getType() != programType)
    return number;
  auto op = arith::ExtFOp::create(builder, at, f64Type, number);
  op->setAttr(pm::preciseName, builder.getUnitAttr());
  return op;
}

mlir::Value Emitter::scaledTable(mlir::Value table, double x, double y,
                                 mlir::Location at) {
  if (x == 1 && y == 1)
    return table;
  auto op = pm::TransformOp::create(builder, at, table);
  op->setAttr(pm::conversionName, builder.getUnitAttr());
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body =
      builder.createBlock(&op.getBody(), {}, {f64Type, f64Type}, {at, at});
  llvm::SmallVector<mlir::Value> row;
  const double factors[] = {x, y};
  for (auto [number, factor] : llvm::zip_equal(body->getArguments(), factors))
    row.push_back(arith::MulFOp::create(builder, at, number,
                                        floatConstant(factor, f64Type, at)));
  pm::YieldOp::create(builder, at, row);
  return op.getResult();
}

mlir::Value Emitter::intBits(const Value &value, mlir::Location at) {
  return mlir::arith::BitcastOp::create(builder, at, f64Type,
                                        materialize(value, i64Type, at));
}

/// Of ints, of which some may be u64s.
mlir::Value Emitter::compareInts(arith::CmpIPredicate isSigned, const Value &a,
                                 const Value &b, mlir::Location at) {
  using I = arith::CmpIPredicate;
  mlir::Value x = materialize(a, i64Type, at), y = materialize(b, i64Type, at);
  if (!a.isUnsigned() && !b.isUnsigned())
    return arith::CmpIOp::create(builder, at, isSigned, x, y);
  I predicate = isSigned == I::slt   ? I::ult
                : isSigned == I::sle ? I::ule
                : isSigned == I::sgt ? I::ugt
                : isSigned == I::sge ? I::uge
                                     : isSigned;
  mlir::Value result = arith::CmpIOp::create(builder, at, predicate, x, y);
  if (a.isUnsigned() && b.isUnsigned())
    return result;
  // A negative int is less than any u64.
  mlir::Value zero = intConstant(0, at), minus = intConstant(-1, at);
  mlir::Value isNegative =
      arith::CmpIOp::create(builder, at, I::slt, a.isUnsigned() ? y : x, zero);
  mlir::Value below = arith::CmpIOp::create(builder, at, isSigned,
                                            a.isUnsigned() ? zero : minus,
                                            a.isUnsigned() ? minus : zero);
  return arith::SelectOp::create(builder, at, isNegative, below, result);
}

/// The 0 of a number or field at run time.
mlir::Value Emitter::zeroLike(mlir::Type type, mlir::Location loc) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    mlir::Value zero = zeroLike(complex.getElementType(), loc);
    return mlir::complex::CreateOp::create(builder, loc, type, zero, zero);
  }
  auto field = llvm::dyn_cast<pm::FieldType>(type);
  if (!field && type.isInteger())
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(type));
  if (!field)
    return floatConstant(0, type, loc);
  auto map = pm::MapOp::create(builder, loc, mlir::TypeRange(type),
                               pm::DimsAttr::get(&context, field.getDims()),
                               mlir::ValueRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&map.getBody());
  pm::YieldOp::create(builder, loc, zeroLike(field.getElementType(), loc));
  return map.getResult(0);
}

//===----------------------------------------------------------------------===//
// Parts of values
//===----------------------------------------------------------------------===//

Value Emitter::rebuild(const Value &shape, mlir::ValueRange leaves,
                       unsigned &next) {
  using Kind = Value::Kind;
  switch (shape.getKind()) {
  case Kind::Scalar: {
    Value value = scalarOf(leaves[next++], shape.getUnit());
    if (shape.isUnsigned())
      return value.asUnsigned();
    return shape.hasAnyUnit() ? value.withAnyUnit() : value;
  }
  case Kind::Field: {
    Value value = fieldOf(leaves[next++], shape.getUnit());
    return shape.hasAnyUnit() ? value.withAnyUnit() : value;
  }
  case Kind::Table:
    return tableOf(leaves[next++], shape.getXUnit(), shape.getUnit());
  case Kind::Complex: {
    Value re = rebuild(shape.getRe(), leaves, next);
    Value im = rebuild(shape.getIm(), leaves, next);
    return Value::complex(re, im, shape.getUnit());
  }
  case Kind::Tuple:
  case Kind::Record:
  case Kind::Range:
  case Kind::Derivative:
  case Kind::Closure: {
    std::vector<Value> parts;
    for (const Value &part : shape.getElements())
      parts.push_back(rebuild(part, leaves, next));
    return shape.withElements(std::move(parts));
  }
  default:
    return shape;
  }
}

void Emitter::shapeTypes(const Value &shape,
                         llvm::SmallVectorImpl<mlir::Type> &types) {
  switch (shape.getKind()) {
  case Value::Kind::Scalar:
  case Value::Kind::Field:
  case Value::Kind::Table:
    types.push_back(lowerType(shape));
    return;
  default:
    for (const Value &part : shape.getElements())
      shapeTypes(part, types);
  }
}

/// Takes back the ops from `mark` to the insertion point.
void Emitter::eraseSince(mlir::Operation *mark) {
  mlir::Operation *op = nullptr;
  while (op != mark) {
    op = &*std::prev(builder.getInsertionPoint());
    op->dropAllReferences();
    op->dropAllUses();
    // The pointer is only compared from here on.
    op->erase();
  }
}
