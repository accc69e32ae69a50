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

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Constants.h"
#include "frontend/Sema/Operators.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace pmc;
using ast::BinaryOp;
namespace arith = mlir::arith;

//===----------------------------------------------------------------------===//
// SSA values
//===----------------------------------------------------------------------===//

mlir::Value Generator::floatConstant(double value, mlir::Type type,
                                     mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

mlir::Value Generator::intConstant(int64_t value, mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

mlir::Value Generator::boolConstant(bool value, mlir::Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Numbers are kept in working units, which may take one out of
/// what f32 has.
void Generator::warnOutOfRange(double number, mlir::Location loc) {
  using Limits = std::numeric_limits<float>;
  const double size = std::abs(number);
  const bool isSmall = size > 0 && size < double(Limits::min());
  const bool isLarge = size > double(Limits::max()) && std::isfinite(size);
  if (!isSmall && !isLarge)
    return;
  // Where the spec calls what has the number.
  while (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    loc = call.getCaller();
  auto place = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || !outOfRange.insert(place).second)
    return;
  diags.report(
      Severity::Warning, place.getFilename().str(), place.getLine(),
      place.getColumn(),
      llvm::formatv("a number here, {0} in working units, is {1} in f32, "
                    "which {2}; --precision=f64 keeps it, and so may "
                    "other units",
                    llvm::format("%.3g", number),
                    float(number) == 0 ? "0"
                    : isSmall          ? "inexact"
                                       : "infinite",
                    isSmall ? "begins at 1.2e-38" : "ends at 3.4e38"));
}

mlir::Value Generator::materialize(const Value &value, mlir::Type type,
                                   mlir::Location loc) {
  if (type.isUnsignedInteger(64))
    type = i64Type; // the same bits
  if (value.isConstNumber()) {
    if (type.isInteger(64))
      return intConstant(value.getConstInt().value_or(0), loc);
    if (type.isInteger(1))
      return boolConstant(*value.getConstReal() != 0, loc);
    if (type.isF32())
      warnOutOfRange(*value.getConstReal(), loc);
    return floatConstant(*value.getConstReal(), type, loc);
  }
  if (value.is(Value::Kind::Bool)) {
    if (type.isInteger(1))
      return boolConstant(value.getBool(), loc);
    return materialize(Value::integer(value.getBool()), type, loc);
  }
  mlir::Value ssa = getSSA(value);
  mlir::Type from = ssa.getType();
  if (from == type)
    return ssa;
  if (from.isInteger(1)) {
    mlir::Value one = materialize(Value::integer(1), type, loc);
    mlir::Value zero = materialize(Value::integer(0), type, loc);
    return arith::SelectOp::create(builder, loc, ssa, one, zero);
  }
  if (value.isUnsigned())
    return arith::UIToFPOp::create(builder, loc, type, ssa);
  if (from.isInteger(64))
    return arith::SIToFPOp::create(builder, loc, type, ssa);
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(builder, loc, type, ssa);
  return arith::ExtFOp::create(builder, loc, type, ssa);
}

mlir::Value Generator::materialize(const Value &value, mlir::Location loc) {
  switch (value.getKind()) {
  case Value::Kind::Int:
    return materialize(value, i64Type, loc);
  case Value::Kind::Bool:
    return materialize(value, i1Type, loc);
  case Value::Kind::Real:
    return materialize(value, f64Type, loc);
  default:
    return getSSA(value);
  }
}

/// The type in which a function of a real number is computed.
mlir::Type Generator::floatTypeOf(const Value &value) const {
  return value.isScalar() && value.getStorage() == realStorage() ? realType
                                                                 : f64Type;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

bool Generator::refuse(const UnitConflict &conflict, const OperatorSite &site) {
  Report report = error(site.loc, conflict.text);
  report.range(site.lhs).range(site.rhs);
  if (site.lhs.isValid())
    report.note(site.lhs.Start, conflict.first);
  if (site.rhs.isValid())
    report.note(site.rhs.Start, conflict.second);
  return false;
}

Value Generator::refuse(const Judgment &judgment, const OperatorSite &site) {
  if (judgment.conflict)
    refuse(*judgment.conflict, site);
  else if (judgment.isAboutRight)
    error(site.loc, judgment.problem).range(site.rhs);
  else
    error(site.loc, judgment.problem).range(site.lhs).range(site.rhs);
  return Value::poison();
}

bool Generator::checkUnits(llvm::StringRef what, const Value &a, const Value &b,
                           const OperatorSite &site) {
  auto conflict = findConflict(what, a.getQuantity(), b.getQuantity());
  return !conflict || refuse(*conflict, site);
}

bool Generator::checkPure(llvm::StringRef what, const Value &value,
                          llvm::SMLoc loc, llvm::SMRange range) {
  Quantity unit = value.getQuantity();
  if (unit.fitsAny() || unit.getUnit().isNumber())
    return true;
  error(loc, pmc::checkPure(what, unit, value.describe())).range(range);
  return false;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Generator::negate(const Value &value, llvm::SMLoc loc) {
  if (value.isComplex())
    return Value::complex(negate(value.getRe(), loc),
                          negate(value.getIm(), loc), value.getUnit());
  if (value.is(Value::Kind::Int)) {
    if (value.getInt() == INT64_MIN)
      return error(loc, "the result is too large for an int");
    return Value::integer(-value.getInt());
  }
  if (value.is(Value::Kind::Real))
    return Value::real(value.getReal() == 0 ? 0 : -value.getReal(),
                       value.getUnit());
  if (value.isUnsigned())
    return error(loc, "a u64 is never negative; for an f64, 0.0 - …");
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
      return refuse(judgeUnary(op, typeOf(v[0], /*named=*/true)),
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
    return refuse(judgeBinary(op, typeOf(a, /*named=*/true),
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
    return folded ? *folded : Value(error(loc, why));
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

/// Of ints, of which some may be u64s.
mlir::Value Generator::compareInts(arith::CmpIPredicate isSigned,
                                   const Value &a, const Value &b,
                                   mlir::Location at) {
  using I = arith::CmpIPredicate;
  mlir::Value x = materialize(a, i64Type, at), y = materialize(b, i64Type, at);
  if (!a.isUnsigned() && !b.isUnsigned())
    return arith::CmpIOp::create(builder, at, isSigned, x, y);
  I predicate = isSigned == I::slt   ? I::ult
                : isSigned == I::sle ? I::ule
                : isSigned == I::sgt ? I::ugt
                : isSigned == I::sge ? I::uge
                                     : isSigned;
  mlir::Value result = arith::CmpIOp::create(builder, at, predicate, x, y);
  if (a.isUnsigned() && b.isUnsigned())
    return result;
  // A negative int is less than any u64.
  mlir::Value zero = intConstant(0, at), minus = intConstant(-1, at);
  mlir::Value isNegative =
      arith::CmpIOp::create(builder, at, I::slt, a.isUnsigned() ? y : x, zero);
  mlir::Value below = arith::CmpIOp::create(builder, at, isSigned,
                                            a.isUnsigned() ? zero : minus,
                                            a.isUnsigned() ? minus : zero);
  return arith::SelectOp::create(builder, at, isNegative, below, result);
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
    return folded ? *folded : Value(error(loc, why));
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
