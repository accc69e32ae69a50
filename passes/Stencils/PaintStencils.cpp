//===- PaintStencils.cpp - Stencils are computed where particles paint ----===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adjoint of a reading of differences paints one mesh for each component,
// and adds up transposed differences of them. Blocks of particles paint in
// copies of the cells that they touch. A linear map of few neighbors costs
// little there, and one mesh gets its result in the place of several.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/Stencils/StencilCells.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/FormatVariadic.h"

namespace pmc::passes {
#define GEN_PASS_DEF_PAINTSTENCILS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// Fields that blocks paint together.
constexpr size_t mostFields = 8;

/// Whether each result is a sum of what the map reads, each times a number that
/// is the same for all elements.
bool isLinear(MapOp map) {
  Block *body = map.getDomainBody();
  llvm::SmallDenseSet<Value> linear(body->args_begin(), body->args_end());
  auto isLinear = [&](Value value) { return linear.contains(value); };
  for (Operation &op : body->without_terminator()) {
    size_t count = llvm::count_if(op.getOperands(), isLinear);
    if (getNeighborRead(&op))
      linear.insert(op.getResult(0));
    else if (count == 0)
      continue; // of numbers
    else if (isa<arith::AddFOp, arith::SubFOp, arith::NegFOp>(op)
                 ? count == op.getNumOperands()
                 : isa<arith::MulFOp>(op) && count == 1)
      linear.insert(op.getResult(0));
    else if (isa<arith::DivFOp>(op) && count == 1 && isLinear(op.getOperand(0)))
      linear.insert(op.getResult(0));
    else
      return false;
  }
  return llvm::all_of(body->getTerminator()->getOperands(), isLinear);
}

/// Whether code generation paints in copies of boxes of cells, one weight a
/// mesh.
bool paintsInCopies(ScatterOp paint, int64_t leastElements) {
  auto isZero = [](int64_t order) { return order == 0; };
  return !paint.getFree() && !paint.getWords() && !paint.isComputed() &&
         !paint.getSelection() &&
         (!paint.getOrders() || llvm::all_of(*paint.getOrders(), isZero)) &&
         paint.getYieldedWeights().size() == paint.getNumMeshes() &&
         paint.getNumMeshes() <= mostFields &&
         fitsBlocks(paint.getWindow(), paint.getDomainDims(),
                    paint.getMeshType(), leastElements, CellSchedule::Blocks);
}

/// The paint of all that the map reads, if the map can move into it.
ScatterOp findPaint(MapOp map, int64_t leastElements) {
  if (!isStencil(map) || !isLinear(map) || countTaps(map) > mostTaps)
    return {};
  ScatterOp paint;
  auto isPainted = [&](Value field) {
    auto found = field.getDefiningOp<ScatterOp>();
    if (!found || (paint && paint != found))
      return false;
    paint = found;
    return true;
  };
  for (Value input : map.getInputs())
    if (!isPainted(input))
      return {};
  for (Operation &op : *map.getDomainBody())
    if (auto read = getNeighborRead(&op); read && !isPainted(read->field))
      return {};
  // Each mesh of the result takes the place of one that is painted.
  if (!paint || paint->getBlock() != map->getBlock() ||
      map.getResults().size() > paint.getNumMeshes() ||
      !paintsInCopies(paint, leastElements))
    return {};
  // A field that others read is in memory anyway.
  bool isOnlyReader = llvm::all_of(paint->getUsers(), [&](Operation *user) {
    return map->isAncestor(user);
  });
  return isOnlyReader ? paint : ScatterOp();
}

void moveInto(ScatterOp paint, MapOp map) {
  OpBuilder builder(map);
  auto made = ScatterOp::create(
      builder, builder.getFusedLoc({paint.getLoc(), map.getLoc()}),
      map.getResultTypes(), paint.getWindow(), paint.getDomainAttr(),
      /*free=*/false, DenseI64ArrayAttr(), paint.getInputs(), ValueRange());
  made->setDiscardableAttrs(paint->getDiscardableAttrDictionary());
  made.getBody().takeBody(paint.getBody());
  StencilCell cell(builder, builder.createBlock(&made.getCell()));
  cell.add(map);
  SmallVector<Value> yields;
  for (Value result : map.getResults())
    yields.push_back(cell.lookup(result));
  YieldOp::create(builder, map.getLoc(), yields);
  made.setTaps(cell.getNumbers(
      [](Value source) { return cast<OpResult>(source).getResultNumber(); }));
  map->replaceAllUsesWith(made.getResults());
  map.erase();
  paint.erase();
}

class PaintStencilsPass
    : public pmc::passes::impl::PaintStencilsBase<PaintStencilsPass> {
public:
  using PaintStencilsBase::PaintStencilsBase;

  void runOnOperation() override {
    SmallVector<MapOp> maps;
    getOperation().walk([&](MapOp map) { maps.push_back(map); });
    for (MapOp map : maps) {
      ScatterOp paint = findPaint(map, elements);
      if (!paint)
        continue;
      remark::passed(
          map.getLoc(),
          remark::RemarkOpts::name("at-paint").category(getArgument()))
          << llvm::formatv("computed where particles are painted; {0} fewer "
                           "fields in memory",
                           paint.getNumMeshes() - map.getResults().size())
                 .str();
      moveInto(paint, map);
    }
  }
};

} // namespace
