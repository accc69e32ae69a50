//===- TypingCalls.cpp - Types of calls -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Typing.h"

#include "frontend/Sema/Operators.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Derivatives.h"
#include "frontend/Sema/Rules/Fields.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Shapes.h"
#include "frontend/Sema/Type.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value Typing::callExpr(const ast::CallExpr &expr) {
  const Value callee = evaluate(*expr.callee);
  const bool isBuiltin = callee.is(Value::Kind::Builtin);
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
  std::optional<std::vector<Dim>> dims;
  if (expr.hasDims) {
    dims = listDims(expr.dims);
    if (!dims)
      return unknown();
  }
  if (isBuiltin)
    return callBuiltin(callee.getBuiltin(), args, std::move(dims), expr.loc);
  if (callee.is(Value::Kind::Derivative))
    return callDerivative(callee, args, std::move(dims));
  return callee.isClosure() ? callClosure(callee, args, std::move(dims))
                            : unknown();
}

/// The type of the derivative of a number in this unit with respect to values
/// of this shape.
static Value gradientShape(const Value &shape, const Unit &numerator) {
  if (shape.isTuple() || shape.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : shape.getElements())
      parts.push_back(gradientShape(part, numerator));
    return shape.withElements(std::move(parts));
  }
  if (!shape.isScalar() && !shape.isField())
    return Value::free(Type());
  return hasTangent(shape) ? shape.withUnit(numerator / shape.getUnit())
                           : Value::integer(0);
}

/// grad(f)(a) and value_and_grad(f)(a).
Value Typing::callDerivative(const Value &callee, Arguments args,
                             std::optional<std::vector<Dim>> dims) {
  using Mode = Derivation::Mode;
  const Mode mode = callee.getDerivation().mode;
  const Value &function = callee.getElements()[0];
  if (place.isElement || !function.isClosure() ||
      (mode != Mode::Grad && mode != Mode::ValueAndGrad))
    return unknown();
  const auto names = parametersOf(function);
  std::vector<Argument> actual = args.vec();
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
  const Value value = liveShape(callClosure(function, actual, std::move(dims)));
  if (!value.isRealNumber())
    return unknown();
  const Value gradient = gradientShape(
      active.size() == 1 ? active[0] : Value::tuple(active), value.getUnit());
  return mode == Mode::Grad ? gradient : Value::tuple({value, gradient});
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

/// Whether all numbers are finite; ints, bools and constants are.
Value Typing::finite(const Value &value) {
  if (value.isTuple() || value.isRecord() || value.isComplex()) {
    Value all = Value::boolean(true);
    for (const Value &part : value.getElements()) {
      const Value one = finite(part);
      if (one.isPoison())
        return one;
      if (one.isScalar())
        all = one;
    }
    return all;
  }
  if (value.isIntLike() || value.isBoolLike() || value.isConstNumber())
    return Value::boolean(true);
  if (value.isScalar())
    return Value::scalar(Storage::I1);
  if (!value.isField() || isComplex(value.getStorage()))
    return unknown();
  return isFloat(value.getStorage()) ? Value::scalar(Storage::I1)
                                     : Value::boolean(true);
}

/// The type of div or mod of ints: a constant if both arguments are constants.
static Value shapeOfDivision(bool isDiv, const Value &a, const Value &b) {
  for (const Value *part : {&a, &b})
    if (!part->isRealNumber() || part->isUnsigned())
      return Value::free(Type());
  const auto x = a.getConstInt(), y = b.getConstInt();
  if (!x || !y)
    return Value::scalar(Storage::I64);
  if (*y <= 0)
    return Value::free(Type());
  const int64_t rest = (*x % *y + *y) % *y;
  return Value::integer(isDiv ? (*x - rest) / *y : rest);
}

/// int(x).
static std::optional<Value> shapeOfInt(const Value &x) {
  if (x.is(Value::Kind::Int))
    return x.asElement();
  if (const auto known = x.getConstReal())
    return std::abs(*known) < 0x1p62
               ? std::optional(
                     Value::integer(int64_t(std::floor(*known))).asElement())
               : std::nullopt;
  if (x.is(Value::Kind::Bool))
    return Value::integer(x.getBool());
  if (x.isUnsigned() || !(x.isScalar()))
    return std::nullopt;
  return Value::scalar(Storage::I64);
}

Value Typing::callBuiltin(BuiltinId id, Arguments args,
                          std::optional<std::vector<Dim>> dims,
                          llvm::SMLoc loc) {
  if (id == BuiltinId::Shift) {
    const bool isMoved =
        !args.empty() && args[0].value.isField() &&
        llvm::all_of(args[0].value.getDims(),
                     [](const Dim &dim) { return dim.isSpace(); });
    return isMoved ? args[0].value : unknown();
  }
  const auto bound =
      bindBuiltin(rules(), getBuiltinInfo(id), args, dims.has_value(), loc);
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
  if (id == BuiltinId::Norm2 || id == BuiltinId::Dot || id == BuiltinId::Total)
    for (Value &value : v)
      value = expanded(value);
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
  case BuiltinId::Int:
    return lift(v, [](Elements e) { return shapeOfInt(e[0]); });
  case BuiltinId::Div:
  case BuiltinId::Mod:
    return lift(v, [&](Elements e) -> std::optional<Value> {
      return shapeOfDivision(id == BuiltinId::Div, e[0], e[1]);
    });
  case BuiltinId::Spacing:
  case BuiltinId::Length:
  case BuiltinId::Cells:
    return dimQuery(id, v[0]);
  case BuiltinId::Dims:
    return dimsOf(v[0]);
  case BuiltinId::Directions:
    return directions(v[0]);
  case BuiltinId::Refine:
  case BuiltinId::Coarsen:
    return isTwo ? views(v[0], *(*bound)[1], id == BuiltinId::Refine)
                 : unknown();
  case BuiltinId::Index:
    return v[1].isDim() ? coordinate(v[0], v[1].getDim(), /*isIndex=*/true)
                        : unknown();
  case BuiltinId::Constant:
    return dims && !place.isElement ? fieldsOf(v[0], *dims) : unknown();
  case BuiltinId::WhiteNoise:
    return dims && !place.isElement ? Value::field(*dims, real) : unknown();
  case BuiltinId::Paint:
  case BuiltinId::PaintAt:
    return painted(*bound, std::move(dims));
  case BuiltinId::Readout:
  case BuiltinId::ReadoutAt:
    return readOut(*bound);
  case BuiltinId::Grad:
  case BuiltinId::ValueAndGrad: {
    if (!v[0].isClosure())
      return unknown();
    auto wrt = readParameters(rules(), "", *(*bound)[0],
                              (*bound)[1] ? &*(*bound)[1] : nullptr);
    Derivation derivation;
    derivation.mode = id == BuiltinId::Grad ? Derivation::Mode::Grad
                                            : Derivation::Mode::ValueAndGrad;
    return wrt ? Value::derivative(v[0], std::move(*wrt), derivation)
               : unknown();
  }
  case BuiltinId::Split: {
    auto isText = [](const Value &x) { return x.is(Value::Kind::String); };
    llvm::erase_if(v, isText);
    for (Value &value : v)
      if (value.is(Value::Kind::Coordinate))
        value = Value::scalar(Storage::F64); // the number of the cell
    return lift(v, [](Elements e) -> std::optional<Value> {
      if (!llvm::all_of(e, [](auto &part) { return part.isRealNumber(); }))
        return std::nullopt;
      return Value::scalar(Storage::I64).asUnsigned();
    });
  }
  case BuiltinId::Random:
    // In a map, its precision depends on the fields that have been read.
    return place.isElement ? unknown()
                           : lift(v, [](Elements e) -> std::optional<Value> {
                               if (!e[0].isRealNumber())
                                 return std::nullopt;
                               return Value::scalar(Storage::F64);
                             });
  case BuiltinId::Finite:
    return isOne ? finite(v[0]) : unknown();
  default:
    return unknown();
  }
}
