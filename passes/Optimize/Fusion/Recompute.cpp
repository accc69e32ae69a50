//===- Recompute.cpp - Fields computed again after a loop ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A derivative may read fields after a loop that were computed before the loop.
// For example, the adjoint of initial conditions reads fields that these have
// computed. The adjoint of the simulation runs in between, and needs the most
// memory of the program. This pass considers the fields that are live across
// such a loop, but not read in it. It decides which of them stay in memory, and
// which are computed again after the loop.
//
// A field can be computed again from fields that stay in memory, or that are
// live during the loop anyway. The set of fields with the fewest bytes that
// permits this is a minimum cut of the graph of values, in which the capacity
// of a field is its size.
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

/// Smaller fields stay in memory, because another loop over their elements
/// costs more than it saves.
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

/// Whether an op has the same results if it is executed again, and its cost is
/// about that of reading and writing its fields. This holds for transforms, and
/// for maps that neither interpolate in fields nor read elements at computed
/// indices.
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

/// A minimum cut between available values and required values. In the graph,
/// each value is an edge from its entry to its exit. The capacity of the edge
/// is the number of bytes that are necessary to keep the value.
class MinimumCut {
public:
  MinimumCut() : edges(2) {}

  /// Adds a value and returns its index. `bytes`: the memory that keeps it.
  unsigned add(int64_t bytes) {
    unsigned entry = addNode(), exit = addNode();
    connect(entry, exit, bytes);
    return entry / 2 - 1;
  }
  /// The value is available without being computed again.
  void setThere(unsigned value) { connect(source, entryOf(value), unlimited); }
  /// The value is read after the loop.
  void setAsked(unsigned value) { connect(exitOf(value), sink, unlimited); }
  /// The operand is necessary to compute the result.
  void addUse(unsigned operand, unsigned result) {
    connect(exitOf(operand), entryOf(result), unlimited);
  }

  /// Finds the minimum cut. If several cuts have the same number of bytes, it
  /// is the one nearest to the required values.
  void run() {
    while (augment()) {
    }
    // Mark the nodes from which the sink can be reached along edges with free
    // capacity.
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
  /// Whether the value is in the cut: it stays in memory.
  bool isKept(unsigned value) const {
    return reached[exitOf(value)] && !reached[entryOf(value)];
  }
  /// Whether the value is on the side of the required values: it is computed
  /// again.
  bool isBehind(unsigned value) const { return reached[entryOf(value)]; }

private:
  struct Edge {
    unsigned to;
    unsigned back; ///< index of the opposite edge there
    int64_t rest;  ///< free capacity, in bytes
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

  /// Increases the flow along a shortest path with free capacity (Edmonds &
  /// Karp 1972). Returns false if there is no such path.
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

/// The fields that are live across one loop.
class Crossing {
public:
  explicit Crossing(scf::ForOp loop) : loop(loop), block(loop->getBlock()) {}

  /// Finds the fields to compute again. Returns false if there are none, or if
  /// computing them moves more bytes than one iteration of the loop.
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
    // Insert the ops directly before the first reader of each field, in the
    // order of the readers.
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
  /// Returns the op of the loop's block that contains `op`.
  Operation *inBlock(Operation *op) {
    return block->findAncestorOpInBlock(*op);
  }

  /// Collects the fields that the block computes before the loop and reads only
  /// after it.
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
  /// Whether the value is in memory during the loop, independently of the
  /// fields that are computed again.
  bool livesAnyway(Value value) {
    if (getFieldBytes(value.getType()) == 0 || value.getParentBlock() != block)
      return true;
    // The value is a field that an enclosing loop carries.
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
