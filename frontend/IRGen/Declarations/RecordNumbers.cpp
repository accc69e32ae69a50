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
  return fieldOf(map.getResult(0), number.getUnit());
}

Value Generator::numberOf(const Value &cell, const Value &like,
                          llvm::SMLoc loc) {
  if (!like.isIntLike() && !like.isBoolLike())
    return emitReduce(pm::Reduction::Sum, cell, {}, loc,
                      [](Value number) { return number; });
  const ast::Name name{oneCell.str(), loc};
  SumIndex first;
  first.value = Value::integer(0);
  first.loc = loc;
  Value number = intCell(cell, {&name, first, std::nullopt}, loc);
  mlir::Location at = getLoc(loc);
  if (like.isBoolLike())
    return scalarOf(arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne,
                                          getSSA(number), intConstant(0, at)));
  return like.isUnsigned() ? number.asUnsigned() : number;
}
