//===- EliminateCommon.cpp - One op in place of equal ones ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own pass takes no account of regions when it hashes an op. Maps that
// read neighbors differ in their regions only, so that it compares each with
// all others: its time grows with the square of their number.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/EliminateCommon.h"
#include "passes/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/ScopedHashTable.h"

namespace pmc::passes {
#define GEN_PASS_DEF_ELIMINATECOMMON
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::passes;

namespace {

/// An op with its hash, which is expensive.
struct Hashed {
  Operation *op;
  unsigned hash;
};

struct HashedInfo {
  using OfOps = llvm::DenseMapInfo<Operation *>;
  static Hashed getEmptyKey() { return {OfOps::getEmptyKey(), 0}; }
  static Hashed getTombstoneKey() { return {OfOps::getTombstoneKey(), 0}; }
  static unsigned getHashValue(Hashed key) { return key.hash; }
  static bool isEqual(Hashed a, Hashed b) {
    auto isMarker = [](Operation *op) {
      return op == OfOps::getEmptyKey() || op == OfOps::getTombstoneKey();
    };
    if (a.op == b.op || a.hash != b.hash || isMarker(a.op) || isMarker(b.op))
      return a.op == b.op;
    return OperationEquivalence::isEquivalentTo(
        a.op, b.op, OperationEquivalence::IgnoreLocations);
  }
};

/// Hashes an op together with the ops in its regions. Values that are defined
/// inside are hashed by their position, because equal regions define different
/// values.
class Hashing {
public:
  llvm::hash_code add(Operation *op) {
    llvm::hash_code hash = OperationEquivalence::computeHash(
        op,
        [&](Value value) {
          auto inside = positions.find(value);
          return inside == positions.end() ? hash_value(value)
                                           : llvm::hash_value(inside->second);
        },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        number(block.getArguments());
        for (Operation &inner : block) {
          hash = llvm::hash_combine(hash, add(&inner));
          number(inner.getResults());
        }
      }
    return hash;
  }

private:
  void number(ValueRange values) {
    for (Value value : values)
      positions.try_emplace(value, unsigned(positions.size()));
  }

  llvm::SmallDenseMap<Value, unsigned> positions;
};

class Elimination {
public:
  void run(Operation *root) {
    for (Region &region : root->getRegions()) {
      Elimination inside; // knows nothing from outside
      inside.enter(region);
    }
  }

private:
  using Table = llvm::ScopedHashTable<Hashed, Operation *, HashedInfo>;

  void enter(Region &region) {
    for (Block &block : region) {
      Table::ScopeTy scope(known);
      for (Operation &op : llvm::make_early_inc_range(block))
        visit(&op);
    }
  }

  void visit(Operation *op) {
    if (isOpTriviallyDead(op))
      return op->erase();
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      run(op);
    else
      for (Region &region : op->getRegions())
        enter(region);
    if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
      return;
    const Hashed key{op, unsigned(size_t(Hashing().add(op)))};
    if (Operation *equal = known.lookup(key)) {
      op->replaceAllUsesWith(equal);
      op->erase();
    } else {
      known.insert(key, op);
    }
  }

  Table known;
};

class EliminateCommonPass
    : public pmc::passes::impl::EliminateCommonBase<EliminateCommonPass> {
public:
  void runOnOperation() override { eliminateCommon(getOperation()); }
};

} // namespace

void pmc::passes::eliminateCommon(Operation *root) { Elimination().run(root); }
