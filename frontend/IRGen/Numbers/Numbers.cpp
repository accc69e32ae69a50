//===- Numbers.cpp - Arithmetic on real numbers ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ints with ints stay ints, except for `/`; an int with an f64 is converted. In
// element mode an f64 that meets an element in the fields' precision is
// rounded to it there.
//
// A u64 has the SSA type of an int; its Value records that. With ints it
// makes u64s, modulo 2^64; it is compared and converted as what it is.
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Numbers.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Types/Constants.h"
#include "frontend/Sema/Types/Operators.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace pmc;
using ast::BinaryOp;
namespace arith = mlir::arith;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Generator::negate(const Value &value, llvm::SMLoc loc) {
  if (value.isComplex())
    return Value::complex(negate(value.getRe(), loc),
                          negate(value.getIm(), loc), value.getUnit());
  if (value.is(Value::Kind::Int)) {
    if (!requireIntResult(rules(), value.getInt() != INT64_MIN, loc))
      return Value::poison();
    return Value::integer(-value.getInt());
  }
  if (value.is(Value::Kind::Real))
    return Value::real(value.getReal() == 0 ? 0 : -value.getReal(),
                       value.getUnit());
  if (!requireSigned(rules(), value, loc))
    return Value::poison();
  if (value.isIntLike())
    return realBinary(BinaryOp::Sub, Value::integer(0), value, {}, loc);
  mlir::Value negative;
  if (auto inner = getSSA(value).getDefiningOp<arith::NegFOp>())
    negative = inner.getOperand();
  else
    negative = arith::NegFOp::create(builder, getLoc(loc), getSSA(value));
  Value result = scalarOf(negative, value.getUnit());
  return value.hasAnyUnit() ? result.withAnyUnit() : result;
}

Value Generator::unary(ast::UnaryOp op, const Value &value, llvm::SMLoc loc) {
  if (value.isFree())
    return checker->unary(op, value, loc);
  bool isNot = op == ast::UnaryOp::Not;
  return lift(isNot ? "'not'" : "'-'", value, loc, [&](Elements v) -> Value {
    if (judgeUnary(op, typeOf(v[0])).isWrong())
      return reject(rules(), judgeUnary(op, typeOf(v[0], /*named=*/true)),
                    {loc, {}, {}});
    if (!isNot)
      return negate(v[0], loc);
    if (v[0].is(Value::Kind::Bool))
      return Value::boolean(!v[0].getBool());
    mlir::Location at = getLoc(loc);
    return scalarOf(arith::XOrIOp::create(builder, at, getSSA(v[0]),
                                          boolConstant(true, at)));
  });
}

/// The operator in messages. Made for every operation, so without a Twine.
static std::string quoted(BinaryOp op) {
  std::string text = "'";
  text += spelling(op);
  text += '\'';
  return text;
}

/// + - * /, whose operands may be any numbers.
static bool isArithmetic(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul ||
         op == BinaryOp::Div;
}

Value Generator::binary(BinaryOp op, const Value &a, const Value &b,
                        const OperatorSite &site) {
  if (checker && (a.isPoison() || b.isPoison()))
    return checker->binary(op, a, b, site);
  if (a.isPoison() || b.isPoison())
    return Value::poison();
  // Strings and dims are compared by the compiler.
  if (op == BinaryOp::Eq || op == BinaryOp::Ne) {
    std::optional<bool> equal;
    if (a.is(Value::Kind::String) && b.is(Value::Kind::String))
      equal = a.getString() == b.getString();
    else if (a.isDim() && b.isDim())
      equal = a.getDim() == b.getDim();
    if (equal)
      return Value::boolean(*equal == (op == BinaryOp::Eq));
  }
  // Most operands that the compiler evaluates are constants without units.
  auto isPlain = [](const Value &value) {
    return value.isConstNumber() && value.getUnit().isNumber() &&
           !value.hasAnyUnit();
  };
  if (isArithmetic(op) && isPlain(a) && isPlain(b))
    return realBinary(op, a, b, {}, site.loc);
  std::string what = quoted(op);
  return lift(
      what, {a, b}, site.loc,
      [&](Elements v) { return scalarBinary(op, v[0], v[1], site); },
      unitesDims(op) ? Broadcast::Union : Broadcast::Subset);
}

/// 1 or 0 of a bool, as products take it.
Value Generator::countOf(const Value &value, llvm::SMLoc loc) {
  if (!value.isBoolLike())
    return value;
  if (value.is(Value::Kind::Bool))
    return Value::integer(value.getBool());
  return scalarOf(
      arith::ExtUIOp::create(builder, getLoc(loc), i64Type, getSSA(value)));
}

Value Generator::scalarBinary(BinaryOp op, const Value &a, const Value &b,
                              const OperatorSite &site) {
  const Exponent exponent{b.getConstReal()};
  const Judgment judgment = judgeBinary(op, typeOf(a), typeOf(b), exponent);
  if (judgment.isWrong())
    return reject(rules(),
                  judgeBinary(op, typeOf(a, /*named=*/true),
                              typeOf(b, /*named=*/true), exponent),
                  site);
  if (op == BinaryOp::Mul && a.isBoolLike() != b.isBoolLike())
    return scalarBinary(op, countOf(a, site.loc), countOf(b, site.loc), site);
  if (a.isBoolLike())
    return boolBinary(op, a, b, site);
  if (isComparison(op))
    return compare(op, a, b, site);
  const Quantity unit = judgment.type.getQuantity();
  if (op == BinaryOp::Pow)
    return power(a, b, unit.getUnit(), site.loc);
  Value result = a.isComplex() || b.isComplex()
                     ? complexBinary(op, a, b, unit.getUnit(), site.loc)
                     : realBinary(op, a, b, unit.getUnit(), site.loc);
  return unit.isOpen() ? result.withAnyUnit() : result;
}

Value Generator::realBinary(BinaryOp op, const Value &a, const Value &b,
                            Unit unit, llvm::SMLoc loc) {
  if (a.isPoison() || b.isPoison())
    return Value::poison();
  if (a.isConstNumber() && b.isConstNumber()) {
    std::string why;
    auto folded = foldArithmetic(op, a, b, unit, why);
    return requireResult(rules(), folded, why, loc);
  }
  mlir::Type type = promote(a, b);
  if (op == BinaryOp::Div && type == i64Type)
    type = f64Type;
  mlir::Location at = getLoc(loc);
  mlir::Value x = materialize(a, type, at), y = materialize(b, type, at);
  bool isInt = type == i64Type;
  mlir::Value result;
  switch (op) {
  case BinaryOp::Add:
    result = isInt ? arith::AddIOp::create(builder, at, x, y).getResult()
                   : arith::AddFOp::create(builder, at, x, y).getResult();
    break;
  case BinaryOp::Sub:
    result = isInt ? arith::SubIOp::create(builder, at, x, y).getResult()
                   : arith::SubFOp::create(builder, at, x, y).getResult();
    break;
  case BinaryOp::Mul:
    result = isInt ? arith::MulIOp::create(builder, at, x, y).getResult()
                   : arith::MulFOp::create(builder, at, x, y).getResult();
    break;
  default:
    result = arith::DivFOp::create(builder, at, x, y);
    break;
  }
  bool isUnsigned = isInt && (a.isUnsigned() || b.isUnsigned());
  Value number = scalarOf(result, unit);
  return isUnsigned ? number.asUnsigned() : number;
}

Value Generator::compare(BinaryOp op, const Value &a, const Value &b,
                         const OperatorSite &site) {
  if (a.isComplex() || b.isComplex()) {
    auto part = [](const Value &v, bool re) {
      Value p = !v.isComplex() ? (re ? v : Value::integer(0))
                               : (re ? v.getRe() : v.getIm());
      return p.withUnit({});
    };
    Value re = compare(op, part(a, true), part(b, true), site);
    Value im = compare(op, part(a, false), part(b, false), site);
    return boolBinary(op == BinaryOp::Eq ? BinaryOp::And : BinaryOp::Or, re, im,
                      site);
  }
  if (a.isConstNumber() && b.isConstNumber())
    return Value::boolean(foldComparison(op, a, b));
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  std::pair<I, F> predicate;
  switch (op) {
  case BinaryOp::Eq:
    predicate = {I::eq, F::OEQ};
    break;
  case BinaryOp::Ne:
    predicate = {I::ne, F::UNE};
    break;
  case BinaryOp::Lt:
    predicate = {I::slt, F::OLT};
    break;
  case BinaryOp::Le:
    predicate = {I::sle, F::OLE};
    break;
  case BinaryOp::Gt:
    predicate = {I::sgt, F::OGT};
    break;
  default:
    predicate = {I::sge, F::OGE};
    break;
  }
  mlir::Type type = promote(a, b);
  mlir::Location at = getLoc(site.loc);
  if (type == i64Type)
    return scalarOf(compareInts(predicate.first, a, b, at));
  mlir::Value x = materialize(a, type, at), y = materialize(b, type, at);
  return scalarOf(arith::CmpFOp::create(builder, at, predicate.second, x, y));
}

Value Generator::boolBinary(BinaryOp op, const Value &a, const Value &b,
                            const OperatorSite &site) {
  if (a.is(Value::Kind::Bool) && b.is(Value::Kind::Bool)) {
    bool x = a.getBool(), y = b.getBool();
    return Value::boolean(op == BinaryOp::And  ? x && y
                          : op == BinaryOp::Or ? x || y
                          : op == BinaryOp::Eq ? x == y
                                               : x != y);
  }
  mlir::Location at = getLoc(site.loc);
  mlir::Value x = materialize(a, i1Type, at), y = materialize(b, i1Type, at);
  switch (op) {
  case BinaryOp::And:
    return scalarOf(arith::AndIOp::create(builder, at, x, y));
  case BinaryOp::Or:
    return scalarOf(arith::OrIOp::create(builder, at, x, y));
  case BinaryOp::Eq:
    return scalarOf(
        arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, x, y));
  default:
    return scalarOf(arith::XOrIOp::create(builder, at, x, y));
  }
}

/// With a constant on the left the right side may stay unchecked.
Value Generator::shortCircuit(const ast::BinaryExpr &expr) {
  bool isAnd = expr.op == BinaryOp::And;
  Value lhs = evaluate(*expr.lhs);
  if (lhs.is(Value::Kind::Bool) && lhs.getBool() != isAnd)
    return lhs;
  Value rhs;
  if (lhs.isFree())
    checker->branch([&] { rhs = evaluate(*expr.rhs); });
  else
    rhs = evaluate(*expr.rhs);
  if (lhs.is(Value::Kind::Bool) && rhs.isBoolLike())
    return rhs;
  return binary(expr.op, lhs, rhs,
                {expr.loc, expr.lhs->range, expr.rhs->range});
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

Value Generator::squareRoot(const Value &x, Unit unit, llvm::SMLoc loc) {
  return realMath(BuiltinId::Sqrt, x, unit, loc);
}

/// x^n by squaring, for n >= 1; 1/x^-n for n < 0.
Value Generator::integerPower(const Value &base, int64_t exponent, Unit unit,
                              llvm::SMLoc loc) {
  Value square = base.withUnit({}), result;
  for (uint64_t n = exponent < 0 ? -exponent : exponent; n; n >>= 1) {
    if (n & 1)
      result = result.isPoison()
                   ? square
                   : realBinary(BinaryOp::Mul, result, square, {}, loc);
    if (n > 1)
      square = realBinary(BinaryOp::Mul, square, square, {}, loc);
  }
  if (exponent < 0)
    return realBinary(BinaryOp::Div, Value::integer(1), result, unit, loc);
  return result.withUnit(unit);
}

Value Generator::realPower(const Value &base, const Value &exponent, Unit unit,
                           llvm::SMLoc loc) {
  if (base.isConstNumber() && exponent.isConstNumber()) {
    std::string why;
    auto folded = foldPower(base, exponent, unit, why);
    return requireResult(rules(), folded, why, loc);
  }
  if (auto known = exponent.getConstReal()) {
    double twice = *known * 2;
    if (*known == 0)
      return Value::real(1);
    if (std::abs(*known) <= 8 && std::floor(*known) == *known)
      return integerPower(base, int64_t(*known), unit, loc);
    if (std::abs(*known) < 4 && std::floor(twice) == twice) {
      // x^n sqrt(x), or one over it.
      Value root = squareRoot(base.withUnit({}), {}, loc);
      if (int64_t n = int64_t(std::abs(*known)))
        root = realBinary(BinaryOp::Mul,
                          integerPower(base.withUnit({}), n, {}, loc), root, {},
                          loc);
      if (*known < 0)
        return realBinary(BinaryOp::Div, Value::integer(1), root, unit, loc);
      return root.withUnit(unit);
    }
  }
  mlir::Type type = promote(base, exponent);
  if (type == i64Type)
    type = f64Type;
  mlir::Location at = getLoc(loc);
  return scalarOf(mlir::math::PowFOp::create(builder, at,
                                             materialize(base, type, at),
                                             materialize(exponent, type, at)),
                  unit);
}

/// `unit`: of the result.
Value Generator::power(const Value &base, const Value &exponent,
                       const Unit &unit, llvm::SMLoc loc) {
  Value result = exponent.isComplex() ? generalPower(base, exponent, unit, loc)
                 : base.isComplex()   ? complexPower(base, exponent, unit, loc)
                                      : realPower(base, exponent, unit, loc);
  return base.hasAnyUnit() && !base.isConstNumber() && !result.isConstNumber()
             ? result.withAnyUnit()
             : result;
}
