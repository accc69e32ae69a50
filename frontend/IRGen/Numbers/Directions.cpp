//===- Directions.cpp - Tangents and cotangents as values ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/DimMessages.h"

#include <algorithm>

using namespace pmc;

/// How many of a value's run-time parts have a tangent.
unsigned Generator::countTangents(const Value &value) {
  llvm::SmallVector<mlir::Value> leaves;
  flatten(value, leaves, nullptr);
  return llvm::count_if(
      leaves, [](mlir::Value leaf) { return pm::hasTangent(leaf.getType()); });
}

/// The first function in a value that captured parts with a tangent; null if
/// there is none.
const Value *Generator::findFunctionWithTangents(const Value &value) {
  if (value.isFunction())
    return countTangents(value) ? &value : nullptr;
  if (value.isTuple() || value.isRecord())
    for (const Value &part : value.getElements())
      if (const Value *found = findFunctionWithTangents(part))
        return found;
  return nullptr;
}

/// Appends the run-time parts of a tangent (or, if `dual`, of a cotangent) of
/// values of this shape. `unit` is what the units of all parts have in common.
bool Generator::appendDirection(const Value &shape, const Value &value,
                                const Argument &arg, llvm::StringRef what,
                                bool dual, std::optional<Unit> &unit,
                                llvm::SmallVectorImpl<mlir::Value> &leaves) {
  using Kind = Value::Kind;
  auto refuse = [&](const llvm::Twine &more = "") {
    error(arg, what + " holds " + value.describe() + " instead of one like " +
                   shape.describe() + explainDims(value, shape) + more);
    return false;
  };
  auto useUnit = [&](const Value &part) {
    if (part.hasAnyUnit())
      return true;
    Unit here = dual ? part.getUnit() * shape.getUnit()
                     : part.getUnit() / shape.getUnit();
    if (!unit)
      unit = here;
    return unit->agrees(here) ||
           refuse("; its unit does not fit those of the other parts");
  };
  switch (shape.getKind()) {
  case Kind::Scalar:
    if (!hasTangent(shape))
      return true;
    if (!value.isRealNumber())
      return refuse();
    leaves.push_back(materialize(value, lowerType(shape), getLoc(arg.loc)));
    return useUnit(value);
  case Kind::Complex:
    if (!value.isNumber())
      return refuse();
    convertTo(value, shape, arg.loc, leaves);
    return useUnit(value);
  case Kind::Field: {
    if (!hasTangent(shape))
      return true;
    // Dims have names: their order says nothing. Nor does the precision.
    Value ordered = value;
    if (value.isField()) {
      llvm::ArrayRef<pm::DimAttr> dims = lowerField(shape).getDims();
      llvm::ArrayRef<pm::DimAttr> given = lowerField(value).getDims();
      if (given != dims && std::is_permutation(given.begin(), given.end(),
                                               dims.begin(), dims.end()))
        ordered =
            buildMap(dims, arg.loc, [&] { return element(value, arg.loc); });
      mlir::Type element = lowerField(shape).getElementType();
      if (llvm::isa<mlir::FloatType>(element) && isFloat(value.getStorage()))
        ordered = inPrecision(ordered, element, arg.loc);
    }
    if (!ordered.isField() || !ordered.hasTypeOf(shape))
      return refuse();
    leaves.push_back(getSSA(ordered));
    return useUnit(value);
  }
  case Kind::Table:
    if (!value.is(Kind::Table) || !value.getXUnit().agrees(shape.getXUnit()))
      return refuse();
    leaves.push_back(getSSA(value));
    return useUnit(value);
  case Kind::Record:
    if (!value.isRecord() || !hasSameMembers(value, shape))
      return refuse();
    break;
  case Kind::Tuple:
    if (!value.isTuple() ||
        value.getElements().size() != shape.getElements().size())
      return refuse();
    if (std::string why = explainOrder(shape, value); !why.empty()) {
      error(arg, what + " and what it belongs to have " + why);
      return false;
    }
    break;
  case Kind::Closure:
  case Kind::Derivative: {
    if (!countTangents(shape))
      return true;
    if (!value.isConstZero())
      return refuse("; the derivative of a function is 0");
    llvm::SmallVector<mlir::Value> captured;
    flatten(shape, captured, nullptr);
    for (mlir::Value leaf : captured)
      if (pm::hasTangent(leaf.getType()))
        leaves.push_back(zeroLike(leaf.getType(), getLoc(arg.loc)));
    return true;
  }
  default:
    return true;
  }
  for (auto [part, direction] :
       llvm::zip_equal(shape.getElements(), partsLike(value, shape)))
    if (!appendDirection(part, direction, arg, what, dual, unit, leaves))
      return false;
  return true;
}

/// The (co)tangents `leaves` of values of this shape, in units of `numerator`
/// times the shape's, or over the shape's if `dual`.
Value Generator::derivativeLike(const Value &shape, Unit numerator, bool dual,
                                mlir::ValueRange leaves, unsigned &next) {
  using Kind = Value::Kind;
  Unit unit = dual ? numerator / shape.getUnit() : numerator * shape.getUnit();
  switch (shape.getKind()) {
  case Kind::Scalar:
    // What has no tangent stands still.
    return hasTangent(shape) ? scalarOf(leaves[next++], unit)
                             : Value::integer(0);
  case Kind::Field:
    return hasTangent(shape) ? fieldOf(leaves[next++], unit)
                             : Value::integer(0);
  case Kind::Table:
    return tableOf(leaves[next++], shape.getXUnit(), unit);
  case Kind::Complex: {
    // A part that the compiler knows has no derivative.
    auto derivative = [&](const Value &part) {
      return part.is(Kind::Scalar) ? scalarOf(leaves[next++], unit)
                                   : Value::real(0, unit);
    };
    Value re = derivative(shape.getRe());
    Value im = derivative(shape.getIm());
    return Value::complex(re, im, unit);
  }
  case Kind::Tuple:
  case Kind::Record: {
    std::vector<Value> parts;
    for (const Value &part : shape.getElements())
      parts.push_back(derivativeLike(part, numerator, dual, leaves, next));
    return shape.withElements(std::move(parts));
  }
  case Kind::Builtin:
  case Kind::Closure:
  case Kind::Derivative:
    next += countTangents(shape);
    return Value::integer(0);
  default:
    return shape;
  }
}
