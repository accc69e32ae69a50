//===- TypingCalls.cpp - Types of calls -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Derivatives.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/Operators.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"
#include "frontend/Sema/ValueKey.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value Typing::callExpr(const ast::CallExpr &expr) {
  const Value callee = evaluate(*expr.callee);
  const bool isBuiltin = callee.is(Value::Kind::Builtin);
  if (isBuiltin && callee.getBuiltin() == BuiltinId::Given)
    return given(expr);
  const bool takesNames = isBuiltin && takesParameterNames(callee.getBuiltin());
  std::vector<Argument> args;
  for (const ast::Argument &arg : expr.args) {
    if (!arg.value)
      return unknown();
    Value value = takesNames && arg.name.text == "wrt"
                      ? readParameterNames(rules(), *arg.value)
                      : evaluate(*arg.value);
    args.push_back({arg.name.text, arg.name.loc, std::move(value),
                    arg.value->loc, arg.value->range});
  }
  if (isBuiltin && callee.getBuiltin() == BuiltinId::Slice)
    return slice(expr, args);
  if (isBuiltin && callee.getBuiltin() == BuiltinId::Shift)
    return shift(args);
  std::optional<std::vector<Dim>> dims;
  if (expr.hasDims) {
    dims = listDims(expr.dims);
    if (!dims)
      return unknown();
  }
  return apply(callee, args, std::move(dims), expr.loc);
}

Value Typing::apply(const Value &callee, Arguments args,
                    std::optional<std::vector<Dim>> dims, llvm::SMLoc loc) {
  if (callee.is(Value::Kind::Builtin))
    return callBuiltin(callee.getBuiltin(), args, std::move(dims), loc);
  if (callee.is(Value::Kind::Derivative))
    return callDerivative(callee, args, std::move(dims), loc);
  return callee.isClosure() ? callClosure(callee, args, std::move(dims))
                            : unknown();
}

/// given(name) and given(record.name).
Value Typing::given(const ast::CallExpr &expr) {
  const ast::Expr *arg =
      expr.args.size() == 1 ? expr.args[0].value.get() : nullptr;
  auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(arg);
  if (!member)
    return Value::scalar(Storage::I1);
  const Value base = evaluate(*member->base);
  const auto isGiven =
      base.isRecord() ? hasMember(rules(), *member, base) : std::nullopt;
  return isGiven ? Value::boolean(*isGiven) : unknown();
}

/// Finds the unit that all parts of a direction have in common. False if the
/// direction does not fit the shape.
static bool readDirection(const RuleContext &context, const Value &shape,
                          const Argument &direction, DirectionRule &rule) {
  const Value &value = direction.value;
  if (!checkDirection(context, shape, value, direction, rule,
                      /*holdsTangents=*/false))
    return false;
  if (!shape.isTuple() && !shape.isRecord())
    return true;
  for (auto [part, own] :
       llvm::zip_equal(shape.getElements(), partsLike(value, shape)))
    if (!readDirection(context, part, direction.with(own), rule))
      return false;
  return true;
}

/// The value with elements in place of its fields, including fields that a
/// function has captured.
Value Typing::capturedElements(const Value &value) {
  if (!value.isClosure() && !value.is(Value::Kind::Derivative) &&
      !value.isTuple() && !value.isRecord())
    return element(value);
  std::vector<Value> parts;
  for (const Value &part : value.getElements())
    parts.push_back(capturedElements(part));
  return value.withElements(std::move(parts));
}

/// grad(f)(a), and the other derivatives. In a map, the function has numbers of
/// one element as arguments.
Value Typing::callDerivative(const Value &callee, Arguments args,
                             std::optional<std::vector<Dim>> dims,
                             llvm::SMLoc loc) {
  using Mode = Derivation::Mode;
  const Mode mode = callee.getDerivation().mode;
  Value function = callee.getElements()[0];
  if (!function.isFunction())
    return unknown();
  auto split = splitDirection(rules(), mode, function, args, loc);
  if (!split || (split->direction && split->direction->value.holdsFree()))
    return unknown();
  const auto names = parametersOf(function);
  std::vector<Argument> &actual = split->own;
  if (place.isElement) {
    function = capturedElements(function);
    for (Argument &arg : actual)
      arg.value = capturedElements(arg.value);
    if (split->direction)
      split->direction->value = element(split->direction->value);
  }
  if (function.isPoison())
    return unknown();
  llvm::SaveAndRestore<bool> outside(place.isElement, false);
  std::vector<Value> active;
  for (const std::string &name : callee.getNames()) {
    size_t position = 0;
    auto isGiven = [&](const Argument &arg) {
      if (!arg.name.empty())
        return arg.name == name;
      const size_t at = position++;
      return at < names.size() && names[at] == name;
    };
    auto given = llvm::find_if(actual, isGiven);
    if (given == actual.end() || given->value.holdsFree())
      return unknown();
    const ast::FnParam *param = findParameter(function, name);
    if (param && param->type && param->type->unit &&
        given->value.hasAnyUnit() && given->value.isElementwise())
      given->value = given->value.withUnit(*param->type->unit);
    given->value = activeShape(rules(), given->value, *given, name);
    if (given->value.isPoison())
      return unknown();
    active.push_back(given->value);
  }
  const Value value = liveShape(apply(function, actual, std::move(dims), loc));
  if (value.isPoison() || value.holdsFree())
    return unknown();
  const Value from = active.size() == 1 ? active[0] : Value::tuple(active);
  if (mode == Mode::Grad || mode == Mode::ValueAndGrad) {
    if (!value.isRealNumber())
      return unknown();
    const Value gradient =
        derivativeShape(from, value.getUnit(), /*isDual=*/true);
    return mode == Mode::Grad ? gradient : Value::tuple({value, gradient});
  }
  const bool isDual = mode == Mode::VJP;
  DirectionRule rule{"", isDual};
  if (!readDirection(rules(), isDual ? value : from, *split->direction, rule))
    return unknown();
  return Value::tuple(
      {value, derivativeShape(isDual ? from : value, rule.unit.value_or(Unit()),
                              isDual)});
}

/// Results of calls in maps are not stored, because they depend on the elements
/// that the map has read.
Value Typing::callClosure(const Value &callee, Arguments args,
                          std::optional<std::vector<Dim>> dims) {
  if (place.isElement)
    return evaluateCall(callee, args, std::move(dims));
  std::string key(1, char(real));
  key += dims ? '[' : '(';
  appendKey(key, callee);
  for (const Argument &arg : args) {
    key += arg.name;
    key += '=';
    appendKey(key, arg.value);
  }
  for (const Dim &dim : dims.value_or(std::vector<Dim>()))
    appendKey(key, Value::dim(dim));
  if (auto it = known.find(key); it != known.end())
    return it->second;
  const Value result = evaluateCall(callee, args, std::move(dims));
  if (!result.isPoison() && !result.holdsFree())
    known[key] = result;
  return result;
}

Value Typing::evaluateCall(const Value &callee, Arguments args,
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

/// The type of a number after its conversion to `type`; see
/// Generator::matchScalar.
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
  case Base::F64:
  case Base::Complex: {
    const Unit unit =
        type.unit && value.hasAnyUnit() ? *type.unit : value.getUnit();
    if (value.isComplex())
      return value.withUnit(unit);
    if (type.base == Base::Complex)
      return Value::complex(value, Value::integer(0), unit);
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

/// Binds the names of dims in a type to the dims of the argument.
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

/// The type of a value after its conversion to `type`; see
/// Generator::matchType.
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
  if (!value.isField())
    return unknown();
  bindTypeDims(type, value.getDims(), scope);
  Value field = value;
  // Fields of ints become real if the declared type is real.
  if (isReal && value.isFieldOf(Storage::I64))
    field = Value::field(value.getDims().vec(), real, value.getUnit());
  return type.unit ? field.withUnit(*type.unit) : field;
}
