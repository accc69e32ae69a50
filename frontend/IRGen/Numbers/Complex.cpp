//===- Complex.cpp - Arithmetic on complex numbers ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex number is two real ones. A part that is known to be zero costs
// nothing: -1i * k * d is a swap, two products and a change of sign. Parts are
// computed without units; the whole number has one.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Numbers.h"
#include "frontend/Sema/Rules/Program/Options.h"

using namespace pmc;
using ast::BinaryOp;

/// A constant zero, whatever its unit.
static bool isZero(const Value &part) {
  return part.isConstNumber() && *part.getConstReal() == 0;
}

static bool isOne(const Value &part, double one) {
  return part.isConstNumber() && *part.getConstReal() == one;
}

static Value realPart(const Value &value) {
  return (value.isComplex() ? value.getRe() : value).withUnit({});
}

static Value imaginaryPart(const Value &value) {
  return value.isComplex() ? value.getIm().withUnit({}) : Value::integer(0);
}

Value Generator::partAdd(const Value &a, const Value &b, llvm::SMLoc loc) {
  if (isZero(a))
    return b;
  if (isZero(b))
    return a;
  return realBinary(BinaryOp::Add, a, b, {}, loc);
}

Value Generator::partSub(const Value &a, const Value &b, llvm::SMLoc loc) {
  if (isZero(b))
    return a;
  if (isZero(a))
    return b.isPoison() ? b : negate(b, loc);
  return realBinary(BinaryOp::Sub, a, b, {}, loc);
}

Value Generator::partMul(const Value &a, const Value &b, llvm::SMLoc loc) {
  if (isZero(a) || isZero(b))
    return Value::integer(0);
  if (isOne(a, 1))
    return b;
  if (isOne(b, 1))
    return a;
  if (isOne(a, -1) && !b.isPoison())
    return negate(b, loc);
  if (isOne(b, -1) && !a.isPoison())
    return negate(a, loc);
  return realBinary(BinaryOp::Mul, a, b, {}, loc);
}

Value Generator::partDiv(const Value &a, const Value &b, llvm::SMLoc loc) {
  if (isZero(a) && !isZero(b))
    return Value::integer(0);
  return realBinary(BinaryOp::Div, a, b, {}, loc);
}

Value Generator::complexBinary(BinaryOp op, const Value &a, const Value &b,
                               Unit unit, llvm::SMLoc loc) {
  Value ar = realPart(a), ai = imaginaryPart(a);
  Value br = realPart(b), bi = imaginaryPart(b);
  Value re, im;
  switch (op) {
  case BinaryOp::Add:
    re = partAdd(ar, br, loc);
    im = partAdd(ai, bi, loc);
    break;
  case BinaryOp::Sub:
    re = partSub(ar, br, loc);
    im = partSub(ai, bi, loc);
    break;
  case BinaryOp::Mul:
    re = partSub(partMul(ar, br, loc), partMul(ai, bi, loc), loc);
    im = partAdd(partMul(ar, bi, loc), partMul(ai, br, loc), loc);
    break;
  default: {
    if (isZero(bi)) {
      re = partDiv(ar, br, loc);
      im = partDiv(ai, br, loc);
      break;
    }
    // a conj(b) / |b|^2
    Value norm = partAdd(partMul(br, br, loc), partMul(bi, bi, loc), loc);
    re = partAdd(partMul(ar, br, loc), partMul(ai, bi, loc), loc);
    im = partSub(partMul(ai, br, loc), partMul(ar, bi, loc), loc);
    re = partDiv(re, norm, loc);
    im = partDiv(im, norm, loc);
    break;
  }
  }
  if (re.isPoison() || im.isPoison())
    return Value::poison();
  return Value::complex(re, im, unit);
}

Value Generator::complexPower(const Value &base, const Value &exponent,
                              Unit unit, llvm::SMLoc loc) {
  auto n = exponent.getConstInt();
  if (!n || std::abs(*n) > 8)
    return generalPower(base, exponent, unit, loc);
  Value result = Value::real(1), factor = base.withUnit({});
  for (int64_t i = std::abs(*n); i; --i)
    result = complexBinary(BinaryOp::Mul, result, factor, {}, loc);
  if (*n < 0)
    result = complexBinary(BinaryOp::Div, Value::real(1), result, {}, loc);
  return result.isPoison() ? result : result.withUnit(unit);
}

/// |z|^2, a real number; x^2 of a real one.
Value Generator::complexNorm2(const Value &z, llvm::SMLoc loc) {
  Value re = realPart(z), im = imaginaryPart(z);
  Value sum = partAdd(partMul(re, re, loc), partMul(im, im, loc), loc);
  if (sum.isPoison())
    return sum;
  Value result = sum.withUnit(z.getUnit() * z.getUnit());
  return z.hasAnyUnit() && !z.isConstNumber() ? result.withAnyUnit() : result;
}

Value Generator::complexMath(BuiltinId id, const Value &z, llvm::SMLoc loc) {
  Value re = realPart(z), im = imaginaryPart(z);
  switch (id) {
  case BuiltinId::Real:
    return re.withUnit(z.getUnit());
  case BuiltinId::Imag:
    return im.withUnit(z.getUnit());
  case BuiltinId::Conj:
    return Value::complex(re, partSub(Value::integer(0), im, loc), z.getUnit());
  case BuiltinId::Abs:
    if (isZero(re) || isZero(im))
      return realMath(BuiltinId::Abs, isZero(re) ? im : re, z.getUnit(), loc);
    return squareRoot(complexNorm2(z, loc).withUnit({}), z.getUnit(), loc);
  case BuiltinId::Arg: {
    if (re.isConstNumber() && im.isConstNumber())
      return Value::real(std::atan2(*im.getConstReal(), *re.getConstReal()));
    mlir::Type type = promote(re, im);
    mlir::Location at = getLoc(loc);
    if (type == i64Type)
      type = f64Type;
    return scalarOf(mlir::math::Atan2Op::create(
        builder, at, materialize(im, type, at), materialize(re, type, at)));
  }
  case BuiltinId::Exp: {
    if (!requirePure(rules(), "'exp'", z, loc))
      return Value::poison();
    Value size =
        isZero(re) ? Value::integer(1) : realMath(BuiltinId::Exp, re, {}, loc);
    Value cosine = realMath(BuiltinId::Cos, im, {}, loc);
    Value sine = realMath(BuiltinId::Sin, im, {}, loc);
    Value x = partMul(size, cosine, loc), y = partMul(size, sine, loc);
    if (x.isPoison() || y.isPoison())
      return Value::poison();
    return Value::complex(x, y, {});
  }
  case BuiltinId::Sqrt:
  case BuiltinId::Log:
  case BuiltinId::Sin:
  case BuiltinId::Cos:
  case BuiltinId::Tan:
  case BuiltinId::Sinh:
  case BuiltinId::Cosh:
  case BuiltinId::Tanh:
    return complexFunction(id, z, loc);
  default:
    reportNotComplex(rules(), id, loc);
    return Value::poison();
  }
}
