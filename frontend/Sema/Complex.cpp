//===- Complex.cpp - Types of complex numbers -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Complex.h"

#include "frontend/Sema/Types/Constants.h"
#include "frontend/Sema/Types/Operators.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include <cmath>

using namespace pmc;
using ast::BinaryOp;
using Part = std::optional<Value>;

static Value realPart(const Value &z) {
  return (z.isComplex() ? z.getRe() : z).withUnit({});
}

static Value imaginaryPart(const Value &z) {
  return z.isComplex() ? z.getIm().withUnit({}) : Value::integer(0);
}

static bool isNumber(const Part &part, double number) {
  return part && part->isConstNumber() && *part->getConstReal() == number;
}

static Part makeComplex(const Part &re, const Part &im, const Unit &unit) {
  return re && im ? Part(Value::complex(*re, *im, unit)) : std::nullopt;
}

namespace {

/// Arithmetic of parts, which have no units.
struct PartTypes {
  Storage real;

  Part compute(BinaryOp op, const Part &a, const Part &b) const {
    return a && b ? shapeOfReal(op, *a, *b, {}, real) : std::nullopt;
  }
  static Part negate(const Part &a) {
    return a ? shapeOfUnary(ast::UnaryOp::Neg, *a) : a;
  }
  Part add(const Part &a, const Part &b) const {
    if (isNumber(a, 0))
      return b;
    return isNumber(b, 0) ? a : compute(BinaryOp::Add, a, b);
  }
  Part sub(const Part &a, const Part &b) const {
    if (isNumber(b, 0))
      return a;
    return isNumber(a, 0) ? negate(b) : compute(BinaryOp::Sub, a, b);
  }
  Part mul(const Part &a, const Part &b) const {
    if (isNumber(a, 0) || isNumber(b, 0))
      return Value::integer(0);
    if (isNumber(a, 1))
      return b;
    if (isNumber(b, 1))
      return a;
    if (isNumber(a, -1))
      return negate(b);
    return isNumber(b, -1) ? negate(a) : compute(BinaryOp::Mul, a, b);
  }
  Part div(const Part &a, const Part &b) const {
    return isNumber(a, 0) && !isNumber(b, 0) ? Part(Value::integer(0))
                                             : compute(BinaryOp::Div, a, b);
  }
  /// The type in which a function of two parts is computed.
  Storage common(const Value &a, const Value &b) const {
    const Storage storage = promote(a, b, real);
    return storage == Storage::I64 ? Storage::F64 : storage;
  }
};

} // namespace

Part pmc::shapeOfComplex(BinaryOp op, const Value &a, const Value &b,
                         const Unit &unit, Storage real) {
  const PartTypes parts{real};
  const Part ar = realPart(a), ai = imaginaryPart(a);
  const Part br = realPart(b), bi = imaginaryPart(b);
  switch (op) {
  case BinaryOp::Add:
    return makeComplex(parts.add(ar, br), parts.add(ai, bi), unit);
  case BinaryOp::Sub:
    return makeComplex(parts.sub(ar, br), parts.sub(ai, bi), unit);
  case BinaryOp::Mul:
    return makeComplex(parts.sub(parts.mul(ar, br), parts.mul(ai, bi)),
                       parts.add(parts.mul(ar, bi), parts.mul(ai, br)), unit);
  default:
    break;
  }
  if (isNumber(bi, 0))
    return makeComplex(parts.div(ar, br), parts.div(ai, br), unit);
  // a conj(b) / |b|^2
  const Part norm = parts.add(parts.mul(br, br), parts.mul(bi, bi));
  const Part re = parts.add(parts.mul(ar, br), parts.mul(ai, bi));
  const Part im = parts.sub(parts.mul(ai, br), parts.mul(ar, bi));
  return makeComplex(parts.div(re, norm), parts.div(im, norm), unit);
}

Value pmc::shapeOfComplexComparison(BinaryOp op, const Value &a,
                                    const Value &b) {
  bool holds = op == BinaryOp::Eq;
  for (auto part : {realPart, imaginaryPart}) {
    const Value x = part(a), y = part(b);
    if (!x.isConstNumber() || !y.isConstNumber())
      return Value::scalar(Storage::I1);
    const bool isOne = foldComparison(op, x, y);
    holds = op == BinaryOp::Eq ? holds && isOne : holds || isOne;
  }
  return Value::boolean(holds);
}

Part pmc::shapeOfComplexPower(const Value &base, const Value &exponent,
                              const Unit &unit, Storage real) {
  const auto n = exponent.isComplex() ? std::nullopt : exponent.getConstInt();
  if (n && std::abs(*n) <= 8) {
    Part result = Value::real(1);
    const Value factor = base.withUnit({});
    for (int64_t i = std::abs(*n); i && result; --i)
      result = shapeOfComplex(BinaryOp::Mul, *result, factor, {}, real);
    if (*n < 0 && result)
      result = shapeOfComplex(BinaryOp::Div, Value::real(1), *result, {}, real);
    return result ? Part(result->withUnit(unit)) : result;
  }
  const Value parts[] = {realPart(base), imaginaryPart(base),
                         realPart(exponent), imaginaryPart(exponent)};
  // The value of constants is not computed here.
  if (llvm::all_of(parts, [](const Value &x) { return x.isConstNumber(); }))
    return std::nullopt;
  const bool isNarrow = promote(parts[0], parts[1], real) == real ||
                        promote(parts[2], parts[3], real) == real;
  const Value part = Value::scalar(isNarrow ? real : Storage::F64);
  return Value::complex(part, part, unit);
}

Part pmc::shapeOfNorm2(const Value &z, Storage real) {
  if (!z.isNumber())
    return std::nullopt;
  const PartTypes parts{real};
  const Part re = realPart(z), im = imaginaryPart(z);
  const Part sum = parts.add(parts.mul(re, re), parts.mul(im, im));
  if (!sum)
    return sum;
  const Value norm = sum->withUnit(z.getUnit() * z.getUnit());
  return z.hasAnyUnit() && !z.isConstNumber() ? norm.withAnyUnit() : norm;
}

Part pmc::shapeOfInner(const Value &a, const Value &b, Storage real) {
  const PartTypes parts{real};
  const Part sum = parts.add(parts.mul(realPart(a), realPart(b)),
                             parts.mul(imaginaryPart(a), imaginaryPart(b)));
  return sum ? Part(sum->withUnit(a.getUnit() * b.getUnit())) : sum;
}

Part pmc::shapeOfComplexMath(BuiltinId id, const Value &z, Storage real) {
  const PartTypes parts{real};
  const Value re = realPart(z), im = imaginaryPart(z);
  switch (id) {
  case BuiltinId::Real:
    return re.withUnit(z.getUnit());
  case BuiltinId::Imag:
    return im.withUnit(z.getUnit());
  case BuiltinId::Conj:
    return makeComplex(re, parts.sub(Value::integer(0), im), z.getUnit());
  case BuiltinId::Abs: {
    const bool isFlat = isNumber(re, 0) || isNumber(im, 0);
    if (isFlat)
      return shapeOfRealMath(id, isNumber(re, 0) ? im : re, z.getUnit(), real);
    const Part norm = shapeOfNorm2(z, real);
    return norm ? shapeOfRealMath(BuiltinId::Sqrt, norm->withUnit({}),
                                  z.getUnit(), real)
                : norm;
  }
  case BuiltinId::Arg:
    return re.isConstNumber() && im.isConstNumber()
               ? Value::real(std::atan2(*im.getConstReal(), *re.getConstReal()))
               : Value::scalar(parts.common(re, im));
  default:
    break;
  }
  const Judgment judgment = judgeMath(id, typeOf(z));
  if (judgment.isWrong())
    return std::nullopt;
  switch (id) {
  case BuiltinId::Exp: {
    const Part size = isNumber(re, 0)
                          ? Part(Value::integer(1))
                          : shapeOfRealMath(BuiltinId::Exp, re, {}, real);
    return makeComplex(
        parts.mul(size, shapeOfRealMath(BuiltinId::Cos, im, {}, real)),
        parts.mul(size, shapeOfRealMath(BuiltinId::Sin, im, {}, real)), {});
  }
  case BuiltinId::Sqrt:
  case BuiltinId::Log:
  case BuiltinId::Sin:
  case BuiltinId::Cos:
  case BuiltinId::Tan:
  case BuiltinId::Sinh:
  case BuiltinId::Cosh:
  case BuiltinId::Tanh: {
    // The value of constants is not computed here.
    if (re.isConstNumber() && im.isConstNumber())
      return std::nullopt;
    const Value part = Value::scalar(parts.common(re, im));
    return Value::complex(part, part, judgment.type.getQuantity().getUnit());
  }
  default:
    return std::nullopt;
  }
}
