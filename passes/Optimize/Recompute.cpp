//===- Recompute.cpp - Fields computed again behind a loop ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A derivative reads after a loop what was computed before it: the adjoint of
// initial conditions reads fields of these, while the adjoint of the simulation
// in between needs most memory. The pass divides the fields that only live
// across such a loop into those that stay in memory and those that are computed
// again after it. Every field that is computed again follows from fields that
// stay, or that are live during the loop anyway. The set of fields with the
// fewest bytes that makes this true is a minimum cut of the graph of values,
// in which the capacity of a field is its size.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"
#include "dialect/IR/PMChecks.h"
#include "passes/FieldSize.h"
#include "passes/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace pmc::passes {
#define GEN_PASS_DEF_RECOMPUTE
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Smaller fields stay: they are not worth a loop over their elements.
static constexpr int64_t leastBytes = 1 << 16;

static int64_t getFieldBytes(Type type) {
  auto grid = dyn_cast<GridType>(type);
  return grid ? getBytes(grid) : 0;
}

/// The bytes that an op reads and writes, as a measure of its time.
static int64_t getMovedBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    bytes += getFieldBytes(type);
  for (Type type : op->getResultTypes())
    bytes += getFieldBytes(type);
  return bytes;
}

/// The fields that an op reads, as operands or in its region.
static llvm::SetVector<Value> getReadFields(Operation *op) {
  llvm::SetVector<Value> fields;
  op->walk([&](Operation *inside) {
    for (Value operand : inside->getOperands())
      if (isa<GridType>(operand.getType()))
        fields.insert(operand);
  });
  return fields;
}

/// Whether an op has the same results if it is executed again, at the price of
/// reading and writing its fields: transforms, and maps that read no positions.
static bool isCheap(Operation *op) {
  if (isa<FFTOp, IFFTOp>(op))
    return true;
  if (!isa<MapOp>(op) || !isMemoryEffectFree(op))
    return false;
  return !op->walk([](Operation *inside) {
              return isa<InterpolateOp, CellOp>(inside)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

namespace {

/// The cut with the fewest bytes between values that are there and values that
/// are asked for. Every value is an edge from its entry to its exit.
class MinimumCut {
public:
  MinimumCut() : edges(2) {}

  /// A new value. `bytes`: what it takes to keep it.
  unsigned add(int64_t bytes) {
    unsigned entry = addNode(), exit = addNode();
    connect(entry, exit, bytes);
    return entry / 2 - 1;
  }
  void setThere(unsigned value) { connect(source, entryOf(value), unlimited); }
  void setAsked(unsigned value) { connect(exitOf(value), sink, unlimited); }
  void addUse(unsigned operand, unsigned result) {
    connect(exitOf(operand), entryOf(result), unlimited);
  }

  /// Finds the cut. Of those with equally few bytes, it is the last one.
  void run() {
    while (augment()) {
    }
    // From the sink backward along edges that could take more.
    reached.assign(edges.size(), false);
    SmallVector<unsigned> work{sink};
    reached[sink] = true;
    while (!work.empty()) {
      unsigned node = work.pop_back_val();
      for (const Edge &edge : edges[node])
        if (edges[edge.to][edge.back].rest > 0 && !reached[edge.to]) {
          reached[edge.to] = true;
          work.push_back(edge.to);
        }
    }
  }
  /// Whether the value is in the cut, and whether it is behind it.
  bool isKept(unsigned value) const {
    return reached[exitOf(value)] && !reached[entryOf(value)];
  }
  bool isBehind(unsigned value) const { return reached[entryOf(value)]; }

private:
  struct Edge {
    unsigned to;
    unsigned back; ///< index of the opposite edge there
    int64_t rest;  ///< bytes that it can take in addition
  };
  static constexpr unsigned source = 0, sink = 1;
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max() / 4;

  static unsigned entryOf(unsigned value) { return 2 * value + 2; }
  static unsigned exitOf(unsigned value) { return 2 * value + 3; }
  unsigned addNode() {
    edges.emplace_back();
    return edges.size() - 1;
  }
  void connect(unsigned from, unsigned to, int64_t bytes) {
    edges[from].push_back({to, unsigned(edges[to].size()), bytes});
    edges[to].push_back({from, unsigned(edges[from].size() - 1), 0});
  }

  /// Sends what fits along a shortest path (Edmonds & Karp 1972).
  bool augment() {
    SmallVector<std::pair<unsigned, unsigned>> before(edges.size(), {0, 0});
    SmallVector<bool> seen(edges.size(), false);
    SmallVector<unsigned> work{source};
    seen[source] = true;
    for (size_t next = 0; next < work.size() && !seen[sink]; ++next)
      for (auto [i, edge] : llvm::enumerate(edges[work[next]]))
        if (edge.rest > 0 && !seen[edge.to]) {
          seen[edge.to] = true;
          before[edge.to] = {work[next], unsigned(i)};
          work.push_back(edge.to);
        }
    if (!seen[sink])
      return false;
    int64_t fits = unlimited;
    for (unsigned node = sink; node != source; node = before[node].first)
      fits =
          std::min(fits, edges[before[node].first][before[node].second].rest);
    for (unsigned node = sink; node != source; node = before[node].first) {
      Edge &edge = edges[before[node].first][before[node].second];
      edge.rest -= fits;
      edges[edge.to][edge.back].rest += fits;
    }
    return true;
  }

  std::vector<SmallVector<Edge, 4>> edges;
  std::vector<bool> reached;
};

/// The fields that live across one loop.
class Crossing {
public:
  explicit Crossing(scf::ForOp loop) : loop(loop), block(loop->getBlock()) {}

  /// Whether there are fields to compute again, at a price of at most an
  /// iteration of the loop.
  bool find() {
    collect();
    if (crossing.empty())
      return false;
    for (Value value : crossing)
      cut.setAsked(number(value));
    cut.run();
    for (Value value : crossing) {
      if (!cut.isBehind(numbers.lookup(value)))
        continue;
      again.insert(value);
      saved += getFieldBytes(value.getType());
    }
    for (auto [value, index] : numbers)
      if (cut.isKept(index) && !crossing.contains(value) && !livesAnyway(value))
        saved -= getFieldBytes(value.getType());
    if (again.empty() || saved < leastBytes)
      return false;
    int64_t iteration = 0;
    for (Operation &op : *loop.getBody())
      iteration += getMovedBytes(&op);
    return getPrice() <= iteration;
  }

  void apply() {
    remark::passed(
        loop.getLoc(),
        remark::RemarkOpts::name("recompute").category("pm-recompute"))
        << std::to_string(again.size()) +
               " fields are computed again behind this loop, which takes " +
               std::to_string(saved) + " bytes less";
    // In the order of their first readers, directly in front of them.
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
      OpBuilder builder(op);
      op->walk([&](Operation *inside) {
        for (OpOperand &operand : inside->getOpOperands())
          if (again.contains(operand.get()))
            operand.set(make(builder, operand.get()));
      });
    }
  }

private:
  /// The op of the loop's block that contains the op.
  Operation *inBlock(Operation *op) {
    return block->findAncestorOpInBlock(*op);
  }
  bool isBefore(Operation *op) { return op->isBeforeInBlock(loop); }

  /// What the block computes before the loop and reads only after it.
  void collect() {
    for (Operation &op : *block) {
      if (&op == loop)
        break;
      for (Value value : op.getResults())
        if (getFieldBytes(value.getType()) >= leastBytes &&
            isReadAfter(value) && !livesAnyway(value))
          crossing.insert(value);
    }
  }
  bool isReadAfter(Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return loop->isBeforeInBlock(inBlock(user));
    });
  }
  /// Whether the value is in memory during the loop, whatever is computed
  /// again.
  bool livesAnyway(Value value) {
    if (getFieldBytes(value.getType()) == 0 || value.getParentBlock() != block)
      return true;
    // A field that an enclosing loop carries.
    if (isa<BlockArgument>(value))
      return isReadAfter(value);
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return inBlock(user) == loop; });
  }

  unsigned number(Value value) {
    if (auto known = numbers.find(value); known != numbers.end())
      return known->second;
    const bool lives = livesAnyway(value);
    const unsigned made = cut.add(lives ? 0 : getFieldBytes(value.getType()));
    numbers[value] = made;
    Operation *def = value.getDefiningOp();
    if (lives || !def || !isCheap(def)) {
      cut.setThere(made);
      return made;
    }
    for (Value field : getReadFields(def))
      cut.addUse(number(field), made);
    return made;
  }

  int64_t getPrice() {
    llvm::SetVector<Operation *> ops;
    for (Value value : again)
      ops.insert(value.getDefiningOp());
    for (size_t i = 0; i < ops.size(); ++i)
      for (Value field : getReadFields(ops[i]))
        if (isAgain(field))
          ops.insert(field.getDefiningOp());
    int64_t bytes = 0;
    for (Operation *op : ops)
      bytes += getMovedBytes(op);
    return bytes;
  }
  bool isAgain(Value value) {
    auto known = numbers.find(value);
    return known != numbers.end() && cut.isBehind(known->second);
  }

  Value make(OpBuilder &builder, Value value) {
    if (!isAgain(value))
      return value;
    if (Value known = made.lookupOrNull(value))
      return known;
    Operation *def = value.getDefiningOp();
    for (Value field : getReadFields(def))
      make(builder, field);
    builder.clone(*def, made);
    return made.lookup(value);
  }

  scf::ForOp loop;
  Block *block;
  llvm::SetVector<Value> crossing, again;
  int64_t saved = 0; ///< bytes
  MinimumCut cut;
  llvm::MapVector<Value, unsigned> numbers;
  IRMapping made;
};

class RecomputePass : public pmc::passes::impl::RecomputeBase<RecomputePass> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(recomputeName))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      Crossing crossing(loop);
      if (crossing.find())
        crossing.apply();
    }
  }
};

} // namespace
