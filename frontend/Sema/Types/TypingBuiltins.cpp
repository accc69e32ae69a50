//===- TypingBuiltins.cpp - Types of calls of builtins --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "frontend/Sema/Complex.h"
#include "frontend/Sema/Rules/Builtins.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Derivatives.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Types/Operators.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include <cmath>

using namespace pmc;

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

/// The type of a reduction over all elements of a field.
static Value reducedShape(const Value &field) {
  Value number = Value::scalar(Storage::F64, field.getUnit());
  if (isComplex(field.getStorage()))
    number = Value::complex(Value::scalar(Storage::F64),
                            Value::scalar(Storage::F64), field.getUnit());
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
  // Re(a* b).
  const Value product = lift({a, b}, [&](Elements v) -> std::optional<Value> {
    auto part = [](const Value &x) { return x.isComplex() ? x.getRe() : x; };
    if (!v[0].isNumber() || !v[1].isNumber())
      return std::nullopt;
    if (!v[0].isComplex() || !v[1].isComplex())
      return shapeOfBinary(ast::BinaryOp::Mul, part(v[0]), part(v[1]), real);
    return shapeOfInner(v[0], v[1], real);
  });
  const bool areFields = a.isField() && b.isField() &&
                         a.getDims() == b.getDims() && !place.isElement;
  return areFields && product.isField() ? reducedShape(product) : product;
}

/// `sum` and similar reductions, over all elements or over some dims.
Value Typing::reduced(BuiltinId id, const Value &value, const Argument *over) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(part.isRealNumber() && !over ? part
                                                   : reduced(id, part, over));
    return value.withElements(std::move(parts));
  }
  if (!value.isField() || place.isElement)
    return unknown();
  Value number = reducedShape(value);
  if (over) {
    const auto positions = placeOver(rules(), value.getDims(), *over);
    if (!positions)
      return unknown();
    std::vector<Dim> kept;
    for (auto [i, dim] : llvm::enumerate(value.getDims()))
      if (!llvm::is_contained(*positions, i))
        kept.push_back(dim);
    if (!kept.empty()) {
      // Counts, and sums of f64, have the precision of f64.
      Storage storage = real;
      if (isComplex(value.getStorage()))
        storage = complexOf(real);
      else if (value.isFieldOf(Storage::I64) || value.isFieldOf(Storage::F64))
        storage = Storage::F64;
      number = Value::field(std::move(kept), storage, value.getUnit());
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
  if (!value.isField())
    return value.is(Value::Kind::Coordinate) ? Value::boolean(true) : unknown();
  if (place.isElement)
    return finite(element(value));
  return value.isFieldOf(Storage::I1) || value.isFieldOf(Storage::I64)
             ? Value::boolean(true)
             : Value::scalar(Storage::I1);
}

/// The type of div or mod of ints: a constant if both arguments are constants.
static Value shapeOfDivision(bool isDiv, const Value &a, const Value &b) {
  if (!a.isRealNumber() || !b.isRealNumber())
    return Value::free(Type());
  const auto x = a.getConstInt(), y = b.getConstInt();
  if (!x || !y) {
    const Value number = Value::scalar(Storage::I64);
    return a.isUnsigned() || b.isUnsigned() ? number.asUnsigned() : number;
  }
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

static Derivation::Mode modeOf(BuiltinId id) {
  using Mode = Derivation::Mode;
  return id == BuiltinId::Grad  ? Mode::Grad
         : id == BuiltinId::VJP ? Mode::VJP
         : id == BuiltinId::JVP ? Mode::JVP
                                : Mode::ValueAndGrad;
}

/// For each part, the number 1 in its unit.
static Value unitOf(const Value &value) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(unitOf(part));
    return value.withElements(std::move(parts));
  }
  if (!value.isElementwise())
    return Value::free(Type());
  const Value one = Value::real(1, value.getUnit());
  return value.hasAnyUnit() ? one.withAnyUnit() : one;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// tabulate(f, from, to, points) over one axis.
Value Typing::tabulated(Bound args) {
  const Value &from = args[1]->value, &to = args[2]->value;
  if (!from.isRealNumber() || !to.isRealNumber())
    return unknown();
  const Unit xUnit = from.hasAnyUnit() ? to.getUnit() : from.getUnit();
  Argument x = *args[1];
  x.name = {};
  x.value = Value::scalar(Storage::F64, xUnit);
  const Value y = apply(args[0]->value, x, std::nullopt, x.loc);
  return y.isRealNumber() ? Value::table(xUnit, y.getUnit()) : unknown();
}

/// transform(table, f) over one axis.
Value Typing::transformedTable(Bound args) {
  const Value &table = args[0]->value;
  if (!table.is(Value::Kind::Table))
    return unknown();
  Argument x = *args[1], y = x;
  x.name = y.name = {};
  x.value = Value::scalar(Storage::F64, table.getXUnit());
  y.value = Value::scalar(Storage::F64, table.getUnit());
  const Value row = apply(args[1]->value, {x, y}, std::nullopt, x.loc);
  if (!row.isTuple() || row.getElements().size() != 2 ||
      !row.getElements()[0].isRealNumber() ||
      !row.getElements()[1].isRealNumber())
    return unknown();
  return Value::table(row.getElements()[0].getUnit(),
                      row.getElements()[1].getUnit());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Typing::callBuiltin(BuiltinId id, Arguments args,
                          std::optional<std::vector<Dim>> dims,
                          llvm::SMLoc loc) {
  const auto bound =
      bindBuiltin(rules(), getBuiltinInfo(id), args, dims.has_value(), loc);
  if (!bound)
    return unknown();
  // If a builtin has the parameter `over`, it is the last one.
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
  case BuiltinId::Real:
  case BuiltinId::Imag:
  case BuiltinId::Conj:
  case BuiltinId::Arg:
    return isOne ? lift(v[0],
                        [&](Elements e) { return shapeOfMath(id, e[0], real); })
                 : unknown();
  case BuiltinId::Pow:
    return isTwo ? binary(ast::BinaryOp::Pow, v[0], v[1]) : unknown();
  case BuiltinId::Atan2:
    return isTwo ? lift(v,
                        [&](Elements e) {
                          return shapeOfAngle(e[0], e[1], real);
                        })
                 : unknown();
  case BuiltinId::Number:
    return isTwo ? lift(v,
                        [&](Elements e) {
                          return shapeOfNumber(e[0], e[1], real);
                        })
                 : unknown();
  case BuiltinId::Epsilon:
    return isOne ? epsilonOf(v[0]) : unknown();
  case BuiltinId::UnitOf:
    return isOne ? unitOf(v[0]) : unknown();
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
    if (!acceptCall(rules(), id, *bound, place.isElement, loc))
      return unknown();
    const Value &table = v[0].isGrid() ? v[0].getElements().back() : v[0];
    if (!table.is(Value::Kind::Table))
      return unknown();
    Unit unit = table.getUnit();
    if (id == BuiltinId::Derivative)
      unit = unit / table.getXUnit();
    const Elements positions = Elements(v).slice(
        1, std::min<size_t>(v.size() - 1, v[0].getAxisCount()));
    return lift(positions, [&](Elements e) -> std::optional<Value> {
      if (!llvm::all_of(e, [](auto &part) { return part.isRealNumber(); }))
        return std::nullopt;
      return Value::scalar(Storage::F64, unit);
    });
  }
  case BuiltinId::Tabulate:
    return tabulated(*bound);
  case BuiltinId::Transform:
    return transformedTable(*bound);
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
    return v[0].isStream() ? sampleCount(id, v[0]) : dimQuery(id, v[0]);
  case BuiltinId::Dims:
    return dimsOf(v[0]);
  case BuiltinId::Directions:
    return directions(v[0]);
  case BuiltinId::Refine:
  case BuiltinId::Coarsen:
    return isTwo ? views(*(*bound)[0], *(*bound)[1], over,
                         id == BuiltinId::Refine)
                 : unknown();
  case BuiltinId::Piece:
    return isTwo ? piece(v[0], *(*bound)[1]) : unknown();
  case BuiltinId::Lapack:
    return matrices(*bound, loc);
  case BuiltinId::Index: {
    const bool isList = v[1].isTuple() && v[1].getElements().size() == 1;
    const Value &dim = isList ? v[1].getElements()[0] : v[1];
    return dim.isDim() ? coordinate(v[0], dim.getDim(), /*isIndex=*/true)
                       : unknown();
  }
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
  case BuiltinId::ValueAndGrad:
  case BuiltinId::VJP:
  case BuiltinId::JVP: {
    if (!v[0].isFunction())
      return unknown();
    auto wrt = readParameters(rules(), "", *(*bound)[0],
                              (*bound)[1] ? &*(*bound)[1] : nullptr);
    Derivation derivation;
    derivation.mode = modeOf(id);
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
    return lift(v, [&](Elements e) -> std::optional<Value> {
      if (!e[0].isRealNumber())
        return std::nullopt;
      // In a map, its precision depends on the fields that have been read.
      return Value::scalar(place.isElement && !readsWide ? real : Storage::F64);
    });
  case BuiltinId::FFT:
  case BuiltinId::IFFT:
    return transformed(id == BuiltinId::FFT, *(*bound)[0], over);
  case BuiltinId::Elementwise:
    return elementwise(*(*bound)[0], *(*bound)[1]);
  case BuiltinId::Stored:
    return v[0].isField() && isFloat(v[0].getStorage()) ? v[0] : unknown();
  case BuiltinId::Sort:
  case BuiltinId::Argsort:
  case BuiltinId::Ranks:
    return sorted(id, *bound, loc);
  case BuiltinId::Finite:
    return isOne ? finite(v[0]) : unknown();
  default:
    return unknown();
  }
}
