//===- Scatter.cpp - What paints have in common ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/Scatter.h"
#include "codegen/Lowering/Handles.h"

#include "dialect/IR/Markers/PMDeterministic.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// Positions beyond are as bad as infinite ones: cells would not be exact.
static constexpr double largestOffset = double(int64_t(1) << 50);

ParticleWindow pmc::codegen::getParticleWindow(ScatterOp op) {
  return {op.getWindow(), op.getFree(), op.getMeshType().getDims(),
          cast<DomainOpInterface>(op.getOperation()).getDomainDims(),
          getTarget(op) == Target::CUDA};
}

SmallVector<Value> pmc::codegen::openMeshes(ScatterOp op,
                                            LoweringContext &context,
                                            OpBuilder &host) {
  Location loc = op.getLoc();
  for (Value mesh : op.getOuts())
    context.call(host, loc, PMRT_FUNCTION(pmrt_zero),
                 {context.getContext(host), context.null(host),
                  context.location(host, loc), context.array(host, mesh)});
  Value bound = op.getBound();
  if (!bound)
    return {};
  SmallVector<Value> halos;
  Value above = getAbove(host, loc, bound);
  for (auto [mesh, result] : llvm::zip_equal(op.getOuts(), op->getResults())) {
    halos.push_back(
        context.call(host, loc, PMRT_FUNCTION(pmrt_halo_open),
                     {context.getContext(host), context.null(host),
                      context.location(host, loc), context.array(host, mesh),
                      getBelow(bound), above}));
    replaceResult(result, halos.back());
  }
  return halos;
}

Value pmc::codegen::isValid(Emit &emit, ArrayRef<Value> offsets) {
  Value sum;
  for (Value offset : offsets) {
    Value size = math::AbsFOp::create(emit.getBuilder(), emit.getLoc(), offset);
    sum = sum ? emit.add(sum, size) : size;
  }
  return emit.less(sum, emit.constant(sum.getType(), largestOffset));
}

Deposit::Deposit(ScatterOp op) : words(op.getWords().value_or(1)) {
  size_t rank = op.getMeshType().getDims().size();
  orders =
      getWindowOrders(op.getOrdersAttr(), op.getYieldedWeights().size(), rank);
}

bool Deposit::hasOneWeight() const {
  return orders.size() == 1 &&
         llvm::all_of(orders.front(), [](int64_t order) { return order == 0; });
}

Stencil Deposit::getStencil(Emit &emit, const ParticleWindow &particleWindow,
                            KernelExtents &extents, Value halo,
                            ArrayRef<Value> coordinates, ArrayRef<Value> values,
                            Type element) const {
  Stencil stencil = particleWindow.getStencil(emit, extents, halo, coordinates,
                                              values.drop_back(orders.size()),
                                              element, orders);
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

namespace {

/// A row of cells in the meshes that have the words of one sum.
struct SumRow {
  SmallVector<MeshRow, 2> words;
  ArrayRef<Value> steps; ///< none: one word, as it is

  SumRow(Emit &emit, ArrayRef<MeshRows> meshes, ArrayRef<Value> steps,
         Value place)
      : steps(steps) {
    for (const MeshRows &mesh : meshes)
      words.push_back(mesh.find(emit, place));
  }

  void add(Emit &emit, Value cell, Value weight, Deposit::Add add) const {
    if (steps.empty())
      return add(emit, words.front(), cell, weight);
    OpBuilder &builder = emit.getBuilder();
    cutNumber(
        builder, emit.getLoc(), emit.cast(weight, builder.getF64Type()), steps,
        [&](size_t word, Value part) { add(emit, words[word], cell, part); });
  }
};

} // namespace

/// Of sum m.
static SumRow findRow(Emit &emit, ArrayRef<MeshRows> meshes,
                      ArrayRef<Value> steps, size_t m, size_t words,
                      Value place) {
  return {emit, meshes.slice(m * words, words),
          steps.empty() ? steps : steps.slice(m * words, words), place};
}

void Deposit::forEachCell(Emit &emit, const Stencil &stencil,
                          ArrayRef<MeshRows> meshes, ArrayRef<Value> weights,
                          ArrayRef<Value> steps, Add add) const {
  if (stencil.isWide())
    return forEachWideCell(emit, stencil.widen(), meshes, weights, steps, add);
  SmallVector<std::pair<SumRow, Factors>> rows;
  size_t sums = meshes.size() / words;
  auto visit = [&](Value place, ArrayRef<Value> products) {
    for (size_t m = 0; m < sums; ++m)
      rows.emplace_back(findRow(emit, meshes, steps, m, words, place),
                        getFactors(emit, m, sums, products, weights));
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
      row.add(emit, cell, weight, add);
  }
}

/// What a row's cells get. `last`: their weights along the last dim, by order.
static void
addWideRow(Emit &emit, const WideStencil &stencil, const SumRow &row,
           const llvm::SmallMapVector<int64_t, Value, 4> &factors,
           const llvm::SmallMapVector<int64_t, SmallVector<Value>, 4> &last,
           bool straight, Deposit::Add add) {
  const TapRange &range = stencil.last();
  auto sum = [&](Emit &at, llvm::function_ref<Value(int64_t)> getWeight) {
    Value all;
    for (auto [order, factor] : factors) {
      Value weight = getWeight(order);
      Value term = factor ? at.mul(factor, weight) : weight;
      all = all ? at.add(all, term) : term;
    }
    return all;
  };
  if (straight) {
    SumRow here = row;
    for (MeshRow &word : here.words) {
      Value first = emit.widen(range.first, emit.getBuilder().getI64Type());
      if (word.offset)
        first = emit.add(
            first,
            word.getIndex(emit, emit.constant(word.offset.getType(), 0)));
      word.offset = first;
    }
    for (unsigned k = 0; k < stencil.getRowLength(); ++k)
      here.add(
          emit, emit.index(k),
          sum(emit, [&](int64_t order) { return last.find(order)->second[k]; }),
          add);
    return;
  }
  forLoop(emit.getBuilder(), emit.getLoc(), emit.index(0),
          emit.index(range.support), [&](OpBuilder &inner, Value k) {
            Emit at(inner, emit.getLoc());
            Value cell = at.widen(range.cell(at, k), range.stride.getType());
            row.add(at, cell,
                    sum(at,
                        [&](int64_t order) {
                          return stencil.weight(at, stencil.rank() - 1, order,
                                                k);
                        }),
                    add);
          });
}

void Deposit::forEachWideCell(Emit &emit, const WideStencil &stencil,
                              ArrayRef<MeshRows> meshes,
                              ArrayRef<Value> weights, ArrayRef<Value> steps,
                              Add add) const {
  size_t sums = meshes.size() / words;
  llvm::SmallMapVector<int64_t, SmallVector<Value>, 4> last;
  for (const WindowOrders &wanted : orders)
    if (last.insert({wanted.back(), {}}).second)
      last[wanted.back()] = stencil.lastWeights(emit, wanted.back());
  auto deposit = [&](Emit &outer, bool straight) {
    return stencil.forEachRow(
        outer, {},
        [&](Emit &at, Value place, ArrayRef<Value> taps, ValueRange) {
          SmallVector<Value> products;
          for (const WindowOrders &wanted : orders)
            products.push_back(stencil.product(at, wanted, taps));
          for (size_t m = 0; m < sums; ++m) {
            Factors factors = getFactors(at, m, sums, products, weights);
            SumRow row = findRow(at, meshes, steps, m, words, place);
            addWideRow(at, stencil, row, factors, last, straight, add);
          }
          return SmallVector<Value>();
        });
  };
  stencil.branch(emit, deposit);
}
