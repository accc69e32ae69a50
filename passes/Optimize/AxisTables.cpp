//===- AxisTables.cpp - Once an axis what depends on one coordinate -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "passes/Optimize/Dependence.h"
#include "passes/Optimize/Fusion/DomainRewrite.h"
#include "passes/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_AXISTABLES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Moves what depends on no element before the op.
static void hoistScalars(DomainOpInterface op) {
  moveLoopInvariantCode(
      {op.getDomainBody()->getParent()},
      [&](Value value, Region *region) {
        return !region->isAncestor(value.getParentRegion());
      },
      [&](Operation *inner, Region *) {
        return isMemoryEffectFree(inner) && isSpeculatable(inner) &&
               !readsFields(inner) &&
               !inner
                    ->walk([](CoordinateOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
      },
      [&](Operation *inner, Region *) { inner->moveBefore(op); });
}

/// The ops of the body that compute the value, in their order.
static SmallVector<Operation *> getSlice(Value value, Block *body) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Operation *> worklist;
  auto require = [&](Value needed) {
    Operation *def = needed.getDefiningOp();
    Operation *top = def ? body->findAncestorOpInBlock(*def) : nullptr;
    if (top && slice.insert(top))
      worklist.push_back(top);
  };
  require(value);
  while (!worklist.empty())
    worklist.pop_back_val()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        require(operand);
    });
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// Whether reading the value costs less than computing it. A coordinate or one
/// operation on it does not.
static bool isWorthATable(ArrayRef<Operation *> slice) {
  unsigned ops = 0;
  for (Operation *op : slice) {
    if (isa<CoordinateOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (op->getNumRegions() > 0 || isa<math::MathDialect>(op->getDialect()) ||
        isa<arith::DivFOp, arith::RemFOp, LookupOp, func::CallOp>(op))
      return true;
    ++ops;
  }
  return ops >= 2;
}

static bool isElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return type.isF32() || type.isF64() || type.isInteger(1) ||
         type.isInteger(64);
}

/// Values of one coordinate that something else than one-coordinate ops uses.
static SmallVector<OpResult> getCandidates(DomainOpInterface op) {
  BodyDependence dependence(op);
  Block *body = op.getDomainBody();
  SmallVector<OpResult> candidates;
  for (Operation &top : body->without_terminator())
    for (OpResult result : top.getResults()) {
      if (!dependence.get(result).isOneCoordinate() ||
          !isElementType(result.getType()))
        continue;
      bool endsHere = llvm::any_of(result.getUsers(), [&](Operation *user) {
        user = body->findAncestorOpInBlock(*user);
        return user->getNumResults() == 0 ||
               !dependence.get(user->getResult(0)).isOneCoordinate();
      });
      if (endsHere)
        candidates.push_back(result);
    }
  return candidates;
}

/// The dim of the one coordinate that the ops use.
static DimAttr getDim(ArrayRef<Operation *> slice, ArrayRef<DimAttr> domain) {
  DimAttr dim;
  for (Operation *op : slice)
    op->walk([&](CoordinateOp coordinate) {
      dim = domain[findDim(domain, coordinate.getDim())];
    });
  return dim;
}

/// Values of one coordinate, which one map computes.
struct AxisValues {
  SmallVector<OpResult> values;
  llvm::SetVector<Operation *> ops;
};

static ResultRange buildTables(DomainOpInterface op, const AxisValues &wanted) {
  SmallVector<Operation *> ordered(wanted.ops.begin(), wanted.ops.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(op);
  Location loc = wanted.values.front().getLoc();
  DimAttr dim = getDim(ordered, op.getDomainDims());
  SmallVector<Type> types =
      llvm::map_to_vector(wanted.values, [&](Value value) {
        return Type(FieldType::get(op.getContext(), {dim}, value.getType()));
      });
  auto map =
      MapOp::create(builder, loc, types, DimsAttr::get(op.getContext(), {dim}),
                    ValueRange(), ValueRange());
  builder.createBlock(&map.getBody());
  IRMapping mapping;
  for (Operation *inner : ordered)
    builder.clone(*inner, mapping);
  YieldOp::create(builder, loc,
                  llvm::map_to_vector(wanted.values, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  return map.getResults();
}

/// The candidates whose table saves time. Lookups along one dim are computed
/// together: two kernels may round a position to different sides
/// of a row, and then the row of one does not fit the weights of the other.
static SmallVector<AxisValues> groupCandidates(DomainOpInterface op) {
  SmallVector<AxisValues> groups;
  llvm::SmallDenseMap<DimAttr, size_t> ofRows;
  for (OpResult value : getCandidates(op)) {
    SmallVector<Operation *> slice = getSlice(value, op.getDomainBody());
    if (!isWorthATable(slice))
      continue;
    size_t group = groups.size();
    if (llvm::any_of(slice, llvm::IsaPred<FindRowOp>))
      group = ofRows.try_emplace(getDim(slice, op.getDomainDims()), group)
                  .first->second;
    if (group == groups.size())
      groups.emplace_back();
    groups[group].values.push_back(value);
    groups[group].ops.insert_range(slice);
  }
  return groups;
}

namespace {

class AxisTablesPass
    : public pmc::passes::impl::AxisTablesBase<AxisTablesPass> {
public:
  void runOnOperation() override {
    SmallVector<DomainOpInterface> ops;
    getOperation().walk([&](DomainOpInterface op) { ops.push_back(op); });
    for (DomainOpInterface op : ops) {
      hoistScalars(op);
      if (op.getDomainDims().size() < 2)
        continue;
      // All tables first: one may begin with what another ends with.
      SmallVector<std::pair<OpResult, Value>> tables;
      for (const AxisValues &group : groupCandidates(op))
        for (auto [value, table] :
             llvm::zip_equal(group.values, buildTables(op, group)))
          tables.push_back({value, table});
      for (auto [value, table] : tables)
        value.replaceAllUsesWith(addInput(op, table));
      eraseDeadOps(*op.getDomainBody());
    }
  }
};

} // namespace
