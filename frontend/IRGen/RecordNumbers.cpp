//===- RecordNumbers.cpp - Numbers of records in files --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number among the fields of a record is a field of one cell in a file: f64,
// or i64 of ints and bools.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;
namespace arith = mlir::arith;

/// Its dim, which no spec can name.
static constexpr llvm::StringLiteral oneCell = "1";

Value Generator::cellOf(const Value &number, llvm::SMLoc loc) {
  mlir::Location at = getLoc(loc);
  DimInfo &info = dims[oneCell];
  if (!info.dim) {
    info.state = DimInfo::Done;
    info.dim = pm::DimAttr::get(&context, oneCell, 1);
    info.lengthIsCells = true;
    info.loc = loc;
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module->getBody());
    auto op = pm::DimOp::create(builder, at, oneCell, uint64_t(1));
    builder.createBlock(&op.getLength());
    pm::YieldOp::create(builder, at, floatConstant(1, f64Type, at));
  }
  mlir::Type element =
      number.isIntLike() || number.isBoolLike() ? i64Type : f64Type;
  mlir::Value inside = materialize(number, element, at);
  auto type = pm::FieldType::get(&context, info.dim, element);
  auto map = pm::MapOp::create(builder, at, mlir::TypeRange(type),
                               pm::DimsAttr::get(&context, info.dim),
                               mlir::ValueRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&map.getBody());
  pm::YieldOp::create(builder, at, inside);
  return Value::field(map.getResult(0), number.getUnit());
}

Value Generator::numberOf(const Value &cell, const Value &like,
                          llvm::SMLoc loc) {
  mlir::Location at = getLoc(loc);
  auto sum = [&](llvm::function_ref<mlir::Value(mlir::Value)> take) {
    return emitReduce(pm::Reduction::Sum, cell, {}, loc,
                      [&](Value v) { return Value::scalar(take(v.getSSA())); })
        .getSSA();
  };
  if (!like.isIntLike() && !like.isBoolLike())
    return Value::scalar(sum([](mlir::Value number) { return number; }),
                         like.getUnit());
  // Of each half of an int the sum, an f64, is exact.
  mlir::Value upper = sum([&](mlir::Value whole) {
    return arith::ShRSIOp::create(builder, at, whole, intConstant(32, at));
  });
  mlir::Value lower = sum([&](mlir::Value whole) {
    return arith::AndIOp::create(builder, at, whole,
                                 intConstant(0xFFFFFFFF, at));
  });
  auto toInt = [&](mlir::Value half) {
    return arith::FPToSIOp::create(builder, at, i64Type, half);
  };
  mlir::Value above = arith::MulIOp::create(builder, at, toInt(upper),
                                            intConstant(int64_t(1) << 32, at));
  mlir::Value whole = arith::AddIOp::create(builder, at, above, toInt(lower));
  if (like.isBoolLike())
    return Value::scalar(arith::CmpIOp::create(
        builder, at, arith::CmpIPredicate::ne, whole, intConstant(0, at)));
  Value number = Value::scalar(whole, like.getUnit());
  return like.isUnsigned() ? number.asUnsigned() : number;
}
