//===- Guarded.cpp - Products in which zero wins --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Build.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static constexpr StringLiteral guardName = "pm.zero_wins";
static constexpr StringLiteral steepName = "pm.steep";

template <class Op>
static Value buildGuarded(OpBuilder &builder, Location loc, Value a, Value b) {
  auto op = Op::create(builder, loc, a, b);
  op->setAttr(guardName, builder.getUnitAttr());
  return op;
}

Value pmc::passes::buildGuardedProduct(OpBuilder &builder, Location loc,
                                       Value a, Value b) {
  return buildGuarded<arith::MulFOp>(builder, loc, a, b);
}

Value pmc::passes::buildGuardedQuotient(OpBuilder &builder, Location loc,
                                        Value a, Value b) {
  return buildGuarded<arith::DivFOp>(builder, loc, a, b);
}

void pmc::passes::noteSteep(func::FuncOp function) {
  bool isSteep = function
                     .walk([](Operation *op) {
                       return isa<math::SqrtOp, math::PowFOp, math::CbrtOp,
                                  math::AsinOp, math::AcosOp, math::AcoshOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (isSteep)
    function->setAttr(steepName, UnitAttr::get(function.getContext()));
}

void pmc::passes::forgetSteep(func::FuncOp function) {
  function->removeAttr(steepName);
}

bool pmc::passes::isSteep(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(steepName);
}

bool pmc::passes::isGuarded(Operation *op) { return op->hasAttr(guardName); }

void pmc::passes::expandGuarded(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isGuarded(op))
      return;
    op->removeAttr(guardName);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Location loc = op->getLoc();
    Value result = op->getResult(0);
    Value zero = buildConstant(builder, loc, result.getType(), 0);
    Value isZero;
    // What divides does not count, nor does a constant.
    for (Value factor : op->getOperands().take_front(
             isa<arith::MulFOp>(op) ? op->getNumOperands() : 1)) {
      FloatAttr constant;
      if (matchPattern(factor, m_Constant(&constant)) &&
          !constant.getValue().isZero())
        continue;
      Value is = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       factor, zero);
      isZero = isZero ? arith::OrIOp::create(builder, loc, isZero, is) : is;
    }
    if (!isZero)
      return;
    auto guarded = arith::SelectOp::create(builder, loc, isZero, zero, result);
    result.replaceAllUsesExcept(guarded, guarded);
  });
}

//===----------------------------------------------------------------------===//
// Where they are needed
//===----------------------------------------------------------------------===//

bool pmc::passes::leavesOut(Operation *op) {
  if (auto paint = dyn_cast<PaintOp>(op))
    return bool(paint.getWhere());
  if (auto readout = dyn_cast<ReadoutOp>(op))
    return bool(readout.getWhere());
  auto reduce = dyn_cast<ReduceOp>(op);
  return isa<BinsOp>(op) || (reduce && reduce.getKind() != Reduction::Sum);
}

/// As it is for values from outside of the body.
static bool needsGuardsInBody(DomainOpInterface op, const Activity &activity) {
  Activity inner([&](Value value) { return activity.isActive(value); });
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), op.getDomainBody()->getArguments()))
    if (activity.isActive(input))
      inner.seed(argument);
  inner.visit(*op.getDomainBody());
  return llvm::any_of(*op.getDomainBody(), [&](Operation &nested) {
    return needsGuards(&nested, inner);
  });
}

bool pmc::passes::needsGuards(Operation *op, const Activity &activity) {
  auto readsActive = [&](ValueRange values) {
    return llvm::any_of(values,
                        [&](Value value) { return activity.isActive(value); });
  };
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return readsActive({select.getTrueValue(), select.getFalseValue()});
  if (isGuarded(op) ||
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, math::SqrtOp, math::PowFOp, math::AsinOp,
          math::AcosOp, math::AcoshOp>(op))
    return readsActive(op->getOperands());
  if (!activity.reads(op))
    return false;
  if (isa<scf::IfOp>(op) || leavesOut(op))
    return true;
  if (auto domain = dyn_cast<DomainOpInterface>(op))
    return needsGuardsInBody(domain, activity);
  if (isa<TabulateOp, TransformOp>(op)) {
    // Row by row: all that the body reads is taken for active.
    Activity all([](Value) { return true; });
    return llvm::any_of(op->getRegion(0).front(), [&](Operation &nested) {
      return needsGuards(&nested, all);
    });
  }
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return llvm::any_of(region, [&](Block &block) {
      return llvm::any_of(block, [&](Operation &nested) {
        return needsGuards(&nested, activity);
      });
    });
  });
}
