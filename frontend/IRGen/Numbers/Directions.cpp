//===- Directions.cpp - Tangents and cotangents as values ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Derivatives.h"

#include <algorithm>

using namespace pmc;

/// How many of a value's run-time parts have a tangent.
unsigned Generator::countTangents(const Value &value) {
  llvm::SmallVector<mlir::Value> leaves;
  flatten(value, leaves);
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
                                const Argument &arg, DirectionRule &rule,
                                llvm::SmallVectorImpl<mlir::Value> &leaves) {
  const bool isFunction = shape.isFunction();
  if (!checkDirection(rules(), shape, value, arg, rule,
                      isFunction && countTangents(shape)))
    return false;
  if (isFunction) {
    llvm::SmallVector<mlir::Value> captured;
    flatten(shape, captured);
    for (mlir::Value leaf : captured)
      if (pm::hasTangent(leaf.getType()))
        leaves.push_back(zeroLike(leaf.getType(), getLoc(arg.loc)));
    return true;
  }
  switch (shape.getKind()) {
  case Value::Kind::Scalar:
    if (hasTangent(shape))
      leaves.push_back(materialize(value, lowerType(shape), getLoc(arg.loc)));
    return true;
  case Value::Kind::Complex:
    convertTo(value, shape, arg.loc, leaves);
    return true;
  case Value::Kind::Field: {
    if (!hasTangent(shape))
      return true;
    Value ordered = value;
    if (value.getDims() != shape.getDims())
      ordered = buildMap(lowerField(shape).getDims(), arg.loc,
                         [&] { return element(value, arg.loc); });
    if (ordered.isPoison())
      return false;
    mlir::Type element = lowerField(shape).getElementType();
    if (llvm::isa<mlir::FloatType>(element))
      ordered = inPrecision(ordered, element, arg.loc);
    leaves.push_back(getSSA(ordered));
    return true;
  }
  case Value::Kind::Table:
    leaves.push_back(getSSA(value));
    return true;
  case Value::Kind::Record:
  case Value::Kind::Tuple:
    break;
  default:
    return true;
  }
  for (auto [part, direction] :
       llvm::zip_equal(shape.getElements(), partsLike(value, shape)))
    if (!appendDirection(part, direction, arg, rule, leaves))
      return false;
  return true;
}

/// The (co)tangents `leaves` of values of this shape, in units of `numerator`
/// times the shape's, or over the shape's if `dual`.
Value Generator::derivativeLike(const Value &shape, Unit numerator, bool dual,
                                mlir::ValueRange leaves, unsigned &next) {
  if (shape.isFunction())
    next += countTangents(shape);
  if (shape.is(Value::Kind::Range))
    return shape;
  if (!shape.isTuple() && !shape.isRecord())
    return rebuild(derivativeShape(shape, numerator, dual), leaves, next);
  std::vector<Value> parts;
  for (const Value &part : shape.getElements())
    parts.push_back(derivativeLike(part, numerator, dual, leaves, next));
  return shape.withElements(std::move(parts));
}
