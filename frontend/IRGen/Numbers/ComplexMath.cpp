//===- ComplexMath.cpp - Functions of complex numbers ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots, logarithms, powers, circular and hyperbolic functions, as functions of
// the real and the imaginary part. Branch cuts are those of C: along the
// negative real axis. The sign of a zero selects the side of the cut. Results
// are accurate relative to their absolute value, not part by part.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Numbers.h"

#include <complex>

using namespace pmc;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

/// A real and an imaginary part in SSA form.
struct Parts {
  mlir::Value re, im;
};

/// Builds functions of complex numbers at one place.
class ComplexBuilder {
public:
  ComplexBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  Parts root(Parts z) {
    mlir::Value size = get<math::AbsFOp>(z.re);
    mlir::Value large =
        get<math::SqrtOp>(mul(constant(0.5), add(size, absolute(z))));
    // Only 0 has a large part of 0.
    mlir::Value twice = add(large, large);
    mlir::Value small = div(get<math::AbsFOp>(z.im), oneIfZero(twice));
    mlir::Value isRight = isAtLeast(z.re, 0);
    return {select(isRight, large, small),
            get<math::CopySignOp>(select(isRight, small, large), z.im)};
  }

  Parts logarithm(Parts z) {
    auto [large, ratio] = ratioOfParts(z);
    mlir::Value square = mul(ratio, ratio);
    return {add(get<math::LogOp>(large),
                mul(constant(0.5), get<math::Log1pOp>(square))),
            angle(z)};
  }

  Parts sine(Parts z) {
    return {mul(get<math::SinOp>(z.re), get<math::CoshOp>(z.im)),
            mul(get<math::CosOp>(z.re), get<math::SinhOp>(z.im))};
  }
  Parts cosine(Parts z) {
    mlir::Value im = mul(get<math::SinOp>(z.re), get<math::SinhOp>(z.im));
    return {mul(get<math::CosOp>(z.re), get<math::CoshOp>(z.im)), negate(im)};
  }
  /// -i tanh(i z).
  Parts tangent(Parts z) {
    Parts turned = hyperbolicTangent({negate(z.im), z.re});
    return {turned.im, negate(turned.re)};
  }
  Parts hyperbolicSine(Parts z) {
    return {mul(get<math::SinhOp>(z.re), get<math::CosOp>(z.im)),
            mul(get<math::CoshOp>(z.re), get<math::SinOp>(z.im))};
  }
  Parts hyperbolicCosine(Parts z) {
    return {mul(get<math::CoshOp>(z.re), get<math::CosOp>(z.im)),
            mul(get<math::SinhOp>(z.re), get<math::SinOp>(z.im))};
  }
  /// With T = tanh(re) and t = tan(im), (T (1 + t^2) + i t / cosh(re)^2) /
  /// (1 + T^2 t^2). No intermediate result overflows but cosh, whose inverse
  /// is 0 then.
  Parts hyperbolicTangent(Parts z) {
    mlir::Value along = get<math::TanhOp>(z.re), t = get<math::TanOp>(z.im);
    mlir::Value inverse = div(constant(1), get<math::CoshOp>(z.re));
    mlir::Value product = mul(along, t);
    mlir::Value below = add(constant(1), mul(product, product));
    return {div(mul(along, add(constant(1), mul(t, t))), below),
            div(mul(t, mul(inverse, inverse)), below)};
  }

  /// exp(exponent log(base)); without an imaginary part if that is null.
  Parts power(Parts base, Parts exponent) {
    mlir::Value size = absolute(base), turn = angle(base);
    mlir::Value scale = get<math::PowFOp>(size, exponent.re);
    mlir::Value phase = mul(exponent.re, turn);
    if (exponent.im) {
      scale = mul(scale, get<math::ExpOp>(negate(mul(exponent.im, turn))));
      phase = add(phase, mul(exponent.im, get<math::LogOp>(oneIfZero(size))));
    }
    return {mul(scale, get<math::CosOp>(phase)),
            mul(scale, get<math::SinOp>(phase))};
  }

private:
  template <class Op> mlir::Value get(mlir::Value a) {
    return Op::create(builder, loc, a);
  }
  template <class Op> mlir::Value get(mlir::Value a, mlir::Value b) {
    return Op::create(builder, loc, a, b);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return get<arith::AddFOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return get<arith::MulFOp>(a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return get<arith::DivFOp>(a, b);
  }
  mlir::Value negate(mlir::Value a) { return get<arith::NegFOp>(a); }
  mlir::Value constant(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  mlir::Value compare(arith::CmpFPredicate predicate, mlir::Value a, double b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, constant(b));
  }
  mlir::Value isAtLeast(mlir::Value a, double b) {
    return compare(arith::CmpFPredicate::OGE, a, b);
  }
  mlir::Value oneIfZero(mlir::Value a) {
    return select(compare(arith::CmpFPredicate::OEQ, a, 0), constant(1), a);
  }

  /// 0 at 0. MLIR folds atan2(0, 0) of constants to NaN.
  mlir::Value angle(Parts z) {
    mlir::Value size = get<arith::MaximumFOp>(get<math::AbsFOp>(z.re),
                                              get<math::AbsFOp>(z.im));
    return select(compare(arith::CmpFPredicate::OEQ, size, 0), constant(0),
                  get<math::Atan2Op>(z.im, z.re));
  }

  /// The larger one of |re| and |im|, and the other one divided by it. Squares
  /// of the ratio neither overflow nor lose small numbers.
  std::pair<mlir::Value, mlir::Value> ratioOfParts(Parts z) {
    mlir::Value x = get<math::AbsFOp>(z.re), y = get<math::AbsFOp>(z.im);
    // The derivative of an extreme of equal numbers is that of the first one,
    // so that the operands have opposite orders.
    mlir::Value large = get<arith::MaximumFOp>(x, y);
    mlir::Value small = get<arith::MinimumFOp>(y, x);
    mlir::Value isInfinite =
        compare(arith::CmpFPredicate::OEQ, small, INFINITY);
    return {large,
            select(isInfinite, constant(1), div(small, oneIfZero(large)))};
  }

  mlir::Value absolute(Parts z) {
    auto [large, ratio] = ratioOfParts(z);
    return mul(large, get<math::SqrtOp>(add(constant(1), mul(ratio, ratio))));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace

static std::complex<double> foldFunction(BuiltinId id, std::complex<double> z) {
  switch (id) {
  case BuiltinId::Sqrt:
    return std::sqrt(z);
  case BuiltinId::Log:
    return std::log(z);
  case BuiltinId::Sin:
    return std::sin(z);
  case BuiltinId::Cos:
    return std::cos(z);
  case BuiltinId::Tan:
    return std::tan(z);
  case BuiltinId::Sinh:
    return std::sinh(z);
  case BuiltinId::Cosh:
    return std::cosh(z);
  case BuiltinId::Tanh:
    return std::tanh(z);
  default:
    llvm_unreachable("not a function of complex numbers");
  }
}

static Parts buildFunction(BuiltinId id, ComplexBuilder at, Parts z) {
  switch (id) {
  case BuiltinId::Sqrt:
    return at.root(z);
  case BuiltinId::Log:
    return at.logarithm(z);
  case BuiltinId::Sin:
    return at.sine(z);
  case BuiltinId::Cos:
    return at.cosine(z);
  case BuiltinId::Tan:
    return at.tangent(z);
  case BuiltinId::Sinh:
    return at.hyperbolicSine(z);
  case BuiltinId::Cosh:
    return at.hyperbolicCosine(z);
  case BuiltinId::Tanh:
    return at.hyperbolicTangent(z);
  default:
    llvm_unreachable("not a function of complex numbers");
  }
}

/// The constant that the parts are; none if they are not constant.
static std::optional<std::complex<double>> getConstant(const Value &re,
                                                       const Value &im) {
  if (!re.isConstNumber() || !im.isConstNumber())
    return std::nullopt;
  return std::complex<double>(*re.getConstReal(), *im.getConstReal());
}

/// `result`, if it is finite.
static std::optional<Value> toValue(std::complex<double> result, Unit unit) {
  if (!std::isfinite(result.real()) || !std::isfinite(result.imag()))
    return std::nullopt;
  return Value::complex(Value::real(result.real()), Value::real(result.imag()),
                        unit);
}

static Value pureRealPart(const Value &z) {
  return (z.isComplex() ? z.getRe() : z).withUnit({});
}

static Value pureImaginaryPart(const Value &z) {
  return z.isComplex() ? z.getIm().withUnit({}) : Value::integer(0);
}

Value Generator::complexFunction(BuiltinId id, const Value &z,
                                 llvm::SMLoc loc) {
  const Judgment judgment = judgeMath(id, typeOf(z));
  if (judgment.isWrong())
    return reject(rules(), judgeMath(id, typeOf(z, /*named=*/true)),
                  {loc, {}, {}});
  const Unit unit = judgment.type.getQuantity().getUnit();
  Value re = pureRealPart(z), im = pureImaginaryPart(z);
  if (auto known = getConstant(re, im)) {
    return requireFiniteResult(rules(), id,
                               toValue(foldFunction(id, *known), unit), loc);
  }
  mlir::Type type = promote(re, im);
  if (type == i64Type)
    type = f64Type;
  mlir::Location at = getLoc(loc);
  Parts result =
      buildFunction(id, ComplexBuilder(builder, at, type),
                    {materialize(re, type, at), materialize(im, type, at)});
  return Value::complex(scalarOf(result.re), scalarOf(result.im), unit);
}

/// With a base and an exponent of which at least one is complex.
Value Generator::generalPower(const Value &base, const Value &exponent,
                              Unit unit, llvm::SMLoc loc) {
  Value parts[] = {pureRealPart(base), pureImaginaryPart(base),
                   pureRealPart(exponent), pureImaginaryPart(exponent)};
  auto knownBase = getConstant(parts[0], parts[1]);
  auto knownExponent = getConstant(parts[2], parts[3]);
  if (knownBase && knownExponent) {
    const bool isZero = *knownBase == 0. && knownExponent->real() > 0;
    const auto folded =
        toValue(isZero ? 0. : std::pow(*knownBase, *knownExponent), unit);
    return requireFinitePower(rules(), folded, loc);
  }
  const mlir::Type types[] = {promote(parts[0], parts[1]),
                              promote(parts[2], parts[3])};
  mlir::Type type = llvm::is_contained(types, realType) ? realType : f64Type;
  mlir::Location at = getLoc(loc);
  mlir::Value values[4];
  for (auto [value, part] : llvm::zip_equal(values, parts))
    value = materialize(part, type, at);
  if (!exponent.isComplex())
    values[3] = {};
  Parts result = ComplexBuilder(builder, at, type)
                     .power({values[0], values[1]}, {values[2], values[3]});
  return Value::complex(scalarOf(result.re), scalarOf(result.im), unit);
}
