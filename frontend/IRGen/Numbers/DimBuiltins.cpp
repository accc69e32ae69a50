//===- DimBuiltins.cpp - Functions of dims, given, error ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Numbers.h"
#include "frontend/Sema/Rules/Values.h"

using namespace pmc;

/// spacing(x), length(x), cells(x); of several dims, one each.
Value Generator::callDimQuery(BuiltinCall &call) {
  if (call[0].value.isStream() && call.info.id == BuiltinId::Cells)
    return Streams(*this).count(call[0].value, call.loc);
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[0].value, call[0].loc, list))
    return Value::poison();
  std::vector<Value> results;
  std::vector<Dim> tags;
  for (pm::DimAttr dim : list) {
    tags.push_back(dimOf(getSpaceDim(dim)));
    switch (call.info.id) {
    case BuiltinId::Spacing:
      results.push_back(dimSpacing(dim, call.loc));
      break;
    case BuiltinId::Length:
      results.push_back(dimLength(dim, call.loc));
      break;
    default:
      results.push_back(Value::integer(dim.getExtent()));
      break;
    }
    if (results.back().isPoison())
      return Value::poison();
  }
  if (call[0].value.isDim())
    return results[0];
  return Value::tuple(std::move(results), std::move(tags));
}

Value Generator::callDims(BuiltinCall &call) {
  const Value *field = &call[0].value;
  llvm::ArrayRef<pm::DimAttr> list;
  if (field->isTuple() && !field->getElements().empty())
    field = &field->getElements()[0];
  if (field->is(Value::Kind::Coordinate) && frame->element)
    list = frame->element->domain;
  else if (field->isField())
    list = lowerField(*field).getDims();
  else
    (void)accepts(call);
  if (list.empty())
    return Value::poison();
  std::vector<Value> values;
  for (pm::DimAttr dim : list)
    values.push_back(valueOf(getSpaceDim(dim)));
  return Value::tuple(std::move(values));
}

/// directions(f): the dims in which f extends in space, without those that
/// count a batch.
Value Generator::callDirections(BuiltinCall &call) {
  const Value &of = call[0].value;
  if (of.isPoison())
    return of;
  auto listed = [](llvm::ArrayRef<pm::DimAttr> list) {
    std::vector<Value> values;
    for (pm::DimAttr dim : list)
      values.push_back(valueOf(getSpaceDim(dim)));
    return Value::tuple(std::move(values));
  };
  bool isVector = of.isTuple() && !of.getElements().empty();
  const Value &first = isVector ? of.getElements()[0] : of;
  llvm::SmallVector<pm::DimAttr> list, some;
  if (!appendDims(first.isDim() ? of : callDims(call), call[0].loc, list))
    return Value::poison();
  // Of a transform, what has been transformed.
  llvm::ArrayRef<pm::DimAttr> own;
  if (first.isField())
    own = lowerField(first).getDims();
  else if (first.is(Value::Kind::Coordinate))
    own = frame->element->domain;
  for (pm::DimAttr dim : own)
    if (!dim.isSpace())
      some.push_back(dim);
  if (!some.empty())
    return listed(some);
  for (pm::DimAttr dim : list)
    if (hasLength(dim.getName()))
      some.push_back(dim);
  if (!some.empty())
    return listed(some);
  // No lengths: what was declared together belongs together.
  const bool isOne = program.areDeclaredTogether(dimsOf(list));
  if (!requireOneStatement(rules(), dimsOf(list), isOne, call[0]))
    return Value::poison();
  return listed(list);
}

/// piece(x, n): a dim of n cells with the spacing of x, which no layout splits.
Value Generator::callPiece(BuiltinCall &call) {
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[0].value, call[0].loc, list))
    return Value::poison();
  if (!requireOneDim(rules(), call[0], dimsOf(list), "piece", /*isSpace=*/true))
    return Value::poison();
  auto cells =
      readInt(rules(), call[1], "the number of cells of a piece", 1, 1 << 30);
  if (!cells)
    return Value::poison();
  if (!requireProgram(rules(), bool(mainFunction), call.loc))
    return Value::poison();
  pm::DimAttr base = list[0];
  const std::string name = pieceOf(dimOf(base), *cells).name;
  DimInfo &info = dims[name];
  if (info.dim)
    return valueOf(info.dim);
  info.state = DimInfo::Done;
  info.dim = pm::DimAttr::get(&context, name, *cells);
  info.unit = dimUnit(base);
  info.lengthIsCells = !hasLength(base.getName()) && base.getRefine() == 1;
  info.loc = call.loc;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  mlir::Location loc = getLoc(call.loc);
  auto op = pm::DimOp::create(builder, loc, name, uint64_t(*cells));
  builder.createBlock(&op.getLength());
  mlir::Value share =
      floatConstant(double(*cells) / double(base.getExtent()), f64Type, loc);
  mlir::Value length = mlir::arith::MulFOp::create(
      builder, loc, pm::LengthOp::create(builder, loc, base.getName()), share);
  pm::YieldOp::create(builder, loc, length);
  return valueOf(info.dim);
}

Value Generator::callIndex(BuiltinCall &call) {
  if (!accepts(call))
    return Value::poison();
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[1].value, call[1].loc, list))
    return Value::poison();
  if (!requireOneDim(rules(), call[1], dimsOf(list), "index",
                     /*isSpace=*/false))
    return Value::poison();
  return coordinateOf(call[0].value, list[0], call[1].loc, /*indexOnly=*/true);
}

/// `given(name)` and `given(record.name)`: the name counts, not its value.
Value Generator::given(const ast::CallExpr &expr) {
  const ast::Expr *arg =
      expr.args.size() == 1 ? expr.args[0].value.get() : nullptr;
  if (auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(arg)) {
    Value base = evaluate(*member->base);
    const auto isGiven = hasMember(rules(), *member, base);
    return isGiven ? Value::boolean(*isGiven) : Value::poison();
  }
  const ast::RefExpr *ref = readGivenName(rules(), expr);
  if (!ref)
    return Value::poison();
  const Value *local = frame->scope ? frame->scope->find(ref->name) : nullptr;
  Lookup found = program.find(*frame->module, ref->name);
  auto ofRecord = recordInputs.find(ref->name);
  bool isOfRecord = !local && found.symbol && ofRecord != recordInputs.end() &&
                    llvm::isa_and_present<ast::InputStmt>(found.symbol->stmt);
  bool known = !local && found.symbol &&
               (found.symbol->kind == Symbol::Kind::Param ||
                found.symbol->kind == Symbol::Kind::Input || isOfRecord);
  if (!requireGivable(rules(), *ref, known) ||
      !requireKnown(rules(), !frame->constantsOnly, expr.loc))
    return Value::poison();
  return atPrologue(*frame->entry, "given:" + ref->name, [&] {
    mlir::Location at = getLoc(expr.loc);
    if (isOfRecord)
      return scalarOf(pm::GivenOp::create(builder, at, ofRecord->second));
    auto param = params.find(ref->name);
    int64_t count = param == params.end() ? 0 : param->second.count;
    if (!count)
      return scalarOf(pm::GivenOp::create(builder, at, ref->name));
    mlir::Value any; // number of the list
    for (int64_t i = 0; i < count; ++i) {
      mlir::Value one =
          pm::GivenOp::create(builder, at, ref->name + "." + std::to_string(i));
      any = any ? mlir::arith::OrIOp::create(builder, at, any, one).getResult()
                : one;
    }
    return scalarOf(any);
  });
}

Value Generator::callError(BuiltinCall &call) {
  if (!accepts(call))
    return Value::poison();
  // What a function refuses is a mistake of the functions that call it.
  if (checker && messages.countCalls() == 0)
    return Value::poison();
  reportSpecError(rules(), call[0].value.getString(), call.loc);
  return Value::poison();
}
