//===- Prefetch.cpp - Prefetching of the samples of a loop ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind each reading of samples in a loop the runtime is told which one comes
// next: the next in this iteration, and behind the last, the first of the next
// iteration. Its number is what the loop would compute then, made of numbers
// that are known now; where it needs more, nothing is prefetched.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"
#include "passes/FieldSize.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/MapVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_PREFETCH
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// What is computed twice is the numbers of a batch, not a field.
static constexpr int64_t mostBytes = 1 << 20;
static constexpr unsigned mostOps = 256;

static bool isSmall(Type type) {
  auto grid = dyn_cast<GridType>(type);
  return !grid || getBytes(grid) <= mostBytes;
}

/// Whether a divisor of 0 is replaced.
static bool isNotZero(Value divisor) {
  APInt number;
  if (matchPattern(divisor, m_ConstantInt(&number)))
    return !number.isZero() && !number.isAllOnes();
  auto choice = divisor.getDefiningOp<arith::SelectOp>();
  if (!choice || !isNotZero(choice.getTrueValue()))
    return false;
  auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
  bool isOfZero = compare &&
                  compare.getPredicate() == arith::CmpIPredicate::eq &&
                  compare.getLhs() == choice.getFalseValue() &&
                  matchPattern(compare.getRhs(), m_Zero());
  return isOfZero || isNotZero(choice.getFalseValue());
}

namespace {

/// Values of an iteration of a loop, at a place in the one before it, or at
/// another place of the same.
class Foreseen {
public:
  Foreseen(Operation *loop, OpBuilder &builder)
      : loop(loop), builder(builder), dominance(loop) {}

  /// As the next iteration has it; null if that is not known.
  Value next(Value value) {
    if (!isInside(value))
      return value;
    auto [known, isNew] = later.try_emplace(value);
    if (!isNew)
      return known->second;
    Value made = isa<BlockArgument>(value)
                     ? nextArgument(cast<BlockArgument>(value))
                     : clone(cast<OpResult>(value),
                             [&](Value part) { return next(part); });
    later[value] = made;
    return made;
  }

  /// As this iteration will have it.
  Value now(Value value) {
    if (!isInside(value) || isa<BlockArgument>(value) ||
        dominance.properlyDominates(value.getDefiningOp(), getPlace()))
      return isInside(value) && !isInBody(value) ? Value() : value;
    auto [known, isNew] = soon.try_emplace(value);
    if (!isNew)
      return known->second;
    Value made =
        clone(cast<OpResult>(value), [&](Value part) { return now(part); });
    soon[value] = made;
    return made;
  }

private:
  Operation *getPlace() const { return &*builder.getInsertionPoint(); }
  bool isInside(Value value) const {
    return loop->isProperAncestor(value.getParentBlock()->getParentOp()) ||
           value.getParentBlock()->getParentOp() == loop;
  }
  bool isInBody(Value value) const {
    return value.getParentBlock() == builder.getInsertionBlock();
  }

  Value nextArgument(BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    if (auto counted = dyn_cast<scf::ForOp>(loop)) {
      if (argument.getOwner() != counted.getBody())
        return {};
      if (argument == counted.getInductionVar())
        return arith::AddIOp::create(builder, loop->getLoc(), argument,
                                     counted.getStep());
      auto yield = cast<scf::YieldOp>(counted.getBody()->getTerminator());
      return now(yield.getOperand(number - 1));
    }
    auto open = cast<scf::WhileOp>(loop);
    if (argument.getOwner() == open.getAfterBody())
      return next(open.getConditionOp().getArgs()[number]);
    if (argument.getOwner() == open.getBeforeBody())
      return now(open.getYieldOp().getOperand(number));
    return {};
  }

  /// Whether it may run for an iteration that never comes.
  static bool isSafe(Operation *op) {
    if (isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op))
      return isNotZero(op->getOperand(1));
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        if (!isSafe(&inner))
          return false;
    return op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() > 0 ||
           isSpeculatable(op);
  }

  Value clone(OpResult value, llvm::function_ref<Value(Value)> get) {
    Operation *op = value.getOwner();
    if (++ops > mostOps || !isMemoryEffectFree(op) || isa<SamplesOp>(op) ||
        !isSafe(op) || !llvm::all_of(op->getOperandTypes(), isSmall) ||
        !llvm::all_of(op->getResultTypes(), isSmall))
      return {};
    llvm::SetVector<Value> parts(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), parts);
    IRMapping mapping;
    for (Value part : parts) {
      Value made = get(part);
      if (!made)
        return {};
      mapping.map(part, made);
    }
    return builder.clone(*op, mapping)->getResult(value.getResultNumber());
  }

  Operation *loop;
  OpBuilder &builder;
  DominanceInfo dominance;
  DenseMap<Value, Value> later, soon;
  unsigned ops = 0;
};

class PrefetchPass : public pmc::passes::impl::PrefetchBase<PrefetchPass> {
public:
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation().walk([&](LoopLikeOpInterface loop) {
      if (isa<scf::ForOp, scf::WhileOp>(loop))
        loops.push_back(loop);
    });
    for (Operation *loop : loops) {
      Block *body = isa<scf::ForOp>(loop)
                        ? cast<scf::ForOp>(loop).getBody()
                        : cast<scf::WhileOp>(loop).getAfterBody();
      llvm::MapVector<StringRef, SmallVector<SamplesOp>> readings;
      for (auto samples : body->getOps<SamplesOp>())
        readings[samples.getName()].push_back(samples);
      for (auto &[stream, ops] : readings)
        for (size_t i = 0; i < ops.size(); ++i)
          foresee(loop, ops[i], i + 1 < ops.size() ? ops[i + 1] : SamplesOp(),
                  ops[0]);
    }
  }

private:
  static void foresee(Operation *loop, SamplesOp here, SamplesOp behind,
                      SamplesOp first) {
    OpBuilder builder(here.getContext());
    builder.setInsertionPointAfter(here);
    Foreseen values(loop, builder);
    Value index =
        behind ? values.now(behind.getIndex()) : values.next(first.getIndex());
    if (index) {
      PrefetchSamplesOp::create(builder, here.getLoc(), here.getName(), index);
      return;
    }
    remark::missed(here.getLoc(),
                   remark::RemarkOpts::name("late").category("pm-prefetch"))
        << "which samples come next is not known before they are needed";
  }
};

} // namespace
