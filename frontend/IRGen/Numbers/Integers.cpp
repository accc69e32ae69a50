//===- Integers.cpp - Ints at run time ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `int(x)` is ⌊x⌋. `div` and `mod` are those of the division that rounds down:
// a = b div(a, b) + mod(a, b), and mod has the sign of b.
//
// `int` of what is not a number is an error of a scalar. In a map, where an
// error would need another loop over the fields, it is the least int, and so
// are `div` and `mod` of it: no use of them takes it for a valid cell.
//
// A map whose value is an int gives a field of ints, unless that value is made
// of constants alone, which fit every type.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Numbers/Integers.h"
#include "frontend/Sema/Rules/Numbers.h"

#include "frontend/IRGen/Fields/BodySlice.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <functional>

using namespace pmc;
namespace arith = mlir::arith;

//===----------------------------------------------------------------------===//
// int
//===----------------------------------------------------------------------===//

/// What sums and products of indices and whole constants are, as ints: null if
/// there is anything else in it.
static mlir::Value countIndices(mlir::OpBuilder &builder, mlir::Location at,
                                mlir::Value x) {
  mlir::Operation *op = x.getDefiningOp();
  mlir::FloatAttr number;
  if (llvm::isa_and_nonnull<pm::CoordinateOp>(op))
    return arith::FPToSIOp::create(builder, at, builder.getI64Type(), x);
  if (mlir::matchPattern(x, mlir::m_Constant(&number))) {
    double value = number.getValueAsDouble();
    if (std::floor(value) != value || std::abs(value) > 0x1p53)
      return {};
    return arith::ConstantOp::create(builder, at,
                                     builder.getI64IntegerAttr(int64_t(value)));
  }
  if (!llvm::isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return {};
  mlir::Value a = countIndices(builder, at, op->getOperand(0));
  mlir::Value b = a ? countIndices(builder, at, op->getOperand(1)) : a;
  if (!b)
    return {};
  if (llvm::isa<arith::AddFOp>(op))
    return arith::AddIOp::create(builder, at, a, b);
  if (llvm::isa<arith::SubFOp>(op))
    return arith::SubIOp::create(builder, at, a, b);
  return arith::MulIOp::create(builder, at, a, b);
}

/// ⌊x⌋ of a real number, or the int that is nearest to it; of what is not a
/// number the least one.
static mlir::Value roundDown(mlir::OpBuilder &builder, mlir::Location at,
                             mlir::Value x) {
  mlir::Type i64 = builder.getI64Type();
  if (mlir::Value count = countIndices(builder, at, x))
    return count;
  auto number = [&](double value) {
    return arith::ConstantOp::create(builder, at,
                                     builder.getFloatAttr(x.getType(), value));
  };
  auto least = [&](int64_t value) {
    return arith::ConstantOp::create(builder, at,
                                     builder.getI64IntegerAttr(value));
  };
  if (!x.getDefiningOp<mlir::math::FloorOp>() &&
      !x.getDefiningOp<mlir::math::RoundOp>())
    x = mlir::math::FloorOp::create(builder, at, x);
  mlir::Value isAbove = arith::CmpFOp::create(
      builder, at, arith::CmpFPredicate::OGE, x, number(0x1p63));
  mlir::Value isInside = arith::AndIOp::create(
      builder, at,
      arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OGE, x,
                            number(-0x1p63)),
      arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OLT, x,
                            number(0x1p63)));
  mlir::Value whole = arith::FPToSIOp::create(
      builder, at, i64,
      arith::SelectOp::create(builder, at, isInside, x, number(0)));
  mlir::Value outside = arith::SelectOp::create(
      builder, at, isAbove, least(INT64_MAX), least(INT64_MIN));
  return arith::SelectOp::create(builder, at, isInside, whole, outside);
}

bool pmc::isMadeOfConstants(mlir::Value value) {
  if (value.getDefiningOp<arith::ConstantOp>())
    return true;
  auto both = [&](mlir::Operation *op, unsigned first) {
    return isMadeOfConstants(op->getOperand(first)) &&
           isMadeOfConstants(op->getOperand(first + 1));
  };
  mlir::Operation *op = value.getDefiningOp();
  // Which of two constants it is may depend on anything.
  if (llvm::isa_and_nonnull<arith::SelectOp>(op))
    return both(op, 1);
  return llvm::isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
             op) &&
         both(op, 0);
}

/// Nothing if it is none. An index is one, and sums and products of indices.
std::optional<Value> Generator::asInt(const Value &value, llvm::SMLoc loc) {
  if (auto known = value.getConstInt())
    return Value::integer(*known);
  if (value.isIntLike())
    return value;
  if (!value.isScalar() || !getSSA(value))
    return std::nullopt;
  mlir::Value count = countIndices(builder, getLoc(loc), getSSA(value));
  return count ? std::optional(scalarOf(count)) : std::nullopt;
}

/// `x` is a scalar.
void Generator::requireNumber(mlir::Value x, const Argument &argument) {
  mlir::Location at = getLoc(argument.loc);
  effectsSeen = true;
  mlir::Value isNumber =
      arith::CmpFOp::create(builder, at, arith::CmpFPredicate::ORD, x, x);
  pm::AssertOp::create(builder, at, isNumber,
                       "'int' of what is not a number; finite(x) shows whether "
                       "x is one",
                       mlir::ValueRange{})
      .setFailure(true);
}

Value Generator::callInt(BuiltinCall &call) {
  return lift("'int'", call[0].value, call.loc, [&](Elements v) -> Value {
    const Value &x = v[0];
    mlir::Location at = getLoc(call.loc);
    if (!requireConvertible(rules(), call[0], x))
      return Value::poison();
    if (x.isBoolLike())
      return countOf(x, call.loc);
    if (!requirePure(rules(), "'int'", x, call.loc, call[0].range))
      return Value::poison();
    if (x.is(Value::Kind::Real)) {
      double whole = std::floor(x.getReal());
      if (!requireIntResult(rules(), std::abs(whole) < 0x1p63, call[0]))
        return Value::poison();
      return Value::integer(int64_t(whole)).asElement();
    }
    if (x.is(Value::Kind::Int))
      return x.asElement();
    if (!x.isIntLike()) {
      if (!frame->element)
        requireNumber(getSSA(x), call[0]);
      return scalarOf(roundDown(builder, at, getSSA(x)));
    }
    // Not a constant any more, whatever it is made of.
    return isMadeOfConstants(getSSA(x))
               ? scalarOf(arith::OrIOp::create(builder, at, getSSA(x),
                                               intConstant(0, at)))
               : x;
  });
}

//===----------------------------------------------------------------------===//
// div and mod
//===----------------------------------------------------------------------===//

/// The quotient or the remainder of constants; null if there is none.
static std::optional<int64_t> foldDivision(bool isDiv, int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1 && isDiv))
    return std::nullopt;
  if (b == -1)
    return isDiv ? -a : 0;
  int64_t quotient = a / b, rest = a % b;
  bool isBelow = rest != 0 && (rest < 0) != (b < 0);
  return isDiv ? quotient - isBelow : rest + (isBelow ? b : 0);
}

namespace {

/// Arithmetic of i64.
class IntMath {
public:
  IntMath(mlir::OpBuilder &builder, mlir::Location at)
      : builder(builder), at(at) {}

  mlir::Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, at,
                                     builder.getI64IntegerAttr(value));
  }
  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) {
    return Op::create(builder, at, a, b);
  }
  mlir::Value compare(arith::CmpIPredicate predicate, mlir::Value a,
                      int64_t b) {
    return arith::CmpIOp::create(builder, at, predicate, a, constant(b));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return arith::SelectOp::create(builder, at, condition, a, b);
  }

  /// By a power of two.
  mlir::Value shift(bool isDiv, mlir::Value a, int64_t b, bool isUnsigned) {
    mlir::Value bits = constant(llvm::Log2_64(uint64_t(b)));
    return !isDiv       ? make<arith::AndIOp>(a, constant(b - 1))
           : isUnsigned ? make<arith::ShRUIOp>(a, bits)
                        : make<arith::ShRSIOp>(a, bits);
  }

  mlir::Value divideUnsigned(bool isDiv, mlir::Value a, mlir::Value b) {
    return isDiv ? make<arith::DivUIOp>(a, b) : make<arith::RemUIOp>(a, b);
  }

  /// `b` is neither 0 nor -1.
  mlir::Value divide(bool isDiv, mlir::Value a, mlir::Value b) {
    using I = arith::CmpIPredicate;
    mlir::Value quotient = make<arith::DivSIOp>(a, b);
    mlir::Value rest = make<arith::SubIOp>(a, make<arith::MulIOp>(quotient, b));
    // The signs of the rest and of the divisor differ.
    mlir::Value differ = compare(I::slt, make<arith::XOrIOp>(rest, b), 0);
    mlir::Value isBelow = make<arith::AndIOp>(differ, compare(I::ne, rest, 0));
    return isDiv ? select(isBelow, make<arith::SubIOp>(quotient, constant(1)),
                          quotient)
                 : select(isBelow, make<arith::AddIOp>(rest, b), rest);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location at;
};

} // namespace

/// One division of ints, of which some may be known.
Value Integers::divide(bool isDiv, const Value &a, const Value &b,
                       const Argument &divisor, llvm::SMLoc loc) {
  using I = arith::CmpIPredicate;
  auto known = b.getConstInt();
  if (!requireDivisor(g.rules(), divisor, known))
    return Value::poison();
  if (auto number = a.getConstInt(); number && known) {
    auto folded = foldDivision(isDiv, *number, *known);
    return requireIntResult(g.rules(), folded.has_value(), loc)
               ? Value::integer(*folded)
               : Value::poison();
  }
  mlir::Location at = g.getLoc(loc);
  IntMath math(g.builder, at);
  mlir::Value x = g.materialize(a, g.i64Type, at),
              y = g.materialize(b, g.i64Type, at);
  bool isUnsigned = a.isUnsigned() || b.isUnsigned();
  if (isUnsigned &&
      !requireSameSigns(g.rules(), isDiv ? "'div'" : "'mod'", a, b, loc))
    return Value::poison();
  auto give = [&](mlir::Value result) {
    if (isUnsigned)
      return scalarOf(result).asUnsigned();
    for (mlir::Value operand : {x, y})
      if (mlir::Value least = isLeast(operand, at))
        result = math.select(least, math.constant(INT64_MIN), result);
    return scalarOf(result);
  };
  if (known && *known > 0 && llvm::isPowerOf2_64(uint64_t(*known)))
    return give(math.shift(isDiv, x, *known, isUnsigned));
  if (known && *known != -1)
    return give(isUnsigned ? math.divideUnsigned(isDiv, x, y)
                           : math.divide(isDiv, x, y));
  if (!known) {
    mlir::Value isZero = math.compare(I::eq, y, 0);
    if (!g.checkEach(math.compare(I::ne, y, 0), x, divisor,
                     std::string(isDiv ? "div" : "mod") + " of {:d} by 0"))
      return Value::poison();
    y = math.select(isZero, math.constant(1), y);
  }
  if (isUnsigned)
    return give(math.divideUnsigned(isDiv, x, y));
  // The least int by -1 is itself, as everything is modulo 2^64.
  mlir::Value isMinus = math.compare(I::eq, y, -1);
  mlir::Value other = math.select(isMinus, math.constant(1), y);
  mlir::Value negated =
      isDiv ? math.make<arith::SubIOp>(math.constant(0), x) : math.constant(0);
  return give(math.select(isMinus, negated, math.divide(isDiv, x, other)));
}

Value Generator::callDivision(BuiltinCall &call) {
  bool isDiv = call.info.id == BuiltinId::Div;
  std::string what = ("'" + call.info.name + "'").str();
  return lift(
      what, {call[0].value, call[1].value}, call.loc, [&](Elements v) -> Value {
        std::optional<Value> parts[2];
        for (unsigned i : {0, 1}) {
          if (v[i].isRealNumber() &&
              !requirePure(rules(), what, v[i], call.loc, call[i].range))
            return Value::poison();
          parts[i] = asInt(v[i], call[i].loc);
          if (!requireDivided(rules(), what, call[i], v[i],
                              parts[i].has_value()))
            return Value::poison();
        }
        return Integers(*this).divide(isDiv, *parts[0], *parts[1], call[1],
                                      call.loc);
      });
}

//===----------------------------------------------------------------------===//
// Fields of ints
//===----------------------------------------------------------------------===//

static bool isIntField(const Value &value) {
  return value.isField() && value.isFieldOf(Storage::I64);
}

/// A field of real numbers or ints as one with elements of another type.
Value Generator::inPrecision(const Value &field, mlir::Type type,
                             llvm::SMLoc loc) {
  if (field.isPoison() || lowerField(field).getElementType() == type)
    return field;
  Value made = buildMap(lowerField(field).getDims(), loc, [&] {
    // An f64 that the map reads makes it keep f64 as they are.
    frame->element->wide |= type == f64Type;
    Value number = element(field, loc).withUnit({});
    return scalarOf(materialize(number, type, getLoc(loc)));
  });
  made = made.withUnit(field.getUnit());
  return field.hasAnyUnit() ? made.withAnyUnit() : made;
}

/// With real fields in the place of fields of ints and, if `narrow`, fields in
/// the program's precision in the place of f64 ones.
Value Generator::withReals(const Value &value, llvm::SMLoc loc, bool narrow) {
  auto isOther = [&](const Value &field) {
    return isIntField(field) ||
           (narrow && field.isField() && realType != f64Type &&
            lowerField(field).getElementType() == f64Type);
  };
  if (value.isTuple() || value.isRecord()) {
    if (llvm::none_of(value.getElements(), isOther))
      return value;
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(withReals(part, loc, narrow));
    return value.withElements(std::move(parts));
  }
  return isOther(value) && !frame->element ? inPrecision(value, realType, loc)
                                           : value;
}

//===----------------------------------------------------------------------===//
// Conditions for all elements
//===----------------------------------------------------------------------===//

mlir::Value Integers::largestFailing(mlir::Value holds, mlir::Value shown,
                                     mlir::Location at) {
  ElementState &state = *g.frame->element;
  BodySlice slice({holds, shown}, state, g.builder);
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  g.builder.setInsertionPointToEnd(slice.block.get());
  mlir::Value number =
      arith::SIToFPOp::create(g.builder, at, g.f64Type, slice.get(shown));
  mlir::Value none =
      g.floatConstant(-std::numeric_limits<double>::infinity(), g.f64Type, at);
  mlir::Value yield =
      arith::SelectOp::create(g.builder, at, slice.get(holds), none, number);
  pm::YieldOp::create(g.builder, at, yield);
  g.builder.restoreInsertionPoint(state.outside);
  auto reduce = pm::ReduceOp::create(
      g.builder, at, mlir::TypeRange(g.f64Type), mlir::TypeRange(),
      pm::Reduction::Max, pm::DimsAttr::get(&g.context, state.domain),
      slice.inputs, mlir::ValueRange());
  reduce.getBody().push_back(slice.block.release());
  // What is not stored of a spectrum is not computed either.
  reduce->setAttr("stored", g.builder.getUnitAttr());
  return reduce.getScalars()[0];
}

mlir::Value Integers::orUntaken(mlir::Value holds, mlir::Location at) {
  for (auto [guard, isThen] : g.frame->element->guards) {
    mlir::Value isOff = guard;
    if (isThen)
      isOff =
          arith::XOrIOp::create(g.builder, at, guard, g.boolConstant(true, at));
    holds = arith::OrIOp::create(g.builder, at, isOff, holds);
  }
  return holds;
}

//===----------------------------------------------------------------------===//
// What is not a number
//===----------------------------------------------------------------------===//

/// Whether a value belongs to the element of a map.
static bool isOf(const mlir::Block *body, mlir::BlockArgument value) {
  mlir::Block *block = value.getOwner();
  while (block && block != body) {
    mlir::Operation *op = block->getParentOp();
    block = op ? op->getBlock() : nullptr;
  }
  return block != nullptr;
}

/// Sums, products and extremes take what is not a number along.
mlir::Value Integers::isLeast(mlir::Value value, mlir::Location at) {
  mlir::OpBuilder &builder = g.builder;
  // Cached, because a sum of an int and its quotients uses the int many times.
  llvm::DenseMap<mlir::Value, mlir::Value> known;
  std::function<mlir::Value(mlir::Value)> find;
  auto make = [&](mlir::Value value) -> mlir::Value {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (!g.frame->element ||
          !isOf(g.frame->element->prologue.block, argument))
        return {};
      return arith::CmpIOp::create(
          builder, at, arith::CmpIPredicate::eq, value,
          arith::ConstantOp::create(builder, at,
                                    builder.getI64IntegerAttr(INT64_MIN)));
    }
    mlir::APInt number;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return number.isMinSignedValue() ? g.boolConstant(true, at)
                                       : mlir::Value();
    mlir::Operation *op = value.getDefiningOp();
    if (auto select = llvm::dyn_cast<arith::SelectOp>(op)) {
      mlir::Value a = find(select.getTrueValue());
      mlir::Value b = find(select.getFalseValue());
      if (!a && !b)
        return {};
      return arith::SelectOp::create(builder, at, select.getCondition(),
                                     a ? a : g.boolConstant(false, at),
                                     b ? b : g.boolConstant(false, at));
    }
    if (!llvm::isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::OrIOp,
                   arith::MaxSIOp, arith::MinSIOp>(op))
      return {};
    mlir::Value a = find(op->getOperand(0));
    mlir::Value b = find(op->getOperand(1));
    if (!a || !b || a == b)
      return a ? a : b;
    return arith::OrIOp::create(builder, at, a, b);
  };
  find = [&](mlir::Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    const mlir::Value made = make(value);
    return known[value] = made;
  };
  return find(value);
}

bool Generator::checkEach(mlir::Value holds, mlir::Value shown,
                          const Argument &arg, const std::string &why) {
  mlir::Location at = getLoc(arg.loc);
  effectsSeen = true;
  auto demand = [&](mlir::Value condition, mlir::Value number) {
    pm::AssertOp::create(builder, at, condition, why,
                         mlir::ValueRange{arith::BitcastOp::create(
                             builder, at, f64Type, number)})
        .setFailure(true);
  };
  if (!frame->element) {
    demand(holds, shown);
    return true;
  }
  ElementState &state = *frame->element;
  if (builder.getInsertionBlock() != state.prologue.block) {
    state.wantsFields = true;
    return false;
  }
  Integers ints(*this);
  mlir::Value largest =
      ints.largestFailing(ints.orUntaken(holds, at), shown, at);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(state.outside);
  mlir::Value none =
      floatConstant(-std::numeric_limits<double>::infinity(), f64Type, at);
  mlir::Value fits = arith::CmpFOp::create(
      builder, at, arith::CmpFPredicate::OEQ, largest, none);
  mlir::Value number = arith::FPToSIOp::create(
      builder, at, i64Type,
      arith::SelectOp::create(builder, at, fits, floatConstant(0, f64Type, at),
                              largest));
  demand(fits, number);
  return true;
}
