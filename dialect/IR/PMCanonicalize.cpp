//===- PMCanonicalize.cpp - Effects, folds and canonical forms ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static bool isBuffer(Value value) { return isa<BufferType>(value.getType()); }

bool pmc::pm::hasBuffers(Operation *op) {
  return llvm::any_of(op->getOperands(), isBuffer);
}

void pmc::pm::appendEffectsOfBuffers(
    Operation *op, MutableArrayRef<OpOperand> outs,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!hasBuffers(op))
    return;
  llvm::SmallPtrSet<OpOperand *, 4> written;
  for (OpOperand &out : outs) {
    written.insert(&out);
    effects.emplace_back(MemoryEffects::Write::get(), &out);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isBuffer(operand.get()) && !written.contains(&operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  op->walk([&](Operation *inner) {
    for (OpOperand &field : inner->getOpOperands())
      if (inner != op && isBuffer(field.get()))
        effects.emplace_back(MemoryEffects::Read::get(), &field);
  });
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

Operation *PMDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Along a dim of one element the coordinate is 0, whatever its kind.
OpFoldResult CoordinateOp::fold(FoldAdaptor) {
  auto parent = (*this)->getParentOfType<DomainOpInterface>();
  if (!parent)
    return {};
  int position = findDim(parent.getDomainDims(), getDim());
  if (position < 0 || parent.getDomainDims()[position].getExtent() != 1)
    return {};
  return FloatAttr::get(getType(), 0.0);
}

//===----------------------------------------------------------------------===//
// Domain ops
//===----------------------------------------------------------------------===//

namespace {

/// Inputs that the body does not use, or that are there twice, go.
struct SimplifyInputs : OpInterfaceRewritePattern<DomainOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(DomainOpInterface op,
                                PatternRewriter &rewriter) const override {
    Block *body = op.getDomainBody();
    llvm::BitVector superfluous(body->getNumArguments());
    llvm::SmallDenseMap<Value, BlockArgument> first;
    for (auto [input, argument] :
         llvm::zip(op.getDomainInputs(), body->getArguments())) {
      auto [known, isNew] = first.try_emplace(input, argument);
      if (!isNew && !argument.use_empty())
        rewriter.replaceAllUsesWith(argument, known->second);
    }
    for (BlockArgument argument : body->getArguments())
      superfluous[argument.getArgNumber()] = argument.use_empty();
    if (superfluous.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      MutableOperandRange inputs = op.getDomainInputsMutable();
      for (int i = superfluous.find_last(); i >= 0;
           i = superfluous.find_prev(i))
        inputs.erase(i);
      body->eraseArguments(superfluous);
    });
    return success();
  }
};

/// A result that is an input, unchanged, is that input.
struct ForwardInputs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    Operation *yield = op.getDomainBody()->getTerminator();
    for (auto [result, value] :
         llvm::zip(op.getResults(), yield->getOperands())) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (result.use_empty() || !argument ||
          argument.getOwner() != op.getDomainBody())
        continue;
      Value input = op.getInputs()[argument.getArgNumber()];
      if (input.getType() != result.getType())
        continue;
      rewriter.replaceAllUsesWith(result, input);
      changed = true;
    }
    return success(changed);
  }
};

/// Unused results are not computed, while others are. The body yields
/// `leading` values before those of the results.
template <class Op, unsigned leading>
struct DropUnusedResults : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> kept;
    SmallVector<Type> types;
    Operation *yield = op.getDomainBody()->getTerminator();
    SmallVector<Value> yielded(yield->getOperands().take_front(leading));
    for (auto [result, value] :
         llvm::zip(op.getResults(), yield->getOperands().drop_front(leading))) {
      if (result.use_empty())
        continue;
      kept.push_back(result);
      types.push_back(result.getType());
      yielded.push_back(value);
    }
    if (kept.empty() || kept.size() == op.getResults().size())
      return failure();
    auto made = Op::create(rewriter, op.getLoc(), types, op.getDomainAttr(),
                           op.getInputs(), op.getOuts());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    rewriter.inlineRegionBefore(op.getBody(), made.getBody(),
                                made.getBody().end());
    for (auto [result, replacement] : llvm::zip(kept, made.getResults()))
      rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void MapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  // SimplifyInputs is of the interface, and so of every domain op.
  patterns.add<ForwardInputs, DropUnusedResults<MapOp, 0>>(context);
}

void BinsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropUnusedResults<BinsOp, 1>>(context);
}

void PMDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<SimplifyInputs>(getContext());
}
