//===- Scalars.cpp - Rules for numbers ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op on real numbers is its partial derivatives. Where these can be infinite
// (sqrt at 0, 1/x at 0), a zero tangent or cotangent stays zero; so does a
// cotangent behind a choice, whatever the partial derivative: what a select
// does not take adds nothing.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/PMPrecise.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

#include <numbers>

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

//===----------------------------------------------------------------------===//
// Partial derivatives
//===----------------------------------------------------------------------===//

/// Arithmetic at one place.
struct Calculator {
  OpBuilder &builder;
  Location loc;

  template <class Op> Value get(Value a) { return Op::create(builder, loc, a); }
  template <class Op> Value get(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  Value add(Value a, Value b) { return get<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return get<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return get<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return get<arith::DivFOp>(a, b); }
  Value neg(Value a) { return get<arith::NegFOp>(a); }
  Value constant(Value like, double value) {
    return buildConstant(builder, loc, like.getType(), value);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value notLess(Value a, Value b) {
    return compare(arith::CmpFPredicate::OGE, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
};

/// A partial derivative: what it makes of a tangent or a cotangent.
struct Partial {
  enum class Kind : uint8_t {
    Zero,
    One,
    MinusOne,
    Times,
    Over,    ///< 1/operand
    Where,   ///< 1 where the operand holds, and 0 elsewhere
    Nowhere, ///< 0 where the operand holds, and 1 elsewhere
    Sign     ///< 1 where the operand holds, and -1 elsewhere
  };
  Kind kind;
  Value operand = {};
  /// Whether it can be infinite, so that zero times it has to be seen to.
  bool canBeInfinite = false;

  /// The product with `value`; null if that is zero.
  Value apply(Calculator at, Value value, bool isGuarded = false) const {
    bool guards = canBeInfinite || isGuarded;
    switch (kind) {
    case Kind::Zero:
      return {};
    case Kind::One:
      return value;
    case Kind::MinusOne:
      return at.neg(value);
    case Kind::Times:
      return guards && !isFinite()
                 ? buildGuardedProduct(at.builder, at.loc, value, operand)
                 : at.mul(value, operand);
    case Kind::Over:
      return guards && !isFinite()
                 ? buildGuardedQuotient(at.builder, at.loc, value, operand)
                 : at.div(value, operand);
    case Kind::Where:
      return at.select(operand, value, at.constant(value, 0));
    case Kind::Nowhere:
      return at.select(operand, at.constant(value, 0), value);
    case Kind::Sign:
      return at.select(operand, value, at.neg(value));
    }
    llvm_unreachable("these are all kinds");
  }

private:
  /// Whether the product with any number but an infinite one is finite, and
  /// that with an infinite one is not undefined.
  bool isFinite() const {
    FloatAttr constant;
    return matchPattern(operand, m_Constant(&constant)) &&
           constant.getValue().isFinite() && !constant.getValue().isZero();
  }
};

Partial times(Value factor) { return {Partial::Kind::Times, factor}; }
Partial timesInfinite(Value factor) {
  return {Partial::Kind::Times, factor, true};
}
Partial over(Value divisor) { return {Partial::Kind::Over, divisor, true}; }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Partial getPartial(arith::AddFOp, unsigned, Calculator) {
  return {Partial::Kind::One};
}

Partial getPartial(arith::SubFOp, unsigned i, Calculator) {
  return {i == 0 ? Partial::Kind::One : Partial::Kind::MinusOne};
}

Partial getPartial(arith::NegFOp, unsigned, Calculator) {
  return {Partial::Kind::MinusOne};
}

Partial getPartial(arith::MulFOp op, unsigned i, Calculator) {
  Value other = op->getOperand(1 - i);
  return isGuarded(op) ? timesInfinite(other) : times(other);
}

Partial getPartial(arith::DivFOp op, unsigned i, Calculator at) {
  if (i == 0)
    return over(op.getRhs());
  Value ratio = isGuarded(op)
                    ? buildGuardedQuotient(at.builder, at.loc, op.getResult(),
                                           op.getRhs())
                    : at.div(op.getResult(), op.getRhs());
  return timesInfinite(at.neg(ratio));
}

/// x - n y, n whole.
Partial getPartial(arith::RemFOp op, unsigned i, Calculator at) {
  if (i == 0)
    return {Partial::Kind::One};
  return timesInfinite(
      at.div(at.sub(op.getResult(), op.getLhs()), op.getRhs()));
}

/// Of two equal numbers the first one counts.
Partial getPartialOfExtreme(Operation *op, unsigned i, bool isMax,
                            Calculator at) {
  Value isFirst =
      at.compare(isMax ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::OLE,
                 op->getOperand(0), op->getOperand(1));
  return {i == 0 ? Partial::Kind::Where : Partial::Kind::Nowhere, isFirst};
}

Partial getPartial(arith::MaximumFOp op, unsigned i, Calculator at) {
  return getPartialOfExtreme(op, i, /*isMax=*/true, at);
}
Partial getPartial(arith::MaxNumFOp op, unsigned i, Calculator at) {
  return getPartialOfExtreme(op, i, /*isMax=*/true, at);
}
Partial getPartial(arith::MinimumFOp op, unsigned i, Calculator at) {
  return getPartialOfExtreme(op, i, /*isMax=*/false, at);
}
Partial getPartial(arith::MinNumFOp op, unsigned i, Calculator at) {
  return getPartialOfExtreme(op, i, /*isMax=*/false, at);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The right-hand derivative at 0.
Partial getPartial(math::AbsFOp op, unsigned, Calculator at) {
  return {Partial::Kind::Sign,
          at.notLess(op.getOperand(), at.constant(op.getOperand(), 0))};
}

/// 1 where the result has the sign of the first operand, else -1.
Partial getPartial(math::CopySignOp op, unsigned i, Calculator at) {
  if (i == 1)
    return {Partial::Kind::Zero};
  return {Partial::Kind::Sign,
          at.compare(arith::CmpFPredicate::OEQ, op.getResult(), op.getLhs())};
}

Partial getPartial(math::FloorOp, unsigned, Calculator) {
  return {Partial::Kind::Zero};
}
Partial getPartial(math::RoundOp, unsigned, Calculator) {
  return {Partial::Kind::Zero};
}

/// Straight through: that of its operand.
Partial getPartial(math::RoundEvenOp, unsigned, Calculator) {
  return {Partial::Kind::One};
}

Partial getPartial(math::SqrtOp op, unsigned, Calculator at) {
  return over(at.add(op.getResult(), op.getResult()));
}

Partial getPartial(math::ExpOp op, unsigned, Calculator) {
  return times(op.getResult());
}

Partial getPartial(math::LogOp op, unsigned, Calculator) {
  return over(op.getOperand());
}

Partial getPartial(math::SinOp op, unsigned, Calculator at) {
  return times(at.get<math::CosOp>(op.getOperand()));
}

Partial getPartial(math::CosOp op, unsigned, Calculator at) {
  return times(at.neg(at.get<math::SinOp>(op.getOperand())));
}

Partial getPartial(math::TanOp op, unsigned, Calculator at) {
  Value y = op.getResult();
  return times(at.add(at.constant(y, 1), at.mul(y, y)));
}

Partial getPartial(math::TanhOp op, unsigned, Calculator at) {
  Value y = op.getResult();
  return times(at.sub(at.constant(y, 1), at.mul(y, y)));
}

Partial getPartial(math::SinhOp op, unsigned, Calculator at) {
  return times(at.get<math::CoshOp>(op.getOperand()));
}

Partial getPartial(math::CoshOp op, unsigned, Calculator at) {
  return times(at.get<math::SinhOp>(op.getOperand()));
}

Partial getPartial(math::AtanOp op, unsigned, Calculator at) {
  Value x = op.getOperand();
  return {Partial::Kind::Over, at.add(at.constant(x, 1), at.mul(x, x))};
}

/// The angle of (x, y), the first operand being y.
Partial getPartial(math::Atan2Op op, unsigned i, Calculator at) {
  Value y = op.getLhs(), x = op.getRhs();
  Value norm = at.add(at.mul(x, x), at.mul(y, y));
  return timesInfinite(at.div(i == 0 ? x : at.neg(y), norm));
}

/// scale * exp(-x^2).
Value buildGauss(Calculator at, Value x, double scale) {
  Value gauss = at.get<math::ExpOp>(at.neg(at.mul(x, x)));
  return at.mul(at.constant(x, scale), gauss);
}

Partial getPartial(math::ErfOp op, unsigned, Calculator at) {
  return times(buildGauss(at, op.getOperand(), 2 * std::numbers::inv_sqrtpi));
}

Partial getPartial(math::ErfcOp op, unsigned, Calculator at) {
  return times(buildGauss(at, op.getOperand(), -2 * std::numbers::inv_sqrtpi));
}

Partial getPartial(math::Log10Op op, unsigned, Calculator at) {
  Value x = op.getOperand();
  return over(at.mul(x, at.constant(x, std::numbers::ln10)));
}

Partial getPartial(math::Log1pOp op, unsigned, Calculator at) {
  Value x = op.getOperand();
  return over(at.add(at.constant(x, 1), x));
}

/// The result + 1 would lose digits where the result is near -1.
Partial getPartial(math::ExpM1Op op, unsigned, Calculator at) {
  return times(at.get<math::ExpOp>(op.getOperand()));
}

/// (1 - x) (1 + x), which keeps its digits where |x| is near 1.
Value buildOneLessSquare(Calculator at, Value x) {
  Value one = at.constant(x, 1);
  return at.mul(at.sub(one, x), at.add(one, x));
}

Partial getPartial(math::AsinOp op, unsigned, Calculator at) {
  return over(at.get<math::SqrtOp>(buildOneLessSquare(at, op.getOperand())));
}

Partial getPartial(math::AcosOp op, unsigned, Calculator at) {
  return over(
      at.neg(at.get<math::SqrtOp>(buildOneLessSquare(at, op.getOperand()))));
}

Partial getPartial(math::AtanhOp op, unsigned, Calculator at) {
  return over(buildOneLessSquare(at, op.getOperand()));
}

Partial getPartial(math::AsinhOp op, unsigned, Calculator at) {
  Value x = op.getOperand();
  Value square = at.add(at.constant(x, 1), at.mul(x, x));
  return {Partial::Kind::Over, at.get<math::SqrtOp>(square)};
}

Partial getPartial(math::AcoshOp op, unsigned, Calculator at) {
  Value x = op.getOperand(), one = at.constant(x, 1);
  Value below = at.get<math::SqrtOp>(at.sub(x, one));
  return over(at.mul(below, at.get<math::SqrtOp>(at.add(x, one))));
}

/// y x^(y-1), and x^y ln x.
Partial getPartial(math::PowFOp op, unsigned i, Calculator at) {
  Value x = op.getLhs(), y = op.getRhs();
  if (i == 1)
    return timesInfinite(buildGuardedProduct(at.builder, at.loc, op.getResult(),
                                             at.get<math::LogOp>(x)));
  Value less = at.sub(y, at.constant(y, 1));
  return timesInfinite(at.mul(y, at.get<math::PowFOp>(x, less)));
}

template <class Op>
struct RealModel : DifferentiableOpInterface::ExternalModel<RealModel<Op>, Op> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Calculator at{builder, op->getLoc()};
    // A finite number may have an infinite tangent, and be multiplied with 0.
    bool isGuarded = isa<arith::MulFOp>(op) && isSteep(op);
    Value sum;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (Value tangent = tangents.get(operand))
        sum = buildSum(
            builder, op->getLoc(), sum,
            getPartial(cast<Op>(op), i, at).apply(at, tangent, isGuarded));
    if (sum)
      tangents.set(op->getResult(0), sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Calculator at{builder, op->getLoc()};
    Value cotangent = cotangents.get(op->getResult(0));
    bool isGuarded = asReverse(cotangents).isGuarded(op->getResult(0));
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      if (!cotangents.needs(operand))
        continue;
      if (Value product =
              getPartial(cast<Op>(op), i, at).apply(at, cotangent, isGuarded))
        cotangents.add(builder, operand, product);
    }
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Precision, choice
//===----------------------------------------------------------------------===//

template <class Op>
struct CastModel : DifferentiableOpInterface::ExternalModel<CastModel<Op>, Op> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Value result = op->getResult(0);
    tangents.set(result, cast(builder, op, tangents.get(op->getOperand(0)),
                              result.getType()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Value operand = op->getOperand(0);
    cotangents.add(
        builder, operand,
        cast(builder, op, cotangents.get(op->getResult(0)), operand.getType()));
    return success();
  }

private:
  /// Derivatives of `precise { … }` are computed in f64, too.
  static Value cast(OpBuilder &builder, Operation *op, Value value, Type type) {
    Value made = buildCast(builder, op->getLoc(), value, type);
    if (op->hasAttr(preciseName) && made != value)
      made.getDefiningOp()->setAttr(preciseName, builder.getUnitAttr());
    return made;
  }
};

struct SelectModel
    : DifferentiableOpInterface::ExternalModel<SelectModel, arith::SelectOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto select = cast<arith::SelectOp>(op);
    Value branches[2] = {select.getTrueValue(), select.getFalseValue()};
    for (Value &value : branches)
      value = orZero(builder, op->getLoc(), tangents.get(value), value);
    tangents.set(select.getResult(),
                 arith::SelectOp::create(builder, op->getLoc(),
                                         select.getCondition(), branches[0],
                                         branches[1]));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto select = cast<arith::SelectOp>(op);
    Value cotangent = cotangents.get(select.getResult());
    Value zero = buildZeroOf(builder, op->getLoc(), select.getResult());
    auto add = [&](Value branch, Value ifTrue, Value ifFalse) {
      if (cotangents.needs(branch))
        cotangents.add(builder, branch,
                       arith::SelectOp::create(builder, op->getLoc(),
                                               select.getCondition(), ifTrue,
                                               ifFalse));
    };
    add(select.getTrueValue(), cotangent, zero);
    add(select.getFalseValue(), zero, cotangent);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Complex numbers: two real ones
//===----------------------------------------------------------------------===//

struct CreateModel
    : DifferentiableOpInterface::ExternalModel<CreateModel, complex::CreateOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Value parts[2];
    for (bool imaginary : {false, true}) {
      Value part = op->getOperand(imaginary);
      parts[imaginary] =
          orZero(builder, op->getLoc(), tangents.get(part), part);
    }
    tangents.set(op->getResult(0),
                 complex::CreateOp::create(builder, op->getLoc(),
                                           op->getResult(0).getType(), parts[0],
                                           parts[1]));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Value cotangent = cotangents.get(op->getResult(0));
    for (bool imaginary : {false, true})
      if (cotangents.needs(op->getOperand(imaginary)))
        cotangents.add(builder, op->getOperand(imaginary),
                       buildPart(builder, op->getLoc(), cotangent, imaginary));
    return success();
  }
};

template <class Op>
struct PartModel : DifferentiableOpInterface::ExternalModel<PartModel<Op>, Op> {
  static constexpr bool isImaginary = std::is_same_v<Op, complex::ImOp>;

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    tangents.set(op->getResult(0),
                 buildPart(builder, op->getLoc(),
                           tangents.get(op->getOperand(0)), isImaginary));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Value number = op->getOperand(0);
    Value part = cotangents.get(op->getResult(0));
    Value zero = buildZero(builder, op->getLoc(), part.getType());
    cotangents.add(builder, number,
                   complex::CreateOp::create(
                       builder, op->getLoc(), number.getType(),
                       isImaginary ? zero : part, isImaginary ? part : zero));
    return success();
  }
};

template <template <class> class Model, class... Ops>
void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

} // namespace

void pmc::passes::registerScalarDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<RealModel, arith::AddFOp, arith::SubFOp, arith::NegFOp,
           arith::MulFOp, arith::DivFOp, arith::RemFOp, arith::MaximumFOp,
           arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp>(context);
    attach<CastModel, arith::ExtFOp, arith::TruncFOp>(context);
    arith::SelectOp::attachInterface<SelectModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<RealModel, math::AbsFOp, math::FloorOp, math::RoundOp,
           math::RoundEvenOp, math::SqrtOp, math::ExpOp, math::LogOp,
           math::SinOp, math::CosOp, math::TanOp, math::TanhOp, math::SinhOp,
           math::CoshOp, math::AtanOp, math::Atan2Op, math::ErfOp, math::ErfcOp,
           math::Log10Op, math::Log1pOp, math::ExpM1Op, math::CopySignOp,
           math::AsinOp, math::AcosOp, math::AsinhOp, math::AcoshOp,
           math::AtanhOp, math::PowFOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, complex::ComplexDialect *) {
    complex::CreateOp::attachInterface<CreateModel>(*context);
    attach<PartModel, complex::ReOp, complex::ImOp>(context);
  });
}
