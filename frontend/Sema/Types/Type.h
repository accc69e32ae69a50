//===- Type.h - What is known of a value without computing it ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of free values, which are the parameters of a function that is checked
// without a call, and what is computed of them. Any part of such a type may be
// unknown: a rule reports a mistake only if every call of the function has it.
// It does not depend on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_TYPE_H
#define PMC_FRONTEND_SEMA_TYPES_TYPE_H

#include "frontend/Parser/AST.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Types/Quantity.h"

#include <memory>

namespace pmc {

class Type {
public:
  enum class Kind : uint8_t {
    Unknown,
    Number, // or a bool
    Field,
    Vector, // of numbers or fields
    Text,
    Dim,
    Table,
    Function,
    Other, // nothing that operators work on
  };
  enum class Element : uint8_t {
    Unknown,
    Bool,
    Number, // of any kind, but no bool
    Int,
    Real,
    Complex
  };

  Type() = default;
  Type(Kind kind, Element element = Element::Unknown,
       Quantity quantity = Quantity::unknown())
      : kind(kind), element(element), quantity(quantity) {}
  /// Any value in this unit.
  static Type in(const Quantity &quantity) {
    return Type(Kind::Unknown, Element::Unknown, quantity);
  }
  static Type integer() { return {Kind::Number, Element::Int, Quantity()}; }
  static Type boolean() { return {Kind::Number, Element::Bool, Quantity()}; }
  /// As a parameter declares it. `text` is how messages name it.
  static Type declared(const ast::TypeExpr &type, const std::string &text);

  Kind getKind() const { return kind; }
  Element getElement() const { return element; }
  const Quantity &getQuantity() const { return quantity; }
  bool is(Kind k) const { return kind == k; }
  bool isKnown() const { return kind != Kind::Unknown; }
  /// Whether arithmetic may work on such a value.
  bool mayBeNumeric() const { return kind <= Kind::Vector; }
  bool isSurelyNoBool() const;
  /// Of a whole field there is no condition.
  bool isNoCondition() const {
    return isSurelyNoBool() || kind == Kind::Field || kind == Kind::Vector;
  }

  /// Where a map stands around: a field may be the element of one there.
  Type asElement() const;
  Type withQuantity(const Quantity &other) const;
  /// With the words that messages use.
  Type withText(std::string words) const;

  /// "int", "field[D]"; with the unit, "field[D] in Mpc".
  std::string describeType() const;
  std::string describe() const;

private:
  Kind kind = Kind::Unknown;
  Element element = Element::Unknown;
  Quantity quantity = Quantity::unknown();
  /// Of a declared type, without the unit; null: made of kind and element.
  std::shared_ptr<const std::string> text;
};

/// A type that values of both have.
Type commonType(const Type &a, const Type &b);

/// What a rule finds: the type of the result, or what is wrong.
struct Judgment {
  Type type;
  std::string problem = {};
  std::optional<UnitConflict> conflict = {};
  bool isAboutRight = false; // the problem is in the right operand

  bool isWrong() const { return !problem.empty() || conflict; }
};

/// The exponent of a power.
struct Exponent {
  std::optional<double> value = {}; ///< if the compiler knows it
  bool isFree = false;              ///< a call may give one that it knows
};

Judgment judgeBinary(ast::BinaryOp op, const Type &a, const Type &b,
                     Exponent exponent);
Judgment judgeUnary(ast::UnaryOp op, const Type &operand);
/// A function of one number.
Judgment judgeMath(BuiltinId id, const Type &operand);
/// min(a, b), max(a, b), atan2(a, b).
Judgment judgeMinMax(llvm::StringRef what, const Type &a, const Type &b);
/// number(x, unit).
Judgment judgeNumber(const Type &x, const Type &unit);
/// A value given where `wanted` is declared. `isInMap`: fields and their
/// elements are not told apart.
bool fits(const Type &value, const Type &wanted, bool isInMap);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_TYPE_H
