//===- Interpolate.cpp - Reading meshes at positions ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/Interpolate.h"

#include "dialect/IR/Markers/PMDeterministic.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

static GridType getMeshType(InterpolateOp op) {
  return cast<GridType>(op.getMeshes().front().getType());
}

ParticleWindow pmc::codegen::getParticleWindow(InterpolateOp op,
                                               ArrayRef<DimAttr> domain) {
  // For readouts in f32, the branch for far positions raises the number of
  // registers (from 64 to 80). For readouts in f64, it lowers this number (from
  // 104 to 78).
  bool hasIntegerCells = getTarget(op) == Target::CUDA &&
                         op.getOffsets().front().getType().isF64();
  return {op.getWindow(), op.getFree(), getMeshType(op).getDims(), domain,
          hasIntegerCells};
}

Type pmc::codegen::getWeightType(InterpolateOp op) {
  return getMeshType(op).getElementType();
}

Value pmc::codegen::getHalo(InterpolateOp op) {
  return op.getHalos().empty() ? Value() : op.getHalos().front();
}

SmallVector<MeshRows> pmc::codegen::getMeshRows(InterpolateOp op,
                                                Kernel &kernel,
                                                KernelExtents &extents,
                                                bool whole) {
  SmallVector<MeshRows> meshes;
  if (op.getHalos().empty() || whole)
    for (Value mesh : op.getMeshes())
      meshes.emplace_back(kernel.get(mesh));
  else
    for (Value halo : op.getHalos())
      meshes.emplace_back(extents.haloView(halo));
  return meshes;
}

SmallVector<WindowOrders> pmc::codegen::getOrders(InterpolateOp op) {
  return getWindowOrders(op.getOrdersAttr(), op.getValues().size(),
                         getMeshType(op).getDims().size());
}

/// All values with one window: the cells' weights are shared by the meshes.
static SmallVector<Value> readWith(Emit &emit, const WindowOrders &orders,
                                   ArrayRef<MeshRows> meshes,
                                   const Stencil &stencil) {
  SmallVector<Value> sums(meshes.size());
  stencil.forEachRow(emit, orders, [&](Value place, ArrayRef<Value> weights) {
    SmallVector<MeshRow> rows;
    for (const MeshRows &mesh : meshes)
      rows.push_back(mesh.find(emit, place));
    stencil.forEachCell(
        emit, weights.front(), orders.back(), [&](Value cell, Value weight) {
          for (auto [row, sum] : llvm::zip_equal(rows, sums)) {
            Value index = row.getIndex(emit, cell);
            Value term = emit.mul(emit.load(row.base, index), weight);
            sum = sum ? emit.add(sum, term) : term;
          }
        });
  });
  return sums;
}

namespace {

/// Values of one mesh.
struct Readings {
  const MeshRows *mesh;
  SmallVector<size_t> values;
};

} // namespace

/// Several windows: the sums over a row of each mesh, one for each order along
/// the last dim, are shared by the values.
static SmallVector<Value> readDifferentiated(Emit &emit,
                                             ArrayRef<WindowOrders> orders,
                                             ArrayRef<Readings> readings,
                                             const Stencil &stencil) {
  SmallVector<Value> sums(orders.size());
  auto accumulate = [&](Value &sum, Value term) {
    sum = sum ? emit.add(sum, term) : term;
  };
  stencil.forEachRow(emit, orders, [&](Value place, ArrayRef<Value> weights) {
    for (const Readings &reading : readings) {
      MeshRow row = reading.mesh->find(emit, place);
      SmallVector<Value> cells;
      for (Value cell : stencil.offsets.back())
        cells.push_back(emit.load(row.base, row.getIndex(emit, cell)));
      llvm::SmallMapVector<int64_t, Value, 4> along;
      for (size_t j : reading.values) {
        Value &sum = along[orders[j].back()];
        if (sum)
          continue;
        for (auto [cell, weight] : llvm::zip_equal(
                 cells, stencil.weights.back()[size_t(orders[j].back())]))
          accumulate(sum, emit.mul(cell, weight));
      }
      for (size_t j : reading.values) {
        Value sum = along[orders[j].back()];
        accumulate(sums[j], weights[j] ? emit.mul(sum, weights[j]) : sum);
      }
    }
  });
  return sums;
}

namespace {

/// Readings with a wide window. Those of one mesh with the same orders along
/// all dims but the last share sums over rows, one for each cell of a row.
class WideReading {
public:
  WideReading(InterpolateOp op, ArrayRef<WindowOrders> orders,
              ArrayRef<MeshRows> meshes, const WideStencil &stencil)
      : orders(orders), meshes(meshes), stencil(stencil),
        isOrdered(isDeterministic(op)) {
    llvm::SmallMapVector<Value, size_t, 4> known;
    for (auto [j, mesh] : llvm::enumerate(op.getMeshes())) {
      size_t of = known.insert({mesh, j}).first->second;
      auto isSame = [&](const Group &group) {
        return group.mesh == of && ArrayRef(group.orders).drop_back() ==
                                       ArrayRef(orders[j]).drop_back();
      };
      places.push_back(size_t(llvm::find_if(groups, isSame) - groups.begin()));
      if (places.back() == groups.size())
        groups.push_back({of, orders[j]});
    }
    for (auto [mesh, of] : known)
      distinct.push_back(of);
  }

  SmallVector<Value> emit(Emit &at) const {
    return stencil.branch(at, [&](Emit &inner, bool straight) {
      // Where rows are broken depends on the rank's part of the mesh.
      return straight || isOrdered ? readRows(inner, straight)
                                   : readBroken(inner);
    });
  }

private:
  struct Group {
    size_t mesh;
    WindowOrders orders;
  };

  SmallVector<Value> readRows(Emit &emit, bool straight) const {
    const TapRange &range = stencil.last();
    SmallVector<Value> zeros(groups.size() * range.support,
                             emit.constant(stencil.getType(), 0));
    auto row = [&](Emit &at, Value place, ArrayRef<Value> taps,
                   ValueRange before) {
      llvm::SmallDenseMap<size_t, SmallVector<Value>, 4> cells;
      for (size_t m : distinct)
        cells[m] = loadRow(at, meshes[m].find(at, place), straight);
      SmallVector<Value> after;
      for (auto [g, group] : llvm::enumerate(groups)) {
        Value weight = stencil.product(at, group.orders, taps);
        for (auto [k, cell] : llvm::enumerate(cells[group.mesh]))
          after.push_back(at.add(before[g * range.support + k],
                                 weight ? at.mul(cell, weight) : cell));
      }
      return after;
    };
    SmallVector<Value> rows = stencil.forEachRow(emit, zeros, row);
    SmallVector<Value> sums;
    for (auto [wanted, group] : llvm::zip_equal(orders, places)) {
      SmallVector<Value> weights = stencil.lastWeights(emit, wanted.back());
      Value sum;
      for (auto [k, weight] : llvm::enumerate(weights)) {
        Value term = emit.mul(rows[group * range.support + k], weight);
        sum = sum ? emit.add(sum, term) : term;
      }
      sums.push_back(sum);
    }
    return sums;
  }

  SmallVector<Value> loadRow(Emit &emit, const MeshRow &row,
                             bool straight) const {
    SmallVector<Value> cells;
    for (unsigned k = 0; !straight && k < stencil.last().support; ++k) {
      const TapRange &range = stencil.last();
      Value cell =
          emit.widen(range.cell(emit, emit.index(k)), range.stride.getType());
      cells.push_back(emit.load(row.base, row.getIndex(emit, cell)));
    }
    if (!straight)
      return cells;
    Value first =
        emit.widen(stencil.last().first, emit.getBuilder().getI64Type());
    if (row.offset)
      first = emit.add(
          first, row.getIndex(emit, emit.constant(row.offset.getType(), 0)));
    Value here = emit.at(row.base, first);
    for (unsigned k = 0; k < stencil.last().support; ++k)
      cells.push_back(emit.load(here, emit.index(k)));
    return cells;
  }

  SmallVector<Value> readBroken(Emit &emit) const {
    SmallVector<Value> zeros(places.size(),
                             emit.constant(stencil.getType(), 0));
    auto row = [&](Emit &at, Value place, ArrayRef<Value> taps,
                   ValueRange before) {
      SmallVector<MeshRow> rows;
      SmallVector<Value> products;
      for (const Group &group : groups) {
        rows.push_back(meshes[group.mesh].find(at, place));
        products.push_back(stencil.product(at, group.orders, taps));
      }
      auto tap = [&](OpBuilder &builder, Value k, ValueRange sums) {
        Emit inner(builder, at.getLoc());
        const TapRange &range = stencil.last();
        Value cell = inner.widen(range.cell(inner, k), range.stride.getType());
        SmallVector<Value> after;
        for (auto [wanted, group, sum] :
             llvm::zip_equal(orders, places, sums)) {
          const MeshRow &from = rows[group];
          Value term = inner.mul(
              inner.load(from.base, from.getIndex(inner, cell)),
              stencil.weight(inner, stencil.rank() - 1, wanted.back(), k));
          if (products[group])
            term = inner.mul(term, products[group]);
          after.push_back(inner.add(sum, term));
        }
        return after;
      };
      return forLoop(at.getBuilder(), at.getLoc(), at.index(0),
                     at.index(stencil.last().support), 1, before, tap);
    };
    return stencil.forEachRow(emit, zeros, row);
  }

  ArrayRef<WindowOrders> orders;
  ArrayRef<MeshRows> meshes;
  WideStencil stencil;
  bool isOrdered;
  SmallVector<Group, 4> groups;
  SmallVector<size_t> places, distinct; // of each reading, its group
};

} // namespace

SmallVector<Value> pmc::codegen::readMeshes(Emit &emit, InterpolateOp op,
                                            ArrayRef<MeshRows> meshes,
                                            const Stencil &stencil) {
  SmallVector<WindowOrders> orders = getOrders(op);
  SmallVector<Value> sums;
  if (stencil.isWide()) {
    sums = WideReading(op, orders, meshes, stencil.widen()).emit(emit);
  } else if (llvm::all_equal(orders)) {
    sums = readWith(emit, orders.front(), meshes, stencil);
  } else {
    llvm::SmallMapVector<Value, Readings, 4> readings;
    for (auto [j, mesh] : llvm::enumerate(op.getMeshes())) {
      Readings &reading = readings[mesh];
      reading.mesh = &meshes[j];
      reading.values.push_back(j);
    }
    sums = readDifferentiated(
        emit, orders, llvm::to_vector(llvm::make_second_range(readings)),
        stencil);
  }
  for (auto [sum, result] : llvm::zip_equal(sums, op.getValues()))
    sum = emit.cast(sum, result.getType());
  return sums;
}
