//===- Scatter.cpp - What paints have in common ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Scatter.h"
#include "codegen/Common/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// Offsets beyond are as bad as infinite ones: cells would not be exact.
static constexpr double largestOffset = double(int64_t(1) << 50);

Placement pmc::codegen::getPlacement(ScatterOp op) {
  return {op.getWindow(), op.getFree(), op.getMeshType().getDims(),
          cast<DomainOpInterface>(op.getOperation()).getDomainDims()};
}

SmallVector<Value> pmc::codegen::openMeshes(ScatterOp op,
                                            LoweringContext &context,
                                            OpBuilder &host) {
  Location loc = op.getLoc();
  for (Value mesh : op.getOuts())
    context.call(host, loc, PMRT_FUNCTION(pmrt_zero),
                 {context.getContext(host), context.null(host),
                  context.location(host, loc), context.array(host, mesh)});
  // The address that a reach is by now.
  OperandRange reach = op.getODSOperands(2);
  if (reach.empty())
    return {};
  SmallVector<Value> halos;
  Value above = getAbove(host, loc, reach.front());
  for (auto [mesh, result] : llvm::zip_equal(op.getOuts(), op->getResults())) {
    halos.push_back(
        context.call(host, loc, PMRT_FUNCTION(pmrt_halo_open),
                     {context.getContext(host), context.null(host),
                      context.location(host, loc), context.array(host, mesh),
                      getBelow(reach.front()), above}));
    result.replaceAllUsesWith(halos.back());
  }
  return halos;
}

Value pmc::codegen::isValid(Emit &emit, ArrayRef<Value> offsets) {
  Type f64 = emit.getBuilder().getF64Type();
  Value valid;
  for (Value offset : offsets) {
    Value size = math::AbsFOp::create(emit.getBuilder(), emit.getLoc(),
                                      emit.cast(offset, f64));
    Value fits = emit.less(size, emit.constant(f64, largestOffset));
    valid = valid ? emit.both(valid, fits) : fits;
  }
  return valid;
}

Deposit::Deposit(ScatterOp op) {
  size_t rank = op.getMeshType().getDims().size();
  size_t yielded = cast<DomainOpInterface>(op.getOperation())
                       .getDomainBody()
                       ->getTerminator()
                       ->getNumOperands();
  orders = getWindowOrders(op.getOrdersAttr(), yielded - rank, rank);
}

bool Deposit::hasOneWeight() const {
  return orders.size() == 1 &&
         llvm::all_of(orders.front(), [](int64_t order) { return order == 0; });
}

Stencil Deposit::getStencil(Emit &emit, const Placement &placement,
                            KernelExtents &extents, Value halo,
                            ArrayRef<Value> coordinates, ArrayRef<Value> values,
                            Type element) const {
  Stencil stencil =
      placement.getStencil(emit, extents, halo, coordinates,
                           values.drop_back(orders.size()), element, orders);
  if (hasOneWeight()) {
    Value weight = emit.cast(values.back(), element);
    for (Value &factor : stencil.weights.front().front())
      factor = emit.mul(factor, weight);
  }
  return stencil;
}

/// Those of mesh `mesh` of `meshes`. Null where the mesh has one dim and the
/// weight is in the stencil.
Deposit::Factors Deposit::getFactors(Emit &emit, size_t mesh, size_t meshes,
                                     ArrayRef<Value> products,
                                     ArrayRef<Value> weights) const {
  size_t each = orders.size() / meshes;
  Factors factors;
  for (size_t w = mesh * each; w < (mesh + 1) * each; ++w) {
    Value factor = products[w];
    if (!weights.empty())
      factor = factor ? emit.mul(factor, weights[w]) : weights[w];
    auto [entry, isNew] = factors.insert({orders[w].back(), factor});
    if (!isNew)
      entry->second = emit.add(entry->second, factor);
  }
  return factors;
}

void Deposit::forEachCell(Emit &emit, const Stencil &stencil,
                          ArrayRef<MeshRows> meshes, ArrayRef<Value> weights,
                          Add add) const {
  SmallVector<std::pair<MeshRow, Factors>> rows;
  auto visit = [&](Value place, ArrayRef<Value> products) {
    for (auto [m, mesh] : llvm::enumerate(meshes))
      rows.emplace_back(mesh.find(emit, place),
                        getFactors(emit, m, meshes.size(), products, weights));
  };
  stencil.forEachRow(emit, orders, visit);
  for (const auto &[row, factors] : rows) {
    SmallVector<std::pair<Value, Value>> cells;
    for (auto [order, factor] : factors) {
      size_t k = 0;
      stencil.forEachCell(emit, factor, order, [&](Value cell, Value weight) {
        if (k == cells.size())
          cells.emplace_back(cell, weight);
        else
          cells[k].second = emit.add(cells[k].second, weight);
        ++k;
      });
    }
    for (auto [cell, weight] : cells)
      add(row, cell, weight);
  }
}
