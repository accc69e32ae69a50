//===- Demote.cpp - Field arithmetic in the fields' precision -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/PMPrecise.h"
#include "passes/Optimize/Dependence.h"
#include "passes/Optimize/Fusion/DomainRewrite.h"
#include "passes/Passes.h"

#include "mlir/IR/Matchers.h"

namespace pmc::passes {
#define GEN_PASS_DEF_DEMOTE
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Pushes one rounding up through the arithmetic that makes its operand.
class Demotion {
public:
  explicit Demotion(DomainOpInterface op)
      : body(op.getDomainBody()), dependence(op) {}

  void run() {
    SmallVector<arith::TruncFOp> roundings;
    for (auto op : body->getOps<arith::TruncFOp>())
      if (op.getIn().getType().isF64() && op.getType().isF32() &&
          !op->hasAttr(preciseName))
        roundings.push_back(op);
    for (arith::TruncFOp op : roundings) {
      Value narrow = demote(op.getIn());
      if (narrow != op.getResult())
        op.replaceAllUsesWith(narrow);
    }
  }

private:
  /// The value computed in f32, defined where the f64 value is.
  Value demote(Value value) {
    if (Value known = narrow.lookup(value))
      return known;
    Operation *def = value.getDefiningOp();
    Dependence on = dependence.get(value);
    Value made;
    if (def && def->getBlock() == body && !on.isInvariant() &&
        !on.isOneCoordinate() && !on.wide)
      made = demoteOp(def);
    return narrow[value] = made ? made : round(value);
  }

  /// Null if the op is not arithmetic to do in f32.
  Value demoteOp(Operation *def) {
    OpBuilder builder(def);
    auto rebuild = [&](ValueRange operands) {
      OperationState state(def->getLoc(), def->getName(), operands,
                           TypeRange(builder.getF32Type()), def->getAttrs());
      return builder.create(state)->getResult(0);
    };
    if (auto extend = dyn_cast<arith::ExtFOp>(def))
      return extend.getIn().getType().isF32() ? extend.getIn() : Value();
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(def))
      return rebuild(def->getOperands());
    if (auto select = dyn_cast<arith::SelectOp>(def))
      return rebuild({select.getCondition(), demote(select.getTrueValue()),
                      demote(select.getFalseValue())});
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, math::SqrtOp, math::AbsFOp>(
            def))
      return {};
    SmallVector<Value> operands;
    for (Value operand : def->getOperands())
      operands.push_back(demote(operand));
    return rebuild(operands);
  }

  Value round(Value value) {
    OpBuilder builder = OpBuilder::atBlockBegin(body);
    FloatAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return arith::ConstantOp::create(
          builder, value.getLoc(),
          builder.getF32FloatAttr(float(constant.getValueAsDouble())));
    if (Operation *def = value.getDefiningOp(); def && def->getBlock() == body)
      builder.setInsertionPointAfter(def);
    return arith::TruncFOp::create(builder, value.getLoc(),
                                   builder.getF32Type(), value);
  }

  Block *body;
  BodyDependence dependence;
  llvm::DenseMap<Value, Value> narrow;
};

//===----------------------------------------------------------------------===//
// Comparisons of sums of squares with zero
//===----------------------------------------------------------------------===//

/// As far as a few ops show.
bool isNonNegative(Value value, unsigned depth = 6) {
  FloatAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return !constant.getValue().isNegative();
  Operation *def = value.getDefiningOp();
  if (!def || depth == 0)
    return false;
  if (auto product = dyn_cast<arith::MulFOp>(def))
    if (product.getLhs() == product.getRhs())
      return true;
  if (isa<math::AbsFOp, math::SqrtOp>(def))
    return true;
  return isa<arith::AddFOp, arith::MulFOp>(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return isNonNegative(operand, depth - 1);
         });
}

void collectTerms(Value sum, SmallVectorImpl<Value> &terms) {
  if (auto add = sum.getDefiningOp<arith::AddFOp>()) {
    collectTerms(add.getLhs(), terms);
    collectTerms(add.getRhs(), terms);
  } else {
    terms.push_back(sum);
  }
}

bool isZeroTest(Operation *op) {
  auto compare = dyn_cast<arith::CmpFOp>(op);
  if (!compare || !matchPattern(compare.getRhs(), m_AnyZeroFloat()))
    return false;
  return compare.getPredicate() == arith::CmpFPredicate::OEQ ||
         compare.getPredicate() == arith::CmpFPredicate::UNE ||
         compare.getPredicate() == arith::CmpFPredicate::OGT;
}

/// A sum of terms >= 0 is 0 exactly if all of them are, and > 0 or not 0 if one
/// is.
void splitZeroTest(arith::CmpFOp compare, const BodyDependence &dependence) {
  Value sum = compare.getLhs();
  if (!sum.getType().isF64() || dependence.get(sum).isOneCoordinate() ||
      !isNonNegative(sum))
    return;
  // The sum is computed anyway if more than comparisons needs it.
  for (Operation *user : sum.getUsers())
    if (!isZeroTest(user) || user->getOperand(0) != sum)
      return;
  SmallVector<Value> terms;
  collectTerms(sum, terms);
  for (Value term : terms)
    if (!dependence.get(term).isOneCoordinate() &&
        !dependence.get(term).isInvariant())
      return;
  OpBuilder builder(compare);
  Location loc = compare.getLoc();
  bool all = compare.getPredicate() == arith::CmpFPredicate::OEQ;
  Value result;
  for (Value term : terms) {
    Value one = arith::CmpFOp::create(builder, loc, compare.getPredicate(),
                                      term, compare.getRhs());
    if (!result)
      result = one;
    else if (all)
      result = arith::AndIOp::create(builder, loc, result, one);
    else
      result = arith::OrIOp::create(builder, loc, result, one);
  }
  compare.replaceAllUsesWith(result);
  compare.erase();
}

class DemotePass : public pmc::passes::impl::DemoteBase<DemotePass> {
public:
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      // What these store is in the fields' precision; sums are in f64.
      if (!isa<MapOp, ScatterOp>(op))
        return;
      auto domain = cast<DomainOpInterface>(op);
      Demotion(domain).run();
      eraseDeadOps(*domain.getDomainBody());
      BodyDependence dependence(domain);
      SmallVector<arith::CmpFOp> tests;
      for (auto compare : domain.getDomainBody()->getOps<arith::CmpFOp>())
        if (isZeroTest(compare))
          tests.push_back(compare);
      for (arith::CmpFOp compare : tests)
        splitZeroTest(compare, dependence);
      eraseDeadOps(*domain.getDomainBody());
    });
  }
};

} // namespace
