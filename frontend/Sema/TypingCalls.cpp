//===- TypingCalls.cpp - Types of calls -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Typing.h"

#include "frontend/Sema/Operators.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Fields.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Shapes.h"
#include "frontend/Sema/Type.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value Typing::callExpr(const ast::CallExpr &expr) {
  const Value callee = evaluate(*expr.callee);
  std::vector<Argument> args;
  for (const ast::Argument &arg : expr.args) {
    if (!arg.value)
      return unknown();
    args.push_back({arg.name.text, arg.name.loc, evaluate(*arg.value),
                    arg.value->loc, arg.value->range});
  }
  if (callee.is(Value::Kind::Builtin))
    return expr.hasDims ? unknown()
                        : callBuiltin(callee.getBuiltin(), args, expr.loc);
  if (!callee.isClosure())
    return unknown();
  std::optional<std::vector<Dim>> dims;
  if (expr.hasDims) {
    dims.emplace();
    for (const ast::ExprPtr &dim : expr.dims) {
      const Value value =
          dim && getDimKind(*dim).empty() ? evaluate(*dim) : unknown();
      const auto listed = readDims(rules(), value, expr.loc);
      if (!listed)
        return unknown();
      llvm::append_range(*dims, *listed);
    }
  }
  return callClosure(callee, args, std::move(dims));
}

Value Typing::call(const Value &callee, llvm::ArrayRef<Value> args,
                   bool isElement) {
  std::vector<Argument> given;
  for (const Value &arg : args)
    given.push_back({"", {}, arg, {}, {}});
  Place at;
  at.isElement = isElement;
  llvm::SaveAndRestore<Place> saved(place, at);
  return callee.isClosure() ? callClosure(callee, given, {}) : unknown();
}

Value Typing::callClosure(const Value &callee, Arguments args,
                          std::optional<std::vector<Dim>> dims) {
  const ast::FunctionStmt *function = callee.getFunction();
  const ast::LambdaExpr *lambda = callee.getLambda();
  Scope scope;
  llvm::StringMap<Value> lets;
  for (auto [i, name] : llvm::enumerate(callee.getNames())) {
    if (i < callee.getCapturedLocals())
      scope.names[name] = callee.getElements()[i];
    else
      lets[name] = callee.getElements()[i];
  }
  Place inner = place;
  inner.module = callee.getModule();
  inner.scope = &scope;
  inner.lets = &lets;
  llvm::SaveAndRestore<Place> saved(place, inner);
  if (lambda) {
    if (!checkLambdaCall(rules(), *lambda, args, dims.has_value(), {}) ||
        !lambda->body)
      return unknown();
    for (auto [param, arg] : llvm::zip_equal(lambda->params, args))
      scope.names[param.text] = arg.value;
    return evaluate(*lambda->body);
  }
  if (dims && !pmc::bindDims(rules(), *function, *dims, {}, scope))
    return unknown();
  const auto given = matchArguments(rules(), *function, args, {});
  if (!given)
    return unknown();
  for (auto [param, arg] : llvm::zip_equal(function->params, *given)) {
    Value value = arg ? arg->value : evaluate(*param.defaultValue);
    if (param.type)
      value = converted(*param.type, value, scope);
    scope.names[param.name.text] = std::move(value);
  }
  if (!function->body)
    return unknown();
  Value result = evaluate(*function->body);
  if (!function->resultType)
    return result;
  if (place.isElement)
    return function->resultType->base == ast::TypeExpr::Base::Field
               ? element(result)
               : converted(*function->resultType, element(result), scope);
  return converted(*function->resultType, result, scope);
}

//===----------------------------------------------------------------------===//
// Declared types
//===----------------------------------------------------------------------===//

/// Of a value that fits the type; see Generator::matchScalar.
Value Typing::convertedNumber(const ast::TypeExpr &type, const Value &value) {
  using Base = ast::TypeExpr::Base;
  if (!checkScalar(rules(), type, {"", {}, value, {}, {}}, ""))
    return unknown();
  switch (type.base) {
  case Base::Int:
  case Base::U64:
    if (value.isScalar())
      return type.base == Base::U64 ? value.asUnsigned() : value;
    return Value::integer(*value.getConstInt());
  case Base::F64: {
    const Unit unit =
        type.unit && value.hasAnyUnit() ? *type.unit : value.getUnit();
    if (value.is(Value::Kind::Int))
      return Value::real(double(value.getInt()), unit);
    if (value.isIntLike())
      return Value::scalar(Storage::F64, unit);
    return value.withUnit(unit);
  }
  case Base::Bool:
  case Base::String:
  case Base::Table:
    return value;
  default:
    return unknown();
  }
}

/// Names of dims in types are bound to those of the arguments.
static void bindTypeDims(const ast::TypeExpr &type, DimList dims,
                         Scope &scope) {
  auto isBound = [&](llvm::StringRef name) { return scope.names.count(name); };
  if (type.dims.size() == 1 && type.dims[0] &&
      getDimKind(*type.dims[0]).empty()) {
    llvm::StringRef name = getDimName(*type.dims[0]);
    if (isDimListName(name)) {
      std::vector<Value> list;
      for (const Dim &dim : dims)
        list.push_back(Value::dim(dim));
      if (!isBound(name))
        scope.names[name] = Value::tuple(std::move(list));
      return;
    }
  }
  if (type.dims.size() != dims.size())
    return;
  for (auto [expr, dim] : llvm::zip_equal(type.dims, dims)) {
    llvm::StringRef name = expr ? getDimName(*expr) : "";
    if (!name.empty() && !isBound(name))
      scope.names[name] =
          Value::dim(getDimKind(*expr).empty() ? dim : dim.getSpaceDim());
  }
}

/// As Generator::matchType converts it.
Value Typing::converted(const ast::TypeExpr &type, const Value &value,
                        Scope &scope) {
  if (value.isPoison())
    return value;
  const bool isField = type.base == ast::TypeExpr::Base::Field;
  if (type.isVector) {
    if (!value.isTuple())
      return unknown();
    ast::TypeExpr component;
    component.base = type.base;
    component.unit = type.unit;
    std::vector<Value> parts;
    std::vector<Dim> tags = value.getTags().vec();
    for (const Value &part : value.getElements()) {
      if (!isField) {
        parts.push_back(convertedNumber(component, part));
        continue;
      }
      if (!part.isField())
        return unknown();
      bindTypeDims(type, part.getDims(), scope);
      if (tags.empty() && value.getElements().size() == part.getDims().size())
        for (const Dim &dim : part.getDims())
          tags.push_back(dim.getSpaceDim());
      parts.push_back(type.unit ? part.withUnit(*type.unit) : part);
    }
    return Value::tuple(std::move(parts), std::move(tags));
  }
  if (!isField)
    return convertedNumber(type, place.isElement ? element(value) : value);
  const bool isReal = !type.isIntField && !type.isComplexField;
  if (!value.isField() || (isReal && value.isFieldOf(Storage::I64)))
    return unknown();
  bindTypeDims(type, value.getDims(), scope);
  return type.unit ? value.withUnit(*type.unit) : value;
}

//===----------------------------------------------------------------------===//
// Builtins
//===----------------------------------------------------------------------===//

Value Typing::total(Elements parts) {
  if (parts.empty())
    return unknown();
  Value sum = parts[0];
  for (const Value &part : parts.drop_front())
    sum = binary(ast::BinaryOp::Add, sum, part);
  return sum;
}

/// Of a number that a reduction over all elements of a field gives.
static Value reducedShape(const Value &field) {
  const Value number = Value::scalar(Storage::F64, field.getUnit());
  return field.hasAnyUnit() ? number.withAnyUnit() : number;
}

Value Typing::inner(const Value &a, const Value &b) {
  if (a.isPoison() || b.isPoison())
    return unknown();
  if ((a.isTuple() || a.isRecord()) && a.getKind() == b.getKind() &&
      a.getElements().size() == b.getElements().size() &&
      (a.isTuple() || hasSameMembers(a, b))) {
    Value sum = Value::integer(0);
    for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a)))
      sum = binary(ast::BinaryOp::Add, sum, inner(x, y));
    return sum;
  }
  if (a.is(Value::Kind::Table) && b.is(Value::Kind::Table))
    return Value::scalar(Storage::F64, a.getUnit() * b.getUnit());
  const bool areFields =
      a.isField() && b.isField() && a.getDims() == b.getDims();
  if (!areFields)
    return a.isRealNumber() && b.isRealNumber()
               ? binary(ast::BinaryOp::Mul, a, b)
               : unknown();
  if (place.isElement || isComplex(a.getStorage()) || isComplex(b.getStorage()))
    return unknown();
  const Value product = binary(ast::BinaryOp::Mul, a, b);
  return product.isField() ? reducedShape(product) : unknown();
}

/// `sum` and the like, of all elements.
Value Typing::reduced(BuiltinId id, const Value &value, const Argument *over) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(part.isRealNumber() && !over ? part
                                                   : reduced(id, part, over));
    return value.withElements(std::move(parts));
  }
  if (!value.isField() || isComplex(value.getStorage()) || place.isElement)
    return unknown();
  Value number = reducedShape(value);
  if (over) {
    const auto positions = placeOver(rules(), value.getDims(), *over);
    // Sums of other elements are stored in other ways.
    if (!positions || !value.isFieldOf(real))
      return unknown();
    std::vector<Dim> kept;
    for (auto [i, dim] : llvm::enumerate(value.getDims()))
      if (!llvm::is_contained(*positions, i))
        kept.push_back(dim);
    if (!kept.empty()) {
      number = Value::field(std::move(kept), real, value.getUnit());
      if (value.hasAnyUnit())
        number = number.withAnyUnit();
    }
  }
  return id == BuiltinId::Mean
             ? binary(ast::BinaryOp::Div, number, Value::real(2))
             : number;
}

Value Typing::callBuiltin(BuiltinId id, Arguments args, llvm::SMLoc loc) {
  const auto bound = bindBuiltin(rules(), getBuiltinInfo(id), args,
                                 /*hasDims=*/false, loc);
  if (!bound)
    return unknown();
  // `over = …` is the last parameter of all that have it.
  const bool hasOver =
      !bound->empty() && getBuiltinInfo(id).params.back() == "over";
  const Argument *over = hasOver && bound->back() ? &*bound->back() : nullptr;
  llvm::SmallVector<Value, 2> v;
  for (const std::optional<Argument> &arg :
       llvm::ArrayRef(*bound).drop_back(hasOver))
    if (arg)
      v.push_back(arg->value);
  const bool isOne = v.size() == 1, isTwo = v.size() == 2;
  switch (id) {
#define MATH(ID, NAME, UNITS, OP, FOLDED) case BuiltinId::ID:
#include "frontend/Sema/MathBuiltins.def"
  case BuiltinId::Conj:
    return isOne ? lift(v[0],
                        [&](Elements e) { return shapeOfMath(id, e[0], real); })
                 : unknown();
  case BuiltinId::Pow:
    return isTwo ? binary(ast::BinaryOp::Pow, v[0], v[1]) : unknown();
  case BuiltinId::Number:
    return isTwo ? lift(v,
                        [&](Elements e) {
                          return shapeOfNumber(e[0], e[1], real);
                        })
                 : unknown();
  case BuiltinId::Epsilon:
    return isOne ? epsilonOf(v[0]) : unknown();
  case BuiltinId::UnitOf: {
    if (!isOne || !v[0].isElementwise())
      return unknown();
    const Value one = Value::real(1, v[0].getUnit());
    return v[0].hasAnyUnit() ? one.withAnyUnit() : one;
  }
  case BuiltinId::Min:
  case BuiltinId::Max:
    if (isTwo && !over)
      return lift(v, [&](Elements e) {
        return shapeOfMinMax(id == BuiltinId::Max, e[0], e[1], real);
      });
    return isOne ? reduced(id, v[0], over) : unknown();
  case BuiltinId::Sum:
  case BuiltinId::Mean:
    return isOne ? reduced(id, v[0], over) : unknown();
  case BuiltinId::Norm2: {
    if (!isOne || v[0].isRecord())
      return unknown();
    const Value squares =
        lift(v[0], [&](Elements e) { return shapeOfNorm2(e[0], real); });
    return squares.isTuple() ? total(squares.getElements()) : squares;
  }
  case BuiltinId::Total:
    return isOne && v[0].isTuple() ? total(v[0].getElements()) : unknown();
  case BuiltinId::Dot: {
    if (!isTwo || !v[0].isTuple() || !v[1].isTuple() ||
        v[0].getElements().size() != v[1].getElements().size())
      return unknown();
    const Value products = binary(ast::BinaryOp::Mul, v[0], v[1]);
    return products.isTuple() ? total(products.getElements()) : unknown();
  }
  case BuiltinId::Inner:
    return isTwo ? inner(v[0], v[1]) : unknown();
  case BuiltinId::Interpolate:
  case BuiltinId::Derivative: {
    if (!isTwo || !v[0].is(Value::Kind::Table))
      return unknown();
    Unit unit = v[0].getUnit();
    if (id == BuiltinId::Derivative)
      unit = unit / v[0].getXUnit();
    return lift(v[1], [&](Elements e) -> std::optional<Value> {
      if (!e[0].isRealNumber())
        return std::nullopt;
      return Value::scalar(Storage::F64, unit);
    });
  }
  case BuiltinId::Finite:
    return isOne && v[0].isScalar() && isFloat(v[0].getStorage())
               ? Value::scalar(Storage::I1)
               : unknown();
  default:
    return unknown();
  }
}
