//===- AxisTables.cpp - Once an axis what depends on one coordinate -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Dependence.h"
#include "passes/Optimize/DomainRewrite.h"
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

static Value buildTable(DomainOpInterface op, OpResult value,
                        ArrayRef<Operation *> slice) {
  OpBuilder builder(op);
  Location loc = value.getLoc();
  DimAttr dim = getDim(slice, op.getDomainDims());
  auto type = FieldType::get(op.getContext(), {dim}, value.getType());
  auto map = MapOp::create(builder, loc, TypeRange(type),
                           DimsAttr::get(op.getContext(), {dim}), ValueRange(),
                           ValueRange());
  builder.createBlock(&map.getBody());
  IRMapping mapping;
  for (Operation *inner : slice)
    builder.clone(*inner, mapping);
  YieldOp::create(builder, loc, mapping.lookup(value));
  return map.getResult(0);
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
      for (OpResult value : getCandidates(op)) {
        SmallVector<Operation *> slice = getSlice(value, op.getDomainBody());
        if (isWorthATable(slice))
          tables.push_back({value, buildTable(op, value, slice)});
      }
      for (auto [value, table] : tables)
        value.replaceAllUsesWith(addInput(op, table));
      eraseDeadOps(*op.getDomainBody());
    }
  }
};

} // namespace
