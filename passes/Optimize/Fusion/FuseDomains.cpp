//===- FuseDomains.cpp - Loops over one domain become one -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMUpdates.h"
#include "dialect/IR/Forms/PMViews.h"
#include "passes/FieldSize.h"
#include "passes/Optimize/DerivedResults.h"
#include "passes/Optimize/Fusion/DomainRewrite.h"
#include "passes/Optimize/Neighbors.h"
#include "passes/Optimize/Precision/Widening.h"
#include "passes/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace pmc::passes {
#define GEN_PASS_DEF_FUSEDOMAINS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

//===----------------------------------------------------------------------===//
// What reads what
//===----------------------------------------------------------------------===//

/// Whether the use is an input of a domain op, not a value that its body uses.
static bool isElementwise(OpOperand &use) {
  auto op = dyn_cast<DomainOpInterface>(use.getOwner());
  if (!op)
    return false;
  OperandRange inputs = op.getDomainInputs();
  unsigned first = inputs.getBeginOperandIndex();
  return use.getOperandNumber() >= first &&
         use.getOperandNumber() < first + inputs.size();
}

static bool isFieldOfRank(Type type, unsigned rank) {
  auto field = dyn_cast<FieldType>(type);
  return field && field.getRank() >= rank;
}

/// Whether memory for a field is needed while the op runs: then it matters how
/// many fields live across it. Maps are what is fused, and write in place.
static bool needsMemory(Operation &op) {
  if (isa<MapOp>(op))
    return false;
  return op
      .walk([&](Operation *inner) {
        bool makesField = llvm::any_of(inner->getResultTypes(), [](Type type) {
          return isFieldOfRank(type, 2);
        });
        return makesField ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The fields that the map reads, its body's meshes too, each once.
static llvm::SmallSetVector<Value, 8> getFieldsRead(MapOp map) {
  llvm::SmallSetVector<Value, 8> fields;
  map->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<FieldType>(operand.getType()))
        fields.insert(operand);
  });
  return fields;
}

/// An update of a slice that only the program knows costs the slice; what goes
/// through the field, all of it. Two of one slice are one.
static bool areAlike(MapOp a, MapOp b) {
  std::optional<IndexRange> first = getUpdatedRange(a),
                            second = getUpdatedRange(b);
  bool isFirst = first && !first->isConstant();
  bool isSecond = second && !second->isConstant();
  return isFirst == isSecond && (!isFirst || first->join(*second));
}

/// Whether one loop for both would have more operations than code generation
/// handles in linear time. A loop of that size gains nothing from fusion, since
/// its arithmetic takes far longer than the memory traffic that fusion saves.
static bool isTooLarge(DomainOpInterface a, DomainOpInterface b) {
  constexpr size_t most = 2048;
  return a.getDomainBody()->getOperations().size() +
             b.getDomainBody()->getOperations().size() >
         most;
}

/// The field in reduced precision is live: the map that converts it back stays
/// alone.
static bool isWideningMap(Operation *op) {
  auto map = dyn_cast_or_null<MapOp>(op);
  return map && isWidening(map);
}

/// Whether computing it again costs little against reading its input.
static bool isCheap(MapOp map, unsigned mostOps) {
  unsigned ops = 0;
  for (Operation &op : map.getDomainBody()->without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>() ||
        isa<complex::ReOp, complex::ImOp, complex::CreateOp>(op))
      continue;
    if (!isCheapOp(&op) && !isa<NeighborOp>(op))
      return false;
    ++ops;
  }
  return ops <= mostOps;
}

namespace {

//===----------------------------------------------------------------------===//
// Fusion in one block
//===----------------------------------------------------------------------===//

class BlockFusion {
public:
  explicit BlockFusion(Block &block) : block(block) {
    unsigned stretch = 0;
    for (Operation &op : block) {
      stretches[&op] = stretch;
      if (needsMemory(op))
        stretches[&op] = ++stretch;
    }
  }

  unsigned run() {
    for (Operation *op = &block.front(); op;) {
      auto map = dyn_cast<MapOp>(op);
      Operation *next = map ? fuseIntoReader(map) : nullptr;
      if (map && !next)
        next = mergeWithSibling(map);
      op = next ? next : op->getNextNode();
    }
    return fused;
  }

private:
  /// Whether nothing between the two needs memory.
  bool isSameStretch(Operation *a, Operation *b) {
    return stretches.lookup(a) == stretches.lookup(b);
  }

  /// The op of this block that has the use in it; null: in another block.
  Operation *readerOf(OpOperand &use) {
    return block.findAncestorOpInBlock(*use.getOwner());
  }

  Operation *firstReader(MapOp map) {
    Operation *first = nullptr;
    for (OpOperand &use : map->getUses()) {
      Operation *reader = readerOf(use);
      if (!first || reader->isBeforeInBlock(first))
        first = reader;
    }
    return first;
  }

  bool isReadAfter(Value field, Operation *op) {
    return llvm::any_of(field.getUses(), [&](OpOperand &use) {
      Operation *reader = readerOf(use);
      return !reader || op->isBeforeInBlock(reader);
    });
  }

  /// Bytes more that are live between the two if the map is computed at `to`.
  int64_t extraBytes(MapOp map, Operation *to) {
    int64_t bytes = 0;
    for (Value field : getFieldsRead(map)) {
      bool reads = llvm::any_of(
          field.getUses(), [&](OpOperand &use) { return readerOf(use) == to; });
      if (!reads && !isReadAfter(field, to))
        bytes += getBytes(cast<GridType>(field.getType()));
    }
    for (Value result : map.getResults())
      bytes -= getBytes(cast<GridType>(result.getType()));
    return bytes;
  }

  /// The map goes into the first op that reads its results: all others come
  /// later and can read the fused op's. Returns where to go on, null if the map
  /// is still there.
  Operation *fuseIntoReader(MapOp map) {
    auto reader = dyn_cast_or_null<DomainOpInterface>(firstReader(map));
    if (isWidening(map) || isWideningMap(reader))
      return nullptr;
    if (!reader || reader.getDomainDims() != map.getDomainDims())
      return nullptr;
    bool onlyReader = true;
    for (OpOperand &use : map->getUses()) {
      if (readerOf(use) != reader)
        onlyReader = false;
      else if (!isElementwise(use))
        return missed(map, reader, "it reads the field at other elements too");
    }
    auto into = dyn_cast<MapOp>(reader.getOperation());
    if (into && !areAlike(map, into))
      return missed(map, reader, "one of them updates a slice");
    if (!into && !onlyReader)
      return missed(map, reader, "others read the field too");
    if (isTooLarge(map, reader))
      return missed(map, reader, "one loop would have too many operations");
    if (!isSameStretch(map, reader) && extraBytes(map, reader) > 0)
      return missed(map, reader, "more fields would be live in between");
    ++fused;
    if (into)
      return sink(map, into);
    Operation *next = map->getNextNode();
    absorb(map, reader);
    map.erase();
    return next;
  }

  /// Combines the two at the place of the later one.
  Operation *sink(MapOp map, MapOp into) {
    Operation *next = map->getNextNode();
    bool adjacent = next == into;
    MapOp made =
        place(combine(map, into, /*before=*/into), stretches.lookup(into));
    return adjacent ? made.getOperation() : next;
  }

  /// Two maps that read the same field, or the one the other's result, become
  /// one, at the place of either. Returns where to go on, null if none was.
  Operation *mergeWithSibling(MapOp map) {
    if (isWidening(map))
      return nullptr;
    llvm::SmallSetVector<MapOp, 8> siblings;
    auto consider = [&](Value field) {
      for (OpOperand &use : field.getUses()) {
        auto other = dyn_cast<MapOp>(use.getOwner());
        if (other && isElementwise(use) && other->getBlock() == &block &&
            map->isBeforeInBlock(other) && isSameStretch(map, other) &&
            other.getDomainDims() == map.getDomainDims() && !isWidening(other))
          siblings.insert(other);
      }
    };
    for (Value field : map.getInputs())
      consider(field);
    for (Value field : map.getResults())
      consider(field);
    // The nearest one first. Mostly that fits, so the others are not sorted.
    SmallVector<MapOp> nearest = siblings.takeVector();
    auto isFarther = [](MapOp a, MapOp b) { return b->isBeforeInBlock(a); };
    std::make_heap(nearest.begin(), nearest.end(), isFarther);
    while (!nearest.empty()) {
      std::pop_heap(nearest.begin(), nearest.end(), isFarther);
      MapOp other = nearest.pop_back_val();
      if (!keepsMemory(map, other) || !areAlike(map, other) ||
          isTooLarge(map, other))
        continue;
      Operation *reader = firstReader(map);
      if (!reader || other->isBeforeInBlock(reader)) {
        ++fused;
        return sink(map, other);
      }
      if (hoistOperands(other, map)) {
        ++fused;
        return place(combine(map, other, /*before=*/map),
                     stretches.lookup(map));
      }
    }
    return nullptr;
  }

  /// Whether fields live as long as before when the two run at one time: either
  /// the earlier one's result is there anyway when the later one runs, or the
  /// field that both read ends there and frees its memory.
  bool keepsMemory(MapOp map, MapOp other) {
    for (Value result : map.getResults())
      if (isReadAfter(result, other))
        return true;
    return llvm::any_of(map.getInputs(), [&](Value field) {
      return llvm::is_contained(other.getInputs(), field) &&
             !isReadAfter(field, other);
    });
  }

  /// Makes what the op uses available before `to`, moving scalar ops; changes
  /// nothing and returns false if that cannot be.
  bool hoistOperands(MapOp op, MapOp to) {
    llvm::SetVector<Operation *> moved;
    bool legal = true;
    auto require = [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (!def || def == to)
        return;
      Operation *here = block.findAncestorOpInBlock(*def);
      if (!here || here == op || here->isBeforeInBlock(to))
        return;
      if (here != def || def->getNumRegions() > 0 || !isMemoryEffectFree(def) ||
          llvm::any_of(def->getResultTypes(),
                       [](Type type) { return isa<FieldType>(type); }))
        legal = false;
      else
        moved.insert(def);
    };
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands()) {
        if (operand.get().getDefiningOp() == to && !isElementwise(operand))
          legal = false;
        require(operand.get());
      }
    });
    for (size_t i = 0; legal && i < moved.size(); ++i)
      for (Value operand : moved[i]->getOperands())
        if (operand.getDefiningOp() == to)
          legal = false;
        else
          require(operand);
    if (!legal)
      return false;
    SmallVector<Operation *> ordered(moved.begin(), moved.end());
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (Operation *scalar : ordered)
      scalar->moveBefore(to);
    return true;
  }

  MapOp place(MapOp map, unsigned stretch) {
    stretches[map] = stretch;
    remark::passed(map.getLoc(),
                   remark::RemarkOpts::name("fused").category("pm-fuse"))
        << llvm::formatv("one loop, {0} inputs, {1} results",
                         map.getInputs().size(), map.getNumResults())
               .str();
    return map;
  }

  Operation *missed(MapOp map, Operation *reader, StringRef why) {
    remark::missed(map.getLoc(),
                   remark::RemarkOpts::name("not-fused").category("pm-fuse"))
        << ("not fused with " + reader->getName().getStringRef() + ": " + why)
               .str();
    return nullptr;
  }

  Block &block;
  /// Number of ops that need memory before an op, itself included.
  llvm::DenseMap<Operation *, unsigned> stretches;
  unsigned fused = 0;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

class FuseDomainsPass
    : public pmc::passes::impl::FuseDomainsBase<FuseDomainsPass> {
public:
  using Base::Base;
  void runOnOperation() override {
    simplifyAll();
    SmallVector<MapOp> maps;
    getOperation().walk([&](MapOp map) { maps.push_back(map); });
    for (MapOp map : maps)
      mergeResults(map);
    for (MapOp &map : maps)
      if (forwardConstants(map))
        map = nullptr;
    llvm::erase(maps, nullptr);
    unsigned fused = inlineAtNeighbors(getOperation(), neighborOperations);
    for (MapOp map : maps)
      fused += recompute(map);

    SmallVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Block *block) {
      if (isa<DomainOpInterface>(block->getParentOp()))
        return WalkResult::skip();
      blocks.push_back(block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      if (!block->empty())
        fused += BlockFusion(*block).run();
    maps.clear();
    getOperation().walk([&](MapOp map) { maps.push_back(map); });
    for (MapOp map : maps)
      inlineDerivedResults(map, derivedOperations);
    simplifyAll();
    if (fused > 0)
      remark::analysis(getOperation().getLoc(),
                       remark::RemarkOpts::name("loops").category("pm-fuse"))
          << llvm::formatv("{0} loops fused", fused).str();
  }

private:
  /// Loops need not read a constant, whoever else has the field: what begins as
  /// zeros, such as a stack. Whether it is no longer needed.
  static bool forwardConstants(MapOp map) {
    if (!map.getInputs().empty() ||
        llvm::any_of(
            map.getDomainBody()->getTerminator()->getOperands(),
            [](Value value) { return !matchPattern(value, m_Constant()); }))
      return false;
    llvm::SmallSetVector<Operation *, 4> readers;
    for (OpOperand &use : map->getUses())
      if (isElementwise(use))
        readers.insert(use.getOwner());
    for (Operation *reader : readers)
      absorb(map, cast<DomainOpInterface>(reader));
    bool isDone = map->use_empty();
    if (isDone)
      map.erase();
    return isDone;
  }

  /// A cheap map of one field goes into all that read its results, if they all
  /// can take it: its input is live instead of them. Works across broadcasts
  /// and into the regions of loops and branches.
  unsigned recompute(MapOp map) {
    llvm::SmallSetVector<Value, 8> read = getFieldsRead(map);
    if (read.size() > 1 || !isCheap(map, cheapOperations))
      return 0;
    int64_t saved = 0;
    for (Value field : read)
      saved -= getBytes(cast<GridType>(field.getType()));
    for (Value result : map.getResults())
      saved += getBytes(cast<GridType>(result.getType()));
    if (saved < 0)
      return 0;
    // Among more dims a finer or coarser one might be taken for another.
    bool hasViews = llvm::any_of(
        map.getDomainBody()->getOps<NeighborOp>(), [](NeighborOp read) {
          ArrayRef<DimAttr> dims =
              cast<GridType>(read.getField().getType()).getDims();
          for (size_t d = 0; d < dims.size(); ++d)
            if (!read.getView(d).isSame())
              return true;
          return false;
        });
    llvm::SmallSetVector<Operation *, 4> readers;
    for (OpOperand &use : map->getUses()) {
      if (isWideningMap(use.getOwner()))
        return 0;
      if (isElementwise(use) &&
          !(hasViews &&
            cast<DomainOpInterface>(use.getOwner()).getDomainDims() !=
                map.getDomainDims()))
        readers.insert(use.getOwner());
      else if (!isWidening(map)) // that one is repeated for the others
        return 0;
    }
    for (Operation *reader : readers)
      absorb(map, cast<DomainOpInterface>(reader));
    if (map->use_empty())
      map.erase();
    return readers.size();
  }

  /// Results that are one value are one field, as adjoints of sums have them.
  static void mergeResults(MapOp map) {
    llvm::SmallDenseMap<Value, Value> first;
    Operation *yield = map.getDomainBody()->getTerminator();
    for (auto [result, value] :
         llvm::zip(map.getResults(), yield->getOperands())) {
      auto [known, isNew] = first.try_emplace(value, result);
      if (!isNew)
        result.replaceAllUsesWith(known->second);
    }
  }

  void simplifyAll() {
    SmallVector<DomainOpInterface> ops;
    getOperation().walk([&](DomainOpInterface op) { ops.push_back(op); });
    // Readers first: an input that goes may be a result that goes.
    for (DomainOpInterface op : llvm::reverse(ops))
      simplify(op);
  }
};

} // namespace
