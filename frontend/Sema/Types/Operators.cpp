//===- Operators.cpp - Types of what operators give -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Operators.h"

#include "frontend/Sema/Complex.h"
#include "frontend/Sema/Types/Constants.h"
#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include <cmath>

using namespace pmc;
using ast::BinaryOp;

/// The type in which a function of a real number is computed.
static Storage floatStorage(const Value &value, Storage real) {
  return value.isScalar() && value.getStorage() == real ? real : Storage::F64;
}

static Value opened(const Value &value, bool isOpen) {
  return isOpen ? value.withAnyUnit() : value;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::optional<Value> pmc::shapeOfUnary(ast::UnaryOp op, const Value &operand) {
  if (judgeUnary(op, typeOf(operand)).isWrong())
    return std::nullopt;
  if (op == ast::UnaryOp::Not)
    return operand.is(Value::Kind::Bool) ? Value::boolean(!operand.getBool())
                                         : Value::scalar(Storage::I1);
  if (operand.isComplex()) {
    const auto re = shapeOfUnary(op, operand.getRe().withUnit({}));
    const auto im = shapeOfUnary(op, operand.getIm().withUnit({}));
    return re && im ? std::optional(Value::complex(*re, *im, operand.getUnit()))
                    : std::nullopt;
  }
  if (operand.is(Value::Kind::Int))
    return operand.getInt() == INT64_MIN
               ? std::nullopt
               : std::optional(Value::integer(-operand.getInt()));
  if (operand.is(Value::Kind::Real))
    return Value::real(operand.getReal() == 0 ? 0 : -operand.getReal(),
                       operand.getUnit());
  if (operand.isUnsigned())
    return std::nullopt;
  if (operand.isIntLike())
    return operand.withUnit({});
  return opened(Value::scalar(operand.getStorage(), operand.getUnit()),
                operand.hasAnyUnit());
}

std::optional<Value> pmc::shapeOfReal(BinaryOp op, const Value &a,
                                      const Value &b, const Unit &unit,
                                      Storage real) {
  if (a.isConstNumber() && b.isConstNumber()) {
    std::string why;
    return foldArithmetic(op, a, b, unit, why);
  }
  Storage storage = promote(a, b, real);
  if (op == BinaryOp::Div && storage == Storage::I64)
    storage = Storage::F64;
  Value number = Value::scalar(storage, unit);
  if (storage != Storage::I64)
    return number;
  auto isMadeOfConstants = [](const Value &x) {
    return x.isConstNumber() || x.isChoice();
  };
  if (isMadeOfConstants(a) && isMadeOfConstants(b))
    number = number.asChoice();
  return a.isUnsigned() || b.isUnsigned() ? number.asUnsigned() : number;
}

/// x^n by squaring, for n >= 1; 1/x^-n for n < 0.
static std::optional<Value> shapeOfIntegerPower(const Value &base,
                                                int64_t exponent,
                                                const Unit &unit,
                                                Storage real) {
  Value result = base.withUnit({});
  if (std::abs(exponent) > 1)
    result = *shapeOfReal(BinaryOp::Mul, result, result, {}, real);
  return exponent < 0
             ? shapeOfReal(BinaryOp::Div, Value::integer(1), result, unit, real)
             : std::optional(result.withUnit(unit));
}

static std::optional<Value> shapeOfRealPower(const Value &base,
                                             const Value &exponent,
                                             const Unit &unit, Storage real) {
  if (base.isConstNumber() && exponent.isConstNumber()) {
    std::string why;
    return foldPower(base, exponent, unit, why);
  }
  if (auto known = exponent.getConstReal()) {
    const double twice = *known * 2;
    if (*known == 0)
      return Value::real(1);
    if (std::abs(*known) <= 8 && std::floor(*known) == *known)
      return shapeOfIntegerPower(base, int64_t(*known), unit, real);
    // x^n sqrt(x), or one over it.
    if (std::abs(*known) < 4 && std::floor(twice) == twice)
      return Value::scalar(floatStorage(base, real), unit);
  }
  const Storage storage = promote(base, exponent, real);
  return Value::scalar(storage == Storage::I64 ? Storage::F64 : storage, unit);
}

static Value shapeOfBools(BinaryOp op, const Value &a, const Value &b) {
  if (!a.is(Value::Kind::Bool) || !b.is(Value::Kind::Bool))
    return Value::scalar(Storage::I1);
  const bool x = a.getBool(), y = b.getBool();
  return Value::boolean(op == BinaryOp::And  ? x && y
                        : op == BinaryOp::Or ? x || y
                        : op == BinaryOp::Eq ? x == y
                                             : x != y);
}

/// 1 or 0 of a bool, as products take it.
static Value countOf(const Value &value) {
  if (!value.isBoolLike())
    return value;
  return value.is(Value::Kind::Bool) ? Value::integer(value.getBool())
                                     : Value::scalar(Storage::I64);
}

std::optional<Value> pmc::shapeOfBinary(BinaryOp op, const Value &a,
                                        const Value &b, Storage real) {
  const Judgment judgment =
      judgeBinary(op, typeOf(a), typeOf(b), {b.getConstReal()});
  if (judgment.isWrong())
    return std::nullopt;
  if (op == BinaryOp::Mul && a.isBoolLike() != b.isBoolLike())
    return shapeOfBinary(op, countOf(a), countOf(b), real);
  if (a.isBoolLike())
    return shapeOfBools(op, a, b);
  const bool isOfComplex = a.isComplex() || b.isComplex();
  if (isComparison(op) && isOfComplex)
    return shapeOfComplexComparison(op, a, b);
  if (isComparison(op))
    return a.isConstNumber() && b.isConstNumber()
               ? Value::boolean(foldComparison(op, a, b))
               : Value::scalar(Storage::I1);
  const Quantity quantity = judgment.type.getQuantity();
  const Unit &unit = quantity.getUnit();
  if (op == BinaryOp::Pow) {
    std::optional<Value> result = isOfComplex
                                      ? shapeOfComplexPower(a, b, unit, real)
                                      : shapeOfRealPower(a, b, unit, real);
    if (!result || result->isConstNumber())
      return result;
    return opened(*result, a.hasAnyUnit() && !a.isConstNumber());
  }
  std::optional<Value> result = isOfComplex
                                    ? shapeOfComplex(op, a, b, unit, real)
                                    : shapeOfReal(op, a, b, unit, real);
  return result ? std::optional(opened(*result, quantity.isOpen())) : result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::optional<Value> pmc::shapeOfRealMath(BuiltinId id, const Value &x,
                                          const Unit &unit, Storage real) {
  if (x.isConstNumber()) {
    std::string why;
    return foldMath(id, x, unit, why);
  }
  if (x.isIntLike()) {
    if (id == BuiltinId::Floor || id == BuiltinId::Round ||
        (id == BuiltinId::Abs && x.isUnsigned()))
      return x;
    if (id == BuiltinId::Abs)
      return Value::scalar(Storage::I64);
  }
  return Value::scalar(floatStorage(x, real), unit);
}

std::optional<Value> pmc::shapeOfMath(BuiltinId id, const Value &x,
                                      Storage real) {
  const bool isOfComplex = id == BuiltinId::Real || id == BuiltinId::Imag ||
                           id == BuiltinId::Conj || id == BuiltinId::Arg;
  if (x.isComplex() || (isOfComplex && x.isNumber()))
    return id == BuiltinId::Conj && !x.isComplex()
               ? x
               : shapeOfComplexMath(id, x, real);
  const Judgment judgment = judgeMath(id, typeOf(x));
  return judgment.isWrong()
             ? std::nullopt
             : shapeOfRealMath(id, x, judgment.type.getQuantity().getUnit(),
                               real);
}

std::optional<Value> pmc::shapeOfAngle(const Value &y, const Value &x,
                                       Storage real) {
  if (judgeMinMax("", typeOf(y), typeOf(x)).isWrong())
    return std::nullopt;
  return shapeOfComplexMath(
      BuiltinId::Arg, Value::complex(x.withUnit({}), y.withUnit({}), {}), real);
}

std::optional<Value> pmc::shapeOfMinMax(bool isMax, const Value &a,
                                        const Value &b, Storage real) {
  const Judgment judgment = judgeMinMax("", typeOf(a), typeOf(b));
  if (judgment.isWrong())
    return std::nullopt;
  const Unit &unit = judgment.type.getQuantity().getUnit();
  if (a.isConstNumber() && b.isConstNumber())
    return (foldComparison(BinaryOp::Lt, a, b) != isMax ? a : b).withUnit(unit);
  const Storage storage = promote(a, b, real);
  Value number = Value::scalar(storage, unit);
  const bool isUnsigned = a.isUnsigned() || b.isUnsigned();
  return storage == Storage::I64 && isUnsigned ? number.asUnsigned() : number;
}

std::optional<Value> pmc::shapeOfNumber(const Value &x, const Value &unit,
                                        Storage real) {
  if (judgeNumber(typeOf(x), typeOf(unit)).isWrong())
    return std::nullopt;
  if (unit.isConstNumber() && *unit.getConstReal() == 1)
    return x.withUnit({});
  return shapeOfBinary(BinaryOp::Div, x.withUnit({}), unit.withUnit({}), real);
}

//===----------------------------------------------------------------------===//
// Operands with parts
//===----------------------------------------------------------------------===//

static std::string both(llvm::ArrayRef<Value> operands) {
  return operands.front().describeType() + " and " +
         operands.back().describeType();
}

/// A list of the members of `a` that `b` lacks; empty if there are none.
static std::string membersBeyond(const Value &a, const Value &b) {
  std::string list;
  for (const std::string &name : a.getNames())
    if (!b.findMember(name))
      list += (list.empty() ? "'" : ", '") + name + "'";
  return list;
}

/// Says which members only one of two records has.
static std::string explainMembers(const Value &a, const Value &b) {
  const std::string first = membersBeyond(b, a), second = membersBeyond(a, b);
  std::string text;
  if (!second.empty())
    text += "; the second one lacks " + second;
  if (!first.empty())
    text += std::string(second.empty() ? ";" : ", and") +
            " the first one lacks " + first;
  return text;
}

static std::string checkRecords(const std::string &what,
                                llvm::ArrayRef<Value> operands) {
  const Value *record = nullptr;
  for (const Value &operand : operands) {
    if (operand.isTuple())
      return "[PM0312] " + what +
             " of a record and a vector: " + both(operands);
    if (!operand.isRecord())
      continue;
    if (record && !hasSameMembers(*record, operand))
      return "[PM0312] " + what +
             " of records with different members: " + record->describeType() +
             " and " + operand.describeType() +
             explainMembers(*record, operand);
    if (!record)
      record = &operand;
  }
  return "";
}

static std::string checkVectors(const std::string &what,
                                llvm::ArrayRef<Value> operands) {
  const Value *vector = nullptr;
  for (const Value &operand : operands) {
    if (!operand.isTuple())
      continue;
    if (vector && vector->getElements().size() != operand.getElements().size())
      return "[PM0312] " + what + " of vectors with " +
             std::to_string(vector->getElements().size()) + " and " +
             std::to_string(operand.getElements().size()) + " components";
    if (vector)
      if (std::string why = explainOrder(*vector, operand); !why.empty())
        return "[PM0312] " + what + " of vectors with " + why;
    if (!vector || vector->getTags().empty())
      vector = &operand;
  }
  return "";
}

static bool isDimList(const Value &value) {
  return value.isTuple() && !value.getElements().empty() &&
         llvm::all_of(value.getElements(),
                      [](const Value &element) { return element.isDim(); });
}

/// The remedy for an operand that is a dim: its coordinates, number of cells,
/// length or spacing. Empty for other operands.
static std::string explainDimOperand(const Value &operand) {
  if (!operand.isDim())
    return "";
  const std::string x = operand.getDim().getLabel();
  return "; its coordinates are in a map: map q in f => f * q[" + x +
         "], and its numbers are cells(" + x + "), length(" + x +
         ") and spacing(" + x + ")";
}

bool pmc::unitesDims(BinaryOp op) {
  return llvm::is_contained(
      {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div}, op);
}

std::string pmc::checkOperands(llvm::StringRef what,
                               llvm::ArrayRef<Value> operands, bool isUnion,
                               bool isElement) {
  auto has = [&](Value::Kind kind) {
    return llvm::any_of(operands,
                        [&](const Value &operand) { return operand.is(kind); });
  };
  const bool isEquality = what == "'=='" || what == "'!='";
  if (isEquality && llvm::any_of(operands, isDimList))
    return "[PM0301] " + what.str() + " does not compare " +
           operands.front().describeType() + " with " +
           operands.back().describeType() +
           "; compare single dims, as in dims(f)[0] " +
           what.drop_front().drop_back().str() + " x";
  if (has(Value::Kind::Record))
    return checkRecords(what.str(), operands);
  if (has(Value::Kind::Tuple))
    return checkVectors(what.str(), operands);
  for (const Value &operand : operands)
    if (!operand.isElementwise())
      return "[PM0301] " + what.str() +
             (isEquality
                  ? " does not compare " + operands.front().describeType() +
                        " with " + operands.back().describeType()
                  : " does not work on " + operand.describeType() +
                        explainDimOperand(operand));
  if (isElement || !has(Value::Kind::Field))
    return "";
  std::vector<std::vector<Dim>> fields;
  for (const Value &operand : operands)
    if (operand.isField())
      fields.push_back(operand.getDims().vec());
  return fields.size() > 1 && broadcast(fields, isUnion).empty()
             ? "[PM0501] " + what.str() +
                   " requires fields of the same dims, not " + both(operands) +
                   explainDims(operands.front(), operands.back())
             : "";
}
