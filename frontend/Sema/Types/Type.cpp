//===- Type.cpp - What is known of a value without computing it -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Type.h"

#include "llvm/Support/ErrorHandling.h"

using namespace pmc;

using ast::BinaryOp;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Type::declared(const ast::TypeExpr &type, const std::string &text) {
  using Base = ast::TypeExpr::Base;
  Type result;
  // Without a unit, any is accepted.
  if (type.unit)
    result.quantity = Quantity::known(*type.unit);
  result.kind = Type::Kind::Number;
  switch (type.base) {
  case Base::F64:
    result.element = Type::Element::Real;
    break;
  case Base::Int:
  case Base::U64:
    result.element = Type::Element::Int;
    result.quantity = Quantity();
    break;
  case Base::Bool:
    result.element = Type::Element::Bool;
    result.quantity = Quantity();
    break;
  case Base::Complex:
    result.element = Type::Element::Complex;
    break;
  case Base::String:
    result.kind = Type::Kind::Text;
    break;
  case Base::Table:
    result.kind = Type::Kind::Table;
    break;
  case Base::Field:
    // Fields of bools pass as fields of numbers.
    result.kind = Type::Kind::Field;
    result.element = type.isComplexField ? Type::Element::Complex
                     : type.isIntField   ? Type::Element::Int
                                         : Type::Element::Unknown;
    break;
  }
  if (type.isVector)
    result.kind = Type::Kind::Vector;
  // The unit is described apart from the rest.
  llvm::StringRef words = text;
  if (type.unit && !type.unit->isNumber())
    words.consume_back(" in " + type.unit->str());
  if (!words.empty())
    result.text = std::make_shared<const std::string>(words);
  return result;
}

bool Type::isSurelyNoBool() const {
  const bool hasUnit = quantity.isKnown() && !quantity.getUnit().isNumber();
  return hasUnit || !mayBeNumeric() ||
         (element != Type::Element::Unknown && element != Type::Element::Bool);
}

Type Type::asElement() const {
  Type result = *this;
  if (kind == Type::Kind::Field)
    result.kind = Type::Kind::Unknown;
  return result;
}

Type Type::withText(std::string words) const {
  Type result = *this;
  result.text = std::make_shared<const std::string>(std::move(words));
  return result;
}

Type Type::withQuantity(const Quantity &other) const {
  Type result = *this;
  result.quantity = other;
  return result;
}

static std::string nameOf(Type::Element element) {
  switch (element) {
  case Type::Element::Unknown:
  case Type::Element::Number:
  case Type::Element::Real:
    return "f64";
  case Type::Element::Bool:
    return "bool";
  case Type::Element::Int:
    return "int";
  case Type::Element::Complex:
    return "complex";
  }
  llvm_unreachable("all elements are named");
}

std::string Type::describeType() const {
  if (text)
    return *text;
  const std::string number = nameOf(element);
  switch (kind) {
  case Type::Kind::Unknown:
    return element == Type::Element::Number ? "a number" : "a value";
  case Type::Kind::Number:
    return element == Type::Element::Unknown || element == Type::Element::Number
               ? "a number"
               : number;
  case Type::Kind::Field:
    return number == "f64" ? "field" : number + " field";
  case Type::Kind::Vector:
    return "vector";
  case Type::Kind::Text:
    return "string";
  case Type::Kind::Dim:
    return "a dim";
  case Type::Kind::Table:
    return "table";
  case Type::Kind::Function:
    return "a function";
  case Type::Kind::Other:
    return "a value that is not a number";
  }
  llvm_unreachable("all kinds are described");
}

std::string Type::describe() const {
  return quantity.isKnown() && !quantity.getUnit().isNumber()
             ? describeType() + " in " + quantity.getUnit().str()
             : describeType();
}

Type pmc::commonType(const Type &a, const Type &b) {
  const Quantity &unit = a.getQuantity();
  bool agree = unit.isKnown() && b.getQuantity().isKnown() &&
               unit.getUnit().agrees(b.getQuantity().getUnit());
  if (a.getKind() == b.getKind() && a.getElement() == b.getElement())
    return agree ? a : a.withQuantity(Quantity::unknown());
  return agree ? Type::in(unit) : Type();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static std::string quoted(BinaryOp op) {
  return "'" + spelling(op).str() + "'";
}

static Type::Kind commonKind(const Type &a, const Type &b) {
  for (Type::Kind kind :
       {Type::Kind::Unknown, Type::Kind::Vector, Type::Kind::Field})
    if (a.is(kind) || b.is(kind))
      return kind;
  return Type::Kind::Number;
}

static Type::Element commonElement(const Type &a, const Type &b) {
  auto either = [&](Type::Element element) {
    return a.getElement() == element || b.getElement() == element;
  };
  if (either(Type::Element::Complex))
    return Type::Element::Complex;
  if (either(Type::Element::Unknown) || either(Type::Element::Number))
    return Type::Element::Number;
  return either(Type::Element::Real) ? Type::Element::Real : Type::Element::Int;
}

/// What is wrong with operands: both are named if both are known.
static std::string refused(const std::string &what, const Type &wrong,
                           const Type &a, const Type &b) {
  return what + " not on " +
         (a.isKnown() && b.isKnown()
              ? a.describeType() + " and " + b.describeType()
          : wrong.isKnown() ? wrong.describeType()
                            : wrong.describe());
}

static bool isBool(const Type &type) {
  return type.is(Type::Kind::Number) &&
         type.getElement() == Type::Element::Bool;
}

/// What no operator works on: strings, tables, …; or null.
static const Type *findOther(BinaryOp op, const Type &a, const Type &b) {
  const bool isEquality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  for (const Type *type : {&a, &b}) {
    const Type &other = type == &a ? b : a;
    if (type->mayBeNumeric())
      continue;
    // The compiler compares strings and dims.
    const bool isCompared =
        type->is(Type::Kind::Text) || type->is(Type::Kind::Dim);
    if (!isEquality || !isCompared ||
        (other.isKnown() && !other.is(type->getKind())))
      return type;
  }
  return nullptr;
}

/// Explains why an operator does not work on `other`, one of its operands.
static std::string describeOther(BinaryOp op, const Type &other, const Type &a,
                                 const Type &b) {
  const bool isEquality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  if (isEquality && a.isKnown() && b.isKnown())
    return " does not compare " + a.describeType() + " with " +
           b.describeType();
  return " does not work on " + other.describeType();
}

/// A bool that meets numbers, or null.
static const Type *findBool(BinaryOp op, const Type &a, const Type &b) {
  const bool isEquality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  for (const Type *type : {&a, &b}) {
    const Type &other = type == &a ? b : a;
    if (isBool(*type) && (!isEquality || other.isSurelyNoBool()))
      return type;
  }
  return nullptr;
}

static Judgment judgePower(const Type &base, const Type &by,
                           Exponent exponent) {
  auto wrong = [](std::string why) {
    return Judgment{{}, std::move(why), {}, /*isAboutRight=*/true};
  };
  std::string why;
  if (!by.getQuantity().getUnit().isNumber())
    why = checkPure("the exponent of '^'", by.getQuantity(), by.describe());
  if (!why.empty())
    return wrong(why);
  std::optional<Quantity> unit = Quantity::unknown();
  if (exponent.value || !exponent.isFree ||
      base.getQuantity().getUnit().isNumber())
    unit = unitOfPower(base.getQuantity(), exponent.value, why);
  if (!unit)
    return wrong(why);
  const bool isComplex = by.getElement() == Type::Element::Complex;
  return {Type(commonKind(base, by),
               isComplex ? Type::Element::Complex : Type::Element::Number,
               *unit)};
}

Judgment pmc::judgeBinary(BinaryOp op, const Type &a, const Type &b,
                          Exponent exponent) {
  if (const Type *other = findOther(op, a, b))
    return {{}, "[PM0301] " + quoted(op) + describeOther(op, *other, a, b)};
  const Type truth(commonKind(a, b), Type::Element::Bool, Quantity());
  if (op == BinaryOp::And || op == BinaryOp::Or) {
    for (const Type *type : {&a, &b})
      if (type->isSurelyNoBool())
        return {{},
                refused("[PM0301] " + quoted(op) + " works on bools,", *type, a,
                        b)};
    return {truth};
  }
  // In a product with a number, a bool counts as 1 or 0.
  if (op == BinaryOp::Mul && isBool(a) != isBool(b)) {
    const Type count(Type::Kind::Number, Type::Element::Int, Quantity());
    return judgeBinary(op, isBool(a) ? count : a, isBool(b) ? count : b,
                       exponent);
  }
  if (const Type *wrong = findBool(op, a, b))
    return {{},
            "[PM0301] " + quoted(op) + " does not work on " +
                (a.isKnown() && b.isKnown()
                     ? a.describeType() + " and " + b.describeType()
                     : wrong->describeType())};
  if (op == BinaryOp::Pow)
    return judgePower(a, b, exponent);
  const bool isSum = op == BinaryOp::Add || op == BinaryOp::Sub;
  if (isSum || isComparison(op))
    if (auto conflict =
            findConflict(quoted(op), a.getQuantity(), b.getQuantity()))
      return {{}, {}, conflict};
  const Type::Element element = commonElement(a, b);
  if (isComparison(op)) {
    const bool isEquality = op == BinaryOp::Eq || op == BinaryOp::Ne;
    if (!isEquality && element == Type::Element::Complex)
      return {{},
              "[PM0301] complex numbers have no order; compare their parts or "
              "norm2"};
    return {truth};
  }
  const Quantity unit = isSum ? unitOfSum(a.getQuantity(), b.getQuantity())
                        : op == BinaryOp::Mul
                            ? unitOfProduct(a.getQuantity(), b.getQuantity())
                            : unitOfQuotient(a.getQuantity(), b.getQuantity());
  const bool isQuotient = op == BinaryOp::Div && element == Type::Element::Int;
  return {
      Type(commonKind(a, b), isQuotient ? Type::Element::Real : element, unit)};
}

Judgment pmc::judgeUnary(ast::UnaryOp op, const Type &operand) {
  const bool isNot = op == ast::UnaryOp::Not;
  const std::string what = isNot ? "'not'" : "'-'";
  if (!operand.mayBeNumeric())
    return {{},
            "[PM0301] " + what + " does not work on " + operand.describeType()};
  if (isNot && operand.isSurelyNoBool())
    return {{},
            "[PM0301] 'not' works on bools, not on " +
                (operand.is(Type::Kind::Number) ? operand.describeType()
                                                : operand.describe())};
  if (!isNot && isBool(operand))
    return {{}, "[PM0301] '-' works on numbers, not on bool"};
  return {Type(operand.getKind(),
               isNot ? Type::Element::Bool
               : operand.getElement() == Type::Element::Unknown
                   ? Type::Element::Number
                   : operand.getElement(),
               operand.getQuantity())};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
enum class MathUnits { Pure, Root, Kept, None };
} // namespace

/// What happens to the unit of the argument: MathBuiltins.def.
static MathUnits getMathUnits(BuiltinId id) {
  switch (id) {
#define MATH(ID, NAME, UNITS, OP, FOLDED)                                      \
  case BuiltinId::ID:                                                          \
    return MathUnits::UNITS;
#include "frontend/Sema/MathBuiltins.def"
  case BuiltinId::Arg:
    return MathUnits::None;
  default: // real, imag, conj
    return MathUnits::Kept;
  }
}

Judgment pmc::judgeMath(BuiltinId id, const Type &operand) {
  auto what = [&] { return "'" + getBuiltinInfo(id).name.str() + "'"; };
  if (!operand.mayBeNumeric())
    return {{},
            "[PM0301] " + what() + " does not work on " +
                operand.describeType()};
  if (isBool(operand))
    return {{}, "[PM0301] " + what() + " works on numbers, not on bool"};
  std::string why;
  std::optional<Quantity> unit;
  switch (getMathUnits(id)) {
  case MathUnits::Pure:
    if (!operand.getQuantity().getUnit().isNumber())
      why = checkPure(what(), operand.getQuantity(), operand.describe());
    unit = Quantity();
    break;
  case MathUnits::Root:
    unit = unitOfRoot(operand.getQuantity(), why);
    break;
  case MathUnits::Kept:
    unit = operand.getQuantity();
    break;
  case MathUnits::None:
    unit = Quantity();
    break;
  }
  if (!why.empty() || !unit)
    return {{}, why};
  return {Type(operand.getKind(), Type::Element::Number, *unit)};
}

Judgment pmc::judgeMinMax(llvm::StringRef what, const Type &a, const Type &b) {
  for (const Type *type : {&a, &b})
    if (!type->mayBeNumeric() || isBool(*type) ||
        type->getElement() == Type::Element::Complex)
      return {{},
              refused("[PM0301] " + what.str() + " works on real numbers,",
                      *type, a, b)};
  if (auto conflict = findConflict(what, a.getQuantity(), b.getQuantity()))
    return {{}, {}, conflict};
  return {Type(commonKind(a, b), Type::Element::Number,
               unitOfSum(a.getQuantity(), b.getQuantity()))};
}

Judgment pmc::judgeNumber(const Type &x, const Type &unit) {
  for (const Type *type : {&x, &unit})
    if (!type->mayBeNumeric() || isBool(*type))
      return {{},
              refused("[PM0301] 'number' works on numbers,", *type, x, unit)};
  if (unit.getElement() == Type::Element::Complex)
    return {{}, refused("[PM0301] 'number' works on numbers,", unit, x, unit)};
  const Quantity &has = x.getQuantity(), &in = unit.getQuantity();
  if (!has.fitsAny() && !in.isUnknown() && !has.getUnit().agrees(in.getUnit()))
    return {{},
            "[PM0404] this is " + describeUnit(has.getUnit()) + ", not " +
                describeUnit(in.getUnit()) +
                explainPerH(has.getUnit(), in.getUnit())};
  return {Type(commonKind(x, unit), Type::Element::Number, Quantity())};
}

//===----------------------------------------------------------------------===//
// Declared types
//===----------------------------------------------------------------------===//

bool pmc::fits(const Type &value, const Type &wanted, bool isInMap) {
  const Quantity &unit = value.getQuantity(), &expected = wanted.getQuantity();
  if (!unit.fitsAny() && !expected.fitsAny() &&
      !unit.getUnit().agrees(expected.getUnit()))
    return false;
  if (!value.isKnown())
    return true;
  if (value.mayBeNumeric() != wanted.mayBeNumeric())
    return false;
  const bool isLoose = isInMap && !value.is(Type::Kind::Vector) &&
                       !wanted.is(Type::Kind::Vector);
  if (!value.is(wanted.getKind()) && !(value.mayBeNumeric() && isLoose))
    return false;
  const Type::Element has = value.getElement(), takes = wanted.getElement();
  if (has == Type::Element::Number)
    return takes != Type::Element::Bool;
  if (has == Type::Element::Unknown || takes == Type::Element::Unknown)
    return wanted.getKind() != Type::Kind::Field ||
           takes != Type::Element::Unknown || has != Type::Element::Complex;
  switch (takes) {
  case Type::Element::Bool:
    return has == Type::Element::Bool;
  case Type::Element::Int: // a whole f64 may be a constant
    return has == Type::Element::Int || has == Type::Element::Real;
  case Type::Element::Real:
    return has == Type::Element::Real || has == Type::Element::Int;
  default: // numbers become complex, fields do not
    return has == takes ||
           (wanted.is(Type::Kind::Number) && has != Type::Element::Bool);
  }
}
