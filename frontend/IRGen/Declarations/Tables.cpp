//===- Tables.cpp - tabulate, interpolate, transform ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Numbers.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

Value Generator::callTabulate(BuiltinCall &call) {
  const Argument &f = call[0], &from = call[1], &to = call[2],
                 &points = call[3];
  for (unsigned i = 0; i < 4; ++i)
    if (call[i].value.isPoison())
      return Value::poison();
  if (!requireTableOutside(rules(), call.loc))
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  if (from.value.isTuple())
    return tabulateGrid(call);
  if (!requireSameUnit(rules(), "'tabulate'", from.value, to.value,
                       {call.loc, from.range, to.range}))
    return Value::poison();
  const auto count = readPoints(rules(), points);
  if (!count)
    return Value::poison();
  Unit xUnit =
      from.value.hasAnyUnit() ? to.value.getUnit() : from.value.getUnit();
  mlir::Location at = getLoc(call.loc);
  mlir::Value first = materialize(from.value, f64Type, at);
  mlir::Value last = materialize(to.value, f64Type, at);
  auto op = pm::TabulateOp::create(builder, at, first, last,
                                   materialize(*count, i64Type, at));
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body = builder.createBlock(&op.getBody(), {}, {f64Type}, {at});
  Frame inner = *frame;
  inner.scalarsOnly = "in the function of a table";
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  Argument x{"", {}, scalarOf(body->getArgument(0), xUnit), f.loc, f.range};
  Value y = apply(f.value, {x, f.loc});
  if (!y.isPoison() && !requireTableValue(rules(), f, y))
    y = Value::poison();
  mlir::Value result =
      y.isPoison() ? body->getArgument(0) : materialize(y, f64Type, at);
  pm::YieldOp::create(builder, at, result);
  if (y.isPoison())
    return y;
  return tableOf(op.getTable(), xUnit, y.getUnit());
}

Value Generator::callTransform(BuiltinCall &call) {
  const Argument &table = call[0], &f = call[1];
  if (table.value.isPoison() || f.value.isPoison())
    return Value::poison();
  if (!requireTableOutside(rules(), call.loc))
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  if (table.value.isGrid())
    return transformGrid(call);
  mlir::Location at = getLoc(call.loc);
  auto op = pm::TransformOp::create(builder, at, getSSA(table.value));
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body =
      builder.createBlock(&op.getBody(), {}, {f64Type, f64Type}, {at, at});
  Frame inner = *frame;
  inner.scalarsOnly = "in the function of a table";
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  Argument args[2] = {{"",
                       {},
                       scalarOf(body->getArgument(0), table.value.getXUnit()),
                       f.loc,
                       f.range},
                      {"",
                       {},
                       scalarOf(body->getArgument(1), table.value.getUnit()),
                       f.loc,
                       f.range}};
  Value row = apply(f.value, {args, f.loc});
  if (!row.isPoison() && !requireTableRow(rules(), f, row))
    row = Value::poison();
  if (row.isPoison()) {
    pm::YieldOp::create(builder, at, body->getArguments());
    return row;
  }
  const Value &x = row.getElements()[0], &y = row.getElements()[1];
  mlir::Value newX = materialize(x, f64Type, at);
  mlir::Value newY = materialize(y, f64Type, at);
  pm::YieldOp::create(builder, at, mlir::ValueRange{newX, newY});
  return tableOf(op.getResult(), x.getUnit(), y.getUnit());
}

/// derivative(t, x), and interpolate(t, x) by straight lines.
Value Generator::callLookup(BuiltinCall &call) {
  const Argument &table = call[0], &x = call[1];
  bool slope = call.info.id == BuiltinId::Derivative;
  std::string name = ("'" + call.info.name + "'").str();
  if (table.value.isPoison() || x.value.isPoison())
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  Unit unit = table.value.getUnit();
  if (slope)
    unit = unit / table.value.getXUnit();
  return lift(name, x.value, call.loc, [&](Elements v) -> Value {
    if (!checkLookup(rules(), name, x, v[0], table.value))
      return Value::poison();
    mlir::Location at = getLoc(call.loc);
    return scalarOf(
        pm::LookupOp::create(builder, at, getSSA(table.value),
                             materialize(v[0], f64Type, at),
                             slope ? builder.getUnitAttr() : mlir::UnitAttr()),
        unit);
  });
}
