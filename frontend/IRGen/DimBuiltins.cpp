//===- DimBuiltins.cpp - Functions of dims, given, error ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;

/// spacing(x), length(x), cells(x); of several dims, one each.
Value Generator::callDimQuery(BuiltinCall &call) {
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[0].value, call[0].loc, list))
    return Value::poison();
  std::vector<Value> results;
  std::vector<pm::DimAttr> tags;
  for (pm::DimAttr dim : list) {
    tags.push_back(getSpaceDim(dim));
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
    list = field->getFieldType().getDims();
  else
    return error(call[0],
                 "'dims' wants a field, not " + call[0].value.describeType());
  std::vector<Value> values;
  for (pm::DimAttr dim : list)
    values.push_back(Value::dim(getSpaceDim(dim)));
  return Value::tuple(std::move(values));
}

Value Generator::callRefine(BuiltinCall &call) {
  llvm::SmallVector<pm::DimAttr> list;
  auto factor = constInt(call[1], "the factor of 'refine'", 1, 1 << 20);
  if (!appendDims(call[0].value, call[0].loc, list) || !factor)
    return Value::poison();
  std::vector<Value> values;
  for (pm::DimAttr dim : list) {
    pm::DimAttr refined = refine(dim, *factor, call.loc);
    if (!refined)
      return Value::poison();
    values.push_back(Value::dim(refined));
  }
  if (call[0].value.isDim())
    return values[0];
  return Value::tuple(std::move(values));
}

Value Generator::callIndex(BuiltinCall &call) {
  if (!call[0].value.is(Value::Kind::Coordinate))
    return error(call[0], "'index' wants the variable of a map, not " +
                              call[0].value.describeType());
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[1].value, call[1].loc, list))
    return Value::poison();
  if (list.size() != 1)
    return error(call[1], "'index' wants one dim");
  return coordinateOf(call[0].value, list[0], call[1].loc, /*indexOnly=*/true);
}

/// `given(name)`: the name itself counts, not its value.
Value Generator::given(const ast::CallExpr &expr) {
  auto *ref = expr.args.size() == 1 && expr.args[0].value
                  ? llvm::dyn_cast<ast::RefExpr>(expr.args[0].value.get())
                  : nullptr;
  if (!ref || expr.hasDims)
    return error(expr.loc, "'given' wants the name of a param or an input");
  const Value *local = frame->scope ? frame->scope->find(ref->name) : nullptr;
  Lookup found = program.find(*frame->module, ref->name);
  bool known = !local && found.symbol &&
               (found.symbol->kind == Symbol::Kind::Param ||
                found.symbol->kind == Symbol::Kind::Input);
  if (!known)
    return error(ref->loc, "'" + ref->name +
                               "' is no param or input of the "
                               "spec, and 'given' wants one");
  if (frame->constantsOnly)
    return error(expr.loc, "this must be known when the spec is compiled");
  return atPrologue(*frame->entry, "given:" + ref->name, [&] {
    return Value::scalar(
        pm::GivenOp::create(builder, getLoc(expr.loc), ref->name));
  });
}

Value Generator::callGiven(BuiltinCall &call) {
  return error(call.loc, "'given' wants the name of a param or an input");
}

Value Generator::callError(BuiltinCall &call) {
  if (!call[0].value.is(Value::Kind::String))
    return error(call[0], "'error' wants a text");
  return error(call.loc, call[0].value.getString());
}

Value Generator::callPi(BuiltinCall &call) {
  return error(call.loc, "'pi' is a number, no function");
}
