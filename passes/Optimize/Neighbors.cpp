//===- Neighbors.cpp - What is read at neighbors, computed there ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Neighbors.h"

#include "dialect/IR/Forms/PMViews.h"
#include "passes/Optimize/Fusion/DomainRewrite.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<complex::ReOp, complex::ImOp, complex::CreateOp>(op);
}

std::optional<NeighborRead> pmc::passes::getNeighborRead(Operation *op) {
  auto read = dyn_cast<NeighborOp>(op);
  if (!read)
    return std::nullopt;
  ArrayRef<int64_t> offsets = read.getOffsets();
  bool isPeriodic = true;
  for (size_t d = 0; d < offsets.size(); ++d)
    isPeriodic &= offsets[d] == 0 || read.getEdge(d) == Edge::Periodic;
  return NeighborRead{read.getField(), offsets, isPeriodic};
}

bool pmc::passes::isCheapOp(Operation *op) {
  return isFree(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          !isa<arith::DivFOp, arith::RemFOp>(op) && op->getNumRegions() == 0);
}

namespace {

/// How a map computes one of its results.
class Recipe {
public:
  Recipe(MapOp map, Value yielded) : map(map), yielded(yielded) {}

  /// False if it is not a cheap function of one element.
  bool find() {
    llvm::SmallPtrSet<Value, 8> reads;
    llvm::SmallPtrSet<Operation *, 8> found;
    SmallVector<Value> open{yielded};
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (auto argument = dyn_cast<BlockArgument>(value);
          argument && argument.getOwner() == map.getDomainBody())
        reads.insert(value);
      else if (!op || op->getBlock() != map.getDomainBody() ||
               !found.insert(op).second)
        continue;
      else if (isa<NeighborOp>(op))
        reads.insert(value);
      else if (!isCheapOp(op))
        return false;
      else
        llvm::append_range(open, op->getOperands());
    }
    if (reads.size() != 1)
      return false;
    read = *reads.begin();
    for (Operation &op : *map.getDomainBody())
      if (found.contains(&op) && !isa<NeighborOp>(op))
        ops.push_back(&op);
    ArrayRef<DimAttr> field = cast<GridType>(getField().getType()).getDims();
    return field.size() == map.getDomainDims().size() &&
           llvm::all_of(llvm::enumerate(field), [&](auto item) {
             return View::find(map.getDomainDims(), item.value()) ==
                    int(item.index());
           });
  }

  unsigned countOperations() const {
    return llvm::count_if(ops, [](Operation *op) { return !isFree(op); });
  }

  Value getField() {
    if (auto argument = dyn_cast<BlockArgument>(read))
      return map.getInputs()[argument.getArgNumber()];
    return read.getDefiningOp<NeighborOp>().getField();
  }

  /// Where it reads itself, relative to the element; null: at the element.
  NeighborOp getReading() { return read.getDefiningOp<NeighborOp>(); }

  /// Whether it is 0 where the element is.
  bool keepsZero() const { return keepsZero(yielded); }

  Value build(OpBuilder &builder, Value element) const {
    IRMapping mapping;
    mapping.map(read, element);
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    return mapping.lookup(yielded);
  }

private:
  bool keepsZero(Value value) const {
    if (value == read)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !llvm::is_contained(ops, op))
      return false;
    // Not products with numbers from outside: they may be infinite.
    if (isa<arith::MulFOp>(op)) {
      FloatAttr factor;
      auto isFinite = [&](Value other) {
        return matchPattern(other, m_Constant(&factor)) &&
               factor.getValue().isFinite();
      };
      return (keepsZero(op->getOperand(0)) && isFinite(op->getOperand(1))) ||
             (keepsZero(op->getOperand(1)) && isFinite(op->getOperand(0)));
    }
    return isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::ExtFOp,
               arith::TruncFOp, complex::ReOp, complex::ImOp,
               complex::CreateOp>(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return keepsZero(operand); });
  }

  MapOp map;
  Value yielded, read;
  SmallVector<Operation *> ops;
};

/// A neighbor of a neighbor is one, where it does not matter which edge is
/// met first.
struct ReadPosition {
  SmallVector<int64_t> offsets;
  SmallVector<Edge> edges;

  static ReadPosition get(NeighborOp read) {
    ReadPosition place;
    for (auto [d, offset] : llvm::enumerate(read.getOffsets())) {
      place.offsets.push_back(offset);
      place.edges.push_back(read.getEdge(d));
    }
    return place;
  }

  /// `inner`, a reading by the elements of `dims`, is read at this place.
  bool add(NeighborOp inner, ArrayRef<View> outer, ArrayRef<DimAttr> dims) {
    ArrayRef<DimAttr> field =
        cast<GridType>(inner.getField().getType()).getDims();
    for (auto [d, steps] : llvm::enumerate(inner.getOffsets())) {
      int64_t &offset = offsets[d];
      Edge edge = inner.getEdge(d);
      View own(field[d], dims[d]);
      if (!own.isSame() && !outer[d].isSame())
        return false;
      // A coarser field ends before the finer one, and is mirrored elsewhere.
      if (own.getStep() > 1 && offset != 0 && edges[d] != Edge::Periodic &&
          edges[d] != Edge::Zero)
        return false;
      int64_t share = outer[d].getShare();
      if (share > 1 && steps != 0 && (edge == Edge::Reflect || offset != 0))
        return false;
      int64_t cells = std::max(own.getCells(), outer[d].getCells());
      int64_t more = steps * share;
      offset *= own.getStep();
      if (more == 0)
        continue;
      if (offset == 0) {
        offset = more;
        edges[d] = edge;
      } else if (edges[d] != edge) {
        return false;
      } else if (edge == Edge::Periodic) {
        offset = (offset + more) % cells;
      } else if ((edge == Edge::Zero || edge == Edge::Clamp) &&
                 (offset > 0) == (more > 0)) {
        int64_t most = edge == Edge::Zero ? cells : cells - 1;
        offset = std::clamp(offset + more, -most, most);
      } else {
        return false;
      }
    }
    return true;
  }

  bool hasZeros() const {
    return llvm::any_of(llvm::zip(offsets, edges), [](auto pair) {
      return std::get<0>(pair) != 0 && std::get<1>(pair) == Edge::Zero;
    });
  }
};

} // namespace

/// What is read there is computed there. Returns the op that reads now, null if
/// it is still the same.
static NeighborOp inlineAt(NeighborOp read, unsigned mostOperations) {
  auto result = dyn_cast<OpResult>(read.getField());
  auto map = result ? dyn_cast<MapOp>(result.getOwner()) : MapOp();
  if (!map)
    return {};
  Recipe recipe(map, map.getDomainBody()->getTerminator()->getOperand(
                         result.getResultNumber()));
  if (!recipe.find())
    return {};
  size_t readers = llvm::count_if(
      result.getUsers(), [](Operation *user) { return isa<NeighborOp>(user); });
  if (recipe.countOperations() * readers > mostOperations)
    return {};
  ReadPosition place = ReadPosition::get(read);
  if (place.hasZeros() && !recipe.keepsZero())
    return {};
  SmallVector<View> views;
  for (size_t d = 0; d < place.offsets.size(); ++d)
    views.push_back(read.getView(d));
  if (NeighborOp inner = recipe.getReading();
      inner && !place.add(inner, views, map.getDomainDims()))
    return {};
  OpBuilder builder(read);
  auto made = NeighborOp::create(builder, read.getLoc(), recipe.getField(),
                                 place.offsets,
                                 getEdges(read.getContext(), place.edges));
  read.replaceAllUsesWith(recipe.build(builder, made));
  read.erase();
  return made;
}

unsigned pmc::passes::inlineAtNeighbors(Operation *function,
                                        unsigned mostOperations) {
  unsigned count = 0;
  SmallVector<NeighborOp> open;
  function->walk([&](NeighborOp read) { open.push_back(read); });
  while (!open.empty()) {
    NeighborOp read = open.pop_back_val();
    auto op = cast<DomainOpInterface>(read->getParentOp());
    bool isSame =
        llvm::all_of(llvm::enumerate(read.getOffsets()), [&](auto item) {
          return item.value() == 0 && read.getView(item.index()).isSame();
        });
    if (isSame) {
      read.replaceAllUsesWith(addInput(op, read.getField()));
      read.erase();
    } else if (NeighborOp now = inlineAt(read, mostOperations)) {
      ++count;
      open.push_back(now);
    }
  }
  return count;
}
