//===- Math.cpp - Elementwise functions -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Numbers.h"
#include "frontend/Sema/Types/Constants.h"
#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Shapes.h"

using namespace pmc;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

/// -1, 0 or 1. It has no op of its own.
struct SignOp {
  static mlir::Value create(mlir::OpBuilder &builder, mlir::Location at,
                            mlir::Value x) {
    auto constant = [&](double value) -> mlir::Value {
      return arith::ConstantOp::create(
          builder, at, builder.getFloatAttr(x.getType(), value));
    };
    mlir::Value zero = constant(0);
    mlir::Value above =
        arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OGT, x, zero);
    mlir::Value below =
        arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OLT, x, zero);
    mlir::Value negative =
        arith::SelectOp::create(builder, at, below, constant(-1), zero);
    return arith::SelectOp::create(builder, at, above, constant(1), negative);
  }
};

} // namespace

static mlir::Value createMath(BuiltinId id, mlir::OpBuilder &builder,
                              mlir::Location at, mlir::Value x) {
  using namespace mlir::math;
  switch (id) {
#define MATH(ID, NAME, UNITS, OP, FOLDED)                                      \
  case BuiltinId::ID:                                                          \
    return OP::create(builder, at, x);
#include "frontend/Sema/MathBuiltins.def"
  default:
    llvm_unreachable("not a function of one real number");
  }
}

/// `x` is a real number; its unit has been checked.
Value Generator::realMath(BuiltinId id, const Value &x, Unit unit,
                          llvm::SMLoc loc) {
  if (x.isPoison())
    return x;
  if (x.isConstNumber()) {
    std::string why;
    const auto folded = foldMath(id, x, unit, why);
    return requireResultOf(rules(), id, x, folded, why, loc);
  }
  mlir::Location at = getLoc(loc);
  if (x.isIntLike()) {
    switch (id) {
    case BuiltinId::Floor:
    case BuiltinId::Round:
      return x;
    case BuiltinId::Abs:
      if (x.isUnsigned())
        return x;
      return scalarOf(math::AbsIOp::create(builder, at, getSSA(x)));
    default:
      break;
    }
  }
  mlir::Type type = floatTypeOf(x);
  mlir::Value v = materialize(x, type, at);
  return scalarOf(createMath(id, builder, at, v), unit);
}

Value Generator::math(BuiltinId id, const Value &x, llvm::SMLoc loc) {
  bool ofComplex = id == BuiltinId::Real || id == BuiltinId::Imag ||
                   id == BuiltinId::Conj || id == BuiltinId::Arg;
  if (x.isComplex() || (ofComplex && x.isNumber())) {
    if (id == BuiltinId::Conj && !x.isComplex())
      return x;
    return complexMath(id, x, loc);
  }
  const Judgment judgment = judgeMath(id, typeOf(x));
  if (judgment.isWrong())
    return reject(rules(), judgeMath(id, typeOf(x, /*named=*/true)),
                  {loc, {}, {}});
  return realMath(id, x, judgment.type.getQuantity().getUnit(), loc);
}

Value Generator::callMath(BuiltinCall &call) {
  auto work = [&](Elements v) { return math(call.info.id, v[0], call.loc); };
  // Most arguments are numbers. No message about them contains the name.
  if (call[0].value.isNumber())
    return work(call[0].value);
  return lift(("'" + call.info.name + "'").str(), call[0].value, call.loc,
              work);
}

Value Generator::callMath2(BuiltinCall &call) {
  std::string what = ("'" + call.info.name + "'").str();
  OperatorSite site{call.loc, call[0].range, call[1].range};
  if (call.info.id == BuiltinId::Pow)
    return binary(ast::BinaryOp::Pow, call[0].value, call[1].value, site);
  return lift(
      what, {call[0].value, call[1].value}, call.loc, [&](Elements v) -> Value {
        if (judgeMinMax(what, typeOf(v[0]), typeOf(v[1])).isWrong())
          return reject(rules(),
                        judgeMinMax(what, typeOf(v[0], /*named=*/true),
                                    typeOf(v[1], /*named=*/true)),
                        site);
        return complexMath(
            BuiltinId::Arg,
            Value::complex(v[1].withUnit({}), v[0].withUnit({}), {}), call.loc);
      });
}

Value Generator::minMax(bool isMax, const Value &a, const Value &b,
                        const OperatorSite &site) {
  const char *what = isMax ? "'max'" : "'min'";
  const Judgment judgment = judgeMinMax(what, typeOf(a), typeOf(b));
  if (judgment.isWrong())
    return reject(
        rules(),
        judgeMinMax(what, typeOf(a, /*named=*/true), typeOf(b, /*named=*/true)),
        site);
  const Unit &unit = judgment.type.getQuantity().getUnit();
  if (a.isConstNumber() && b.isConstNumber()) {
    bool first = foldComparison(ast::BinaryOp::Lt, a, b) != isMax;
    return (first ? a : b).withUnit(unit);
  }
  mlir::Type type = promote(a, b);
  mlir::Location at = getLoc(site.loc);
  mlir::Value x = materialize(a, type, at), y = materialize(b, type, at);
  mlir::Value result;
  if (type == i64Type && (a.isUnsigned() || b.isUnsigned())) {
    if (!requireSameSigns(rules(), what, a, b, site.loc,
                          "; compare them with if"))
      return Value::poison();
    result = isMax ? arith::MaxUIOp::create(builder, at, x, y).getResult()
                   : arith::MinUIOp::create(builder, at, x, y).getResult();
    return scalarOf(result).asUnsigned();
  }
  if (type == i64Type)
    result = isMax ? arith::MaxSIOp::create(builder, at, x, y).getResult()
                   : arith::MinSIOp::create(builder, at, x, y).getResult();
  else
    result = isMax ? arith::MaximumFOp::create(builder, at, x, y).getResult()
                   : arith::MinimumFOp::create(builder, at, x, y).getResult();
  return scalarOf(result, unit);
}

/// `number(x, 1 h/Mpc)`: x over the unit, which must leave a pure number.
Value Generator::callNumber(BuiltinCall &call) {
  OperatorSite site{call.loc, call[0].range, call[1].range};
  return lift("'number'", {call[0].value, call[1].value}, call.loc,
              [&](Elements v) -> Value {
                if (judgeNumber(typeOf(v[0]), typeOf(v[1])).isWrong())
                  return reject(rules(),
                                judgeNumber(typeOf(v[0], /*named=*/true),
                                            typeOf(v[1], /*named=*/true)),
                                site);
                if (v[1].isConstNumber() && *v[1].getConstReal() == 1)
                  return v[0].withUnit({});
                return scalarBinary(ast::BinaryOp::Div, v[0].withUnit({}),
                                    v[1].withUnit({}), site);
              });
}

/// 1 in the unit of a number or field, and in any unit of a zero that has any;
/// of each part of a tuple or record.
Value Generator::unitOf(const Value &x) {
  if (x.isPoison())
    return x;
  if (x.isTuple() || x.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : x.getElements())
      parts.push_back(unitOf(part));
    return x.withElements(std::move(parts));
  }
  Value one = Value::real(1, x.getUnit());
  return x.hasAnyUnit() ? one.withAnyUnit() : one;
}

Value Generator::callUnitOf(BuiltinCall &call) {
  return accepts(call) ? unitOf(call[0].value) : Value::poison();
}

Value Generator::callEpsilon(BuiltinCall &call) {
  return accepts(call) ? epsilonOf(call[0].value) : Value::poison();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value Generator::asVector(const Argument &arg, llvm::StringRef what) {
  const Value &v = arg.value;
  if (!v.is(Value::Kind::Coordinate))
    return v;
  Value vector = expandCoordinate(v, arg.loc);
  if (vector.isPoison())
    return vector;
  const ElementState &state = *frame->element;
  return requireOneKind(rules(), dimsOf(state.domain), arg, what)
             ? vector
             : Value::poison();
}

Value Generator::callNorm2(BuiltinCall &call) {
  Value v = asVector(call[0], "norm2");
  if (v.isPoison())
    return v;
  if (!accepts(call))
    return Value::poison();
  auto square = [&](const Value &x) {
    return lift("'norm2'", x, call.loc, [&](Elements e) -> Value {
      if (!requireNorm(rules(), e[0], call.loc))
        return Value::poison();
      return complexNorm2(e[0], call.loc);
    });
  };
  if (!v.isTuple())
    return square(v);
  Value sum;
  OperatorSite site{call.loc, call[0].range, call[0].range};
  for (const Value &component : v.getElements()) {
    Value term = square(component);
    sum = sum.isPoison() ? term : binary(ast::BinaryOp::Add, sum, term, site);
    if (sum.isPoison())
      return sum;
  }
  return sum;
}

Value Generator::callTotal(BuiltinCall &call) {
  Value v = asVector(call[0], "total");
  if (v.isPoison())
    return v;
  if (!accepts(call))
    return Value::poison();
  Value sum = v.getElements()[0];
  OperatorSite site{call.loc, call[0].range, call[0].range};
  for (const Value &component : v.getElements().drop_front())
    sum = binary(ast::BinaryOp::Add, sum, component, site);
  return sum;
}

Value Generator::callDot(BuiltinCall &call) {
  for (std::optional<Argument> &arg : call.args)
    arg->value = asVector(*arg, "dot");
  const Value &a = call[0].value, &b = call[1].value;
  if (a.isPoison() || b.isPoison() || !accepts(call))
    return Value::poison();
  OperatorSite site{call.loc, call[0].range, call[1].range};
  Value sum;
  for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a))) {
    Value term = binary(ast::BinaryOp::Mul, x, y, site);
    sum = sum.isPoison() ? term : binary(ast::BinaryOp::Add, sum, term, site);
    if (sum.isPoison())
      return sum;
  }
  return sum;
}
