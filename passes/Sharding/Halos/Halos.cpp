//===- Halos.cpp - How far a domain's positions go ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Halos/Halos.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// What of a body computes positions: its own ops, and those in the branches
/// that lead to them.
class PositionSlice {
public:
  PositionSlice(Block *body, ArrayRef<Value> offsets)
      : offsets(offsets), blocks({body}) {}

  LogicalResult collect(Operation *reader) {
    if (failed(findBranches(reader)))
      return failure();
    SmallVector<Value> open(offsets);
    for (scf::IfOp branch : branches)
      open.push_back(branch.getCondition());
    used.insert(open.begin(), open.end());
    while (!open.empty()) {
      Operation *op = getOp(open.pop_back_val());
      if (!op || !ops.insert(op).second)
        continue;
      op->walk([&](Operation *inner) {
        llvm::append_range(open, inner->getOperands());
        used.insert(inner->operand_begin(), inner->operand_end());
      });
    }
    return success();
  }

  bool uses(Value value) const { return used.contains(value); }
  bool isBranched() const { return !branches.empty(); }

  /// The offsets, computed anew; and last, if they are computed in branches,
  /// whether the particle gets there.
  SmallVector<Value> clone(OpBuilder &builder, IRMapping &mapping,
                           size_t level = 0) const {
    for (Operation &op : *blocks[level])
      if (ops.contains(&op))
        builder.clone(op, mapping);
    if (level < branches.size() && computesBelow(level))
      return cloneBranch(builder, mapping, level);
    SmallVector<Value> cloned = llvm::map_to_vector(
        offsets, [&](Value offset) { return mapping.lookupOrDefault(offset); });
    if (isBranched())
      cloned.push_back(cloneConditions(builder, mapping, level));
    return cloned;
  }

private:
  /// The branches between the body and the reader; within a loop above which
  /// all offsets are computed, those around the loop.
  LogicalResult findBranches(Operation *reader) {
    SmallVector<Block *> chain;
    for (Block *block = reader->getBlock(); block != blocks.front();
         block = block->getParentOp()->getBlock())
      chain.push_back(block);
    auto isNeeded = [&](Block *block) {
      return llvm::any_of(offsets, [&](Value offset) {
        return offset.getParentBlock() == block;
      });
    };
    const auto *needed = llvm::find_if(chain, isNeeded);
    const auto *begin = chain.begin();
    for (const auto *block = chain.begin(); block != needed; ++block)
      if (!isa<scf::IfOp>((*block)->getParentOp()))
        begin = block + 1;
    chain.erase(chain.begin(), begin);
    for (Block *block : llvm::reverse(chain)) {
      auto branch = dyn_cast<scf::IfOp>(block->getParentOp());
      if (!branch)
        return failure();
      branches.push_back(branch);
      blocks.push_back(block);
    }
    return success();
  }

  /// The op around the value's definition in one of the blocks; null for what
  /// is outside of the body, or an argument.
  Operation *getOp(Value value) const {
    Operation *op = value.getDefiningOp();
    while (op && !llvm::is_contained(blocks, op->getBlock()))
      op = op->getParentOp();
    return op;
  }

  bool computesBelow(size_t level) const {
    return llvm::any_of(ops, [&](Operation *op) {
      return llvm::is_contained(ArrayRef(blocks).drop_front(level + 1),
                                op->getBlock());
    });
  }

  /// Whether the particle gets to the reader from there on: the form that
  /// `where` has, so that a paint and its adjoint measure one displacement
  /// bound.
  Value cloneConditions(OpBuilder &builder, IRMapping &mapping,
                        size_t level) const {
    Location loc = offsets.front().getLoc();
    Value all;
    for (; level < branches.size(); ++level) {
      scf::IfOp branch = branches[level];
      Value one = mapping.lookupOrDefault(branch.getCondition());
      if (blocks[level + 1] != branch.thenBlock())
        one = arith::XOrIOp::create(
            builder, loc, one,
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      all =
          all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
    }
    return all ? all
               : arith::ConstantOp::create(builder, loc,
                                           builder.getBoolAttr(true));
  }

  SmallVector<Value> cloneBranch(OpBuilder &builder, IRMapping &mapping,
                                 size_t level) const {
    scf::IfOp branch = branches[level];
    Location loc = branch.getLoc();
    SmallVector<Type> types(ValueRange(offsets).getTypes());
    types.push_back(builder.getI1Type());
    auto made = scf::IfOp::create(
        builder, loc, types, mapping.lookupOrDefault(branch.getCondition()),
        true, true);
    bool isThen = blocks[level + 1] == branch.thenBlock();
    OpBuilder there = isThen ? made.getThenBodyBuilder(builder.getListener())
                             : made.getElseBodyBuilder(builder.getListener());
    scf::YieldOp::create(there, loc, clone(there, mapping, level + 1));
    OpBuilder elsewhere = isThen
                              ? made.getElseBodyBuilder(builder.getListener())
                              : made.getThenBodyBuilder(builder.getListener());
    SmallVector<Value> zeros = llvm::map_to_vector(types, [&](Type type) {
      return Value(arith::ConstantOp::create(elsewhere, loc,
                                             elsewhere.getZeroAttr(type)));
    });
    scf::YieldOp::create(elsewhere, loc, zeros);
    return SmallVector<Value>(made.getResults());
  }

  ArrayRef<Value> offsets;
  SmallVector<Block *> blocks;
  SmallVector<scf::IfOp> branches;
  llvm::SmallPtrSet<Operation *, 16> ops;
  llvm::SmallDenseSet<Value> used;
};

} // namespace

/// Whether `here`, in the body of `op`, is what `there` is in the body of the
/// map, of which the op may read results.
static bool isSame(DomainOpInterface op, Value here, MapOp map, Value there) {
  auto argument = dyn_cast<BlockArgument>(here);
  if (argument && argument.getOwner() == op.getDomainBody()) {
    Value input = op.getDomainInputs()[argument.getArgNumber()];
    if (input.getDefiningOp() == map)
      return there == map.getDomainBody()->getTerminator()->getOperand(
                          cast<OpResult>(input).getResultNumber());
    auto other = dyn_cast<BlockArgument>(there);
    return other && other.getOwner() == map.getDomainBody() &&
           input == map.getInputs()[other.getArgNumber()];
  }
  Operation *made = here.getDefiningOp(), *known = there.getDefiningOp();
  if (here == there || !made || !known ||
      made->getBlock() != op.getDomainBody())
    return here == there;
  auto isSameOperand = [&](Value a, Value b) {
    return success(isSame(op, a, map, b));
  };
  return cast<OpResult>(here).getResultNumber() ==
             cast<OpResult>(there).getResultNumber() &&
         OperationEquivalence::isEquivalentTo(
             made, known, isSameOperand, /*markEquivalent=*/nullptr,
             OperationEquivalence::IgnoreLocations);
}

/// The displacement bound of a reading at the same positions, in a map that has
/// kept them for this op, as adjoints want them.
static Value findDisplacementBound(DomainOpInterface op,
                                   const Positions &positions) {
  auto isSameReading = [&](MapOp map, InterpolateOp reading) {
    auto mesh = cast<GridType>(reading.getMeshes().front().getType());
    // All particles read, or those that count here.
    Block *body = map.getDomainBody();
    if (reading->getBlock() != body) {
      auto branch = dyn_cast<scf::IfOp>(reading->getParentOp());
      if (!branch || branch->getBlock() != body ||
          reading->getBlock() != branch.thenBlock() || !positions.selection ||
          !isSame(op, positions.selection, map, branch.getCondition()))
        return false;
    }
    return !reading.getHalos().empty() &&
           reading.getWindow() == positions.window &&
           reading.getFree() == positions.isFree &&
           mesh.getDims() == positions.mesh &&
           llvm::equal(positions.offsets, reading.getOffsets(),
                       [&](Value here, Value there) {
                         return isSame(op, here, map, there);
                       });
  };
  for (Value input : op.getDomainInputs()) {
    auto map = input.getDefiningOp<MapOp>();
    if (!map || map.getDomain().getDims() != op.getDomainDims())
      continue;
    InterpolateOp found;
    map.getDomainBody()->walk([&](InterpolateOp reading) {
      if (!isSameReading(map, reading))
        return WalkResult::advance();
      found = reading;
      return WalkResult::interrupt();
    });
    if (found) {
      Value bound =
          found.getHalos().front().getDefiningOp<HaloExchangeOp>().getBound();
      auto widened = bound.getDefiningOp<WidenDisplacementBoundOp>();
      return widened ? widened.getInput() : bound;
    }
  }
  return {};
}

FailureOr<Value>
pmc::passes::buildDisplacementBound(OpBuilder &builder, DomainOpInterface op,
                                    const Positions &positions) {
  if (Value known = findDisplacementBound(op, positions))
    return known;
  Block *body = op.getDomainBody();
  SmallVector<Value> wanted(positions.offsets);
  if (positions.selection)
    wanted.push_back(positions.selection);
  PositionSlice slice(body, wanted);
  if (failed(slice.collect(positions.reader)))
    return positions.reader->emitError(
        "cannot tell before how far these positions go into other ranks' "
        "cells: they are computed in a loop for each element; expected fields "
        "of positions, computed before");
  SmallVector<Value> inputs;
  SmallVector<BlockArgument> arguments;
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), body->getArguments()))
    if (slice.uses(argument)) {
      inputs.push_back(input);
      arguments.push_back(argument);
    }

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  MLIRContext *context = op->getContext();
  auto bound = DisplacementBoundOp::create(
      builder, op->getLoc(), positions.window,
      DimsAttr::get(context, op.getDomainDims()),
      DimsAttr::get(context, positions.mesh), positions.isFree, inputs);
  builder.createBlock(&bound.getBody());
  IRMapping mapping;
  for (BlockArgument argument : arguments)
    mapping.map(argument, bound.getBody().addArgument(argument.getType(),
                                                      argument.getLoc()));
  YieldOp::create(builder, op->getLoc(), slice.clone(builder, mapping));
  return bound.getBound();
}

Value pmc::passes::widen(
    OpBuilder &builder, Location loc, Value bound, ArrayRef<DimAttr> mesh,
    llvm::function_ref<std::pair<int64_t, int64_t>(size_t)> more) {
  SmallVector<int64_t> below(mesh.size(), 0), above(mesh.size(), 0);
  for (auto [d, dim] : llvm::enumerate(mesh))
    if (!dim.getAxes().empty())
      std::tie(below[d], above[d]) = more(d);
  return WidenDisplacementBoundOp::create(builder, loc, bound, below, above);
}
