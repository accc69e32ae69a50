//===- Halos.cpp - How far a domain's positions reach ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Halos.h"

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

  /// The offsets, computed anew.
  SmallVector<Value> clone(OpBuilder &builder, IRMapping &mapping,
                           size_t level = 0) const {
    for (Operation &op : *blocks[level])
      if (ops.contains(&op))
        builder.clone(op, mapping);
    if (level < branches.size())
      return cloneBranch(builder, mapping, level);
    return llvm::map_to_vector(
        offsets, [&](Value offset) { return mapping.lookupOrDefault(offset); });
  }

private:
  /// The branches between the body and where the last offset is computed.
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
    while (!chain.empty() && !isNeeded(chain.front()))
      chain.erase(chain.begin());
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

  /// Particles that do not get there stay where they are on the lattice.
  SmallVector<Value> cloneBranch(OpBuilder &builder, IRMapping &mapping,
                                 size_t level) const {
    scf::IfOp branch = branches[level];
    Location loc = branch.getLoc();
    auto made = scf::IfOp::create(
        builder, loc, ValueRange(offsets).getTypes(),
        mapping.lookupOrDefault(branch.getCondition()), true, true);
    bool isThen = blocks[level + 1] == branch.thenBlock();
    OpBuilder there = isThen ? made.getThenBodyBuilder(builder.getListener())
                             : made.getElseBodyBuilder(builder.getListener());
    scf::YieldOp::create(there, loc, clone(there, mapping, level + 1));
    OpBuilder elsewhere = isThen
                              ? made.getElseBodyBuilder(builder.getListener())
                              : made.getThenBodyBuilder(builder.getListener());
    SmallVector<Value> zeros = llvm::map_to_vector(offsets, [&](Value offset) {
      return Value(arith::ConstantOp::create(
          elsewhere, loc, elsewhere.getZeroAttr(offset.getType())));
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

/// The reach of a reading at the same positions, in a map that has kept them
/// for this op, as adjoints want them.
static Value findReach(DomainOpInterface op, const Positions &positions) {
  auto isSameReading = [&](MapOp map, InterpolateOp reading) {
    auto mesh = cast<GridType>(reading.getMeshes().front().getType());
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
    for (auto reading : map.getDomainBody()->getOps<InterpolateOp>())
      if (isSameReading(map, reading))
        return reading.getHalos()
            .front()
            .getDefiningOp<HaloExchangeOp>()
            .getReach();
  }
  return {};
}

FailureOr<Value> pmc::passes::buildReach(OpBuilder &builder,
                                         DomainOpInterface op,
                                         const Positions &positions) {
  if (Value known = findReach(op, positions))
    return known;
  Block *body = op.getDomainBody();
  PositionSlice slice(body, positions.offsets);
  bool isKnown = succeeded(slice.collect(positions.reader));
  if (!isKnown || (positions.isFree && slice.isBranched()))
    return positions.reader->emitError(
               "cannot tell before how far these positions reach into other "
               "ranks' cells: they are computed in a ")
           << (isKnown ? "branch" : "loop")
           << " for each element; expected fields of positions, computed "
              "before";
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
  auto reach = ReachOp::create(builder, op->getLoc(), positions.window,
                               DimsAttr::get(context, op.getDomainDims()),
                               DimsAttr::get(context, positions.mesh),
                               positions.isFree, inputs);
  builder.createBlock(&reach.getBody());
  IRMapping mapping;
  for (BlockArgument argument : arguments)
    mapping.map(argument, reach.getBody().addArgument(argument.getType(),
                                                      argument.getLoc()));
  YieldOp::create(builder, op->getLoc(), slice.clone(builder, mapping));
  return reach.getReach();
}
