//===- SinkIntoChoices.cpp - What follows from zeros is left out ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The adjoint of a paint reads what belongs to the particles that were painted,
// and takes zeros for the others. Derivatives of positions follow from that,
// all of them zero for most particles: they are computed where the reading is.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_SINKINTOCHOICES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// With fewer, what is yielded costs as much.
static constexpr size_t fewOps = 4;

namespace {

/// What is known of a value if the condition does not hold. A zero may have
/// either sign.
enum class Known : uint8_t { Nothing, Zero, Finite, True, False };

class Sinking {
public:
  explicit Sinking(scf::IfOp choice) : choice(choice) {}

  bool run() {
    Operation *otherwise = choice.elseBlock()->getTerminator();
    for (auto [result, value] :
         llvm::zip_equal(choice.getResults(), otherwise->getOperands())) {
      dependent.insert(result);
      if (matchPattern(value, m_AnyZeroFloat()))
        known[result] = Known::Zero;
    }
    if (known.empty())
      return false;
    follow();
    settle();
    if (group.size() < fewOps)
      return false;
    rebuild();
    return true;
  }

private:
  Known get(Value value) const {
    if (Known found = known.lookup(value); found != Known::Nothing)
      return found;
    FloatAttr constant;
    if (!matchPattern(value, m_Constant(&constant)))
      return Known::Nothing;
    if (constant.getValue().isZero())
      return Known::Zero;
    return constant.getValue().isFinite() ? Known::Finite : Known::Nothing;
  }

  Known fold(Operation &op) const {
    auto is = [&](unsigned i, Known what) {
      return get(op.getOperand(i)) == what;
    };
    auto any = [&](Known what) { return is(0, what) || is(1, what); };
    auto finite = [&](unsigned i) { return is(i, Known::Finite); };
    Known zero = Known::Zero, nothing = Known::Nothing;
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return is(0, zero) && is(1, zero) ? zero : nothing;
    if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
      return get(op.getOperand(0)) == zero ? zero : nothing;
    if (isa<arith::MulFOp>(op))
      return (is(0, zero) && (is(1, zero) || finite(1))) ||
                     (finite(0) && is(1, zero))
                 ? zero
                 : nothing;
    if (isa<arith::DivFOp>(op))
      return is(0, zero) && finite(1) ? zero : nothing;
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return compare.getPredicate() == arith::CmpFPredicate::OEQ &&
                     is(0, zero) && is(1, zero)
                 ? Known::True
                 : nothing;
    if (isa<arith::OrIOp>(op))
      return any(Known::True) ? Known::True : nothing;
    if (isa<arith::AndIOp>(op))
      return any(Known::False) ? Known::False : nothing;
    if (isa<arith::SelectOp>(op)) {
      if (is(0, Known::True))
        return get(op.getOperand(1)) == zero ? zero : nothing;
      return is(1, zero) && is(2, zero) ? zero : nothing;
    }
    return nothing;
  }

  static bool canMove(Operation &op) {
    return op.getNumRegions() == 0 && isPure(&op) && op.getNumResults() == 1;
  }

  /// Finds what depends on the choice, in its block.
  void follow() {
    for (Operation &op : llvm::make_range(std::next(choice->getIterator()),
                                          choice->getBlock()->end())) {
      bool depends =
          op.walk([&](Operation *nested) {
              return llvm::any_of(nested->getOperands(),
                                  [&](Value v) { return dependent.count(v); })
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
      if (!depends)
        continue;
      later.push_back(&op);
      dependent.insert(op.result_begin(), op.result_end());
      if (!canMove(op))
        continue;
      group.insert(&op);
      if (Known found = fold(op); found != Known::Nothing)
        known[op.getResult(0)] = found;
    }
  }

  /// Leaves in the group what is known, or only used there, and needs nothing
  /// from behind the choice.
  void settle() {
    auto isUsedHere = [&](Operation *op) {
      return llvm::all_of(op->getUsers(),
                          [&](Operation *user) { return group.count(user); });
    };
    auto needsLater = [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        Operation *source = operand.getDefiningOp();
        return dependent.count(operand) && source != choice &&
               !group.count(source);
      });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : llvm::reverse(later))
        if (group.count(op) && !known.count(op->getResult(0)) &&
            !isUsedHere(op))
          changed |= group.remove(op);
      for (Operation *op : later)
        if (group.count(op) && needsLater(op))
          changed |= group.remove(op);
    }
  }

  void rebuild() {
    // The operands of the group are defined before the choice.
    Operation *end = group.back()->getNextNode();
    for (Operation *op = choice->getNextNode(); op != end;) {
      Operation *next = op->getNextNode();
      if (!llvm::is_contained(later, op))
        op->moveBefore(choice);
      op = next;
    }
    Operation *then = choice.thenBlock()->getTerminator();
    Operation *others = choice.elseBlock()->getTerminator();
    for (Operation *op : group) {
      op->moveBefore(then);
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get().getDefiningOp() == choice)
          operand.set(then->getOperand(
              cast<OpResult>(operand.get()).getResultNumber()));
    }
    SmallVector<Value> old, yielded, otherwise;
    for (OpResult result : choice.getResults())
      if (!result.use_empty()) {
        old.push_back(result);
        yielded.push_back(then->getOperand(result.getResultNumber()));
        otherwise.push_back(others->getOperand(result.getResultNumber()));
      }
    OpBuilder builder(choice);
    OpBuilder inElse(others);
    for (Operation *op : group) {
      if (llvm::all_of(op->getUsers(),
                       [&](Operation *user) { return group.count(user); }))
        continue;
      Value result = op->getResult(0);
      yielded.push_back(result);
      old.push_back(result);
      Type type = result.getType();
      TypedAttr value = inElse.getZeroAttr(type);
      if (known.lookup(result) == Known::True)
        value = inElse.getIntegerAttr(type, 1);
      otherwise.push_back(
          arith::ConstantOp::create(inElse, choice.getLoc(), value));
    }
    then->setOperands(yielded);
    others->setOperands(otherwise);
    auto made = scf::IfOp::create(builder, choice.getLoc(),
                                  ValueRange(yielded).getTypes(),
                                  choice.getCondition(), /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
    made.getThenRegion().takeBody(choice.getThenRegion());
    made.getElseRegion().takeBody(choice.getElseRegion());
    for (auto [before, after] : llvm::zip_equal(old, made.getResults()))
      before.replaceUsesWithIf(after, [&](OpOperand &use) {
        return !made->isProperAncestor(use.getOwner());
      });
    choice.erase();
  }

  scf::IfOp choice;
  llvm::DenseSet<Value> dependent;
  llvm::DenseMap<Value, Known> known;
  SmallVector<Operation *> later;
  llvm::SetVector<Operation *> group;
};

struct SinkIntoChoices
    : pmc::passes::impl::SinkIntoChoicesBase<SinkIntoChoices> {
  void runOnOperation() override {
    SmallVector<scf::IfOp> choices;
    getOperation().walk([&](InterpolateOp reading) {
      auto choice = dyn_cast<scf::IfOp>(reading->getParentOp());
      if (choice && choice.elseBlock() && !llvm::is_contained(choices, choice))
        choices.push_back(choice);
    });
    for (scf::IfOp choice : choices)
      Sinking(choice).run();
  }
};

} // namespace
