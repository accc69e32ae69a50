//===- Paint.cpp - Paints as kernels for GPUs -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/CUDA.h"
#include "codegen/CUDA/Sums.h"
#include "codegen/CUDA/Threads.h"
#include "codegen/CUDA/Tiles.h"
#include "codegen/Common/Scatter.h"

#include "pmrt/pmrt_cuda.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// A thread a particle, which adds to its cells by atomic additions: to the
/// meshes; to tiles of them in shared memory first; or, if the result must not
/// depend on their order, to sums.
class Paint {
public:
  Paint(ScatterOp scatter, LoweringContext &context)
      : scatter(scatter),
        domain(cast<DomainOpInterface>(scatter.getOperation())),
        context(context), loc(scatter.getLoc()), host(scatter),
        extents(context, host, loc), kernel(context, host, loc, "paint"),
        placement(getPlacement(scatter)), deposit(scatter) {}

  void lower() {
    halos = openMeshes(scatter, context, host);
    if (context.getTarget().deterministic)
      sums.emplace(context, host, scatter, deposit, halos);
    else if (context.getTarget().paint == PaintMethod::Tiled)
      cutTiles();
    Body::capture(domain, kernel, extents);
    if (sums)
      sums->capture(kernel);
    for (Value halo : halos)
      extents.getViews().capture(kernel, halo, scatter.getMeshType());
    Value faults = Emit(host, loc).view(
        context.call(host, loc, PMRT_FUNCTION(pmrt_fault_word),
                     context.getContext(host)),
        host.getI64Type());
    kernel.capture(faults);
    kernel.create();

    Body body(domain, kernel, extents,
              SmallVector<Value>(Body::getYields(domain)),
              Body::Reading::ByElement);
    // Cells must be those that pm.reach has found.
    body.forbidContraction();
    kernel.launch(tiles ? paintBricks(body, faults) : paintRows(body, faults),
                  getTraffic(host, extents, domain));
    if (sums)
      sums->finish();
  }

private:
  void cutTiles() {
    int64_t bytes = int64_t(scatter.getOuts().size()) *
                    int64_t(getElementBytes(getElement()));
    if (auto shape = chooseTileShape(placement, domain.getDomainDims(), bytes))
      tiles.emplace(std::move(*shape), scatter, placement, getView(), context,
                    kernel);
  }

  /// Threads take particles along rows. Returns how many find work.
  Value paintRows(Body &body, Value faults) {
    Threads threads(domain.getDomainDims());
    threads.forElements(kernel, body, {},
                        [&](OpBuilder &builder, Value i, ValueRange) {
                          paintChosen(builder, body, i, faults);
                          return SmallVector<Value>();
                        });
    return threads.getItems(host, loc, extents);
  }

  /// The same of blocks that take bricks.
  Value paintBricks(Body &body, Value faults) {
    tiles->forBricks(
        body,
        [&](OpBuilder &builder, Value i) {
          paintChosen(builder, body, i, faults);
        },
        [&](Emit &emit, size_t mesh, Value place, Value cell, Value sum) {
          inMeshes(emit, body, [&](Emit &at, ArrayRef<MeshRows> meshes) {
            addAtomically(at, meshes[mesh].find(at, place), cell, sum,
                          pmk::Scope::Device);
          });
        });
    return tiles->getItems(host, extents);
  }

  /// Element i of the body's row, if it is painted: of others nothing else is
  /// computed.
  void paintChosen(OpBuilder &builder, Body &body, Value i, Value faults) {
    Value selection = scatter.getSelection();
    if (!selection)
      return paint(builder, body, i, faults);
    Value isChosen = body.evaluate(builder, i, selection).front();
    scf::IfOp::create(builder, loc, isChosen, [&](OpBuilder &inner, Location) {
      paint(inner, body, i, faults);
      scf::YieldOp::create(inner, loc);
    });
  }

  void paint(OpBuilder &builder, Body &body, Value i, Value faults) {
    SmallVector<Value> wanted(scatter.getYieldedOffsets());
    llvm::append_range(wanted, scatter.getYieldedWeights());
    SmallVector<Value> values = body.evaluate(builder, i, wanted);
    Emit emit(builder, loc);
    Value valid =
        isValid(emit, ArrayRef(values).drop_back(deposit.getOrders().size()));
    auto good = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      depositWherever(at, body, values);
      scf::YieldOp::create(inner, loc);
    };
    auto bad = [&](OpBuilder &inner, Location) {
      int64_t line = context.getTables().location(loc);
      Emit at(inner, loc);
      at.store(at.index((int64_t(PMRT_FAULT_POSITION) << 32) |
                        int64_t(uint32_t(line))),
               kernel.get(faults), at.index(0));
      scf::YieldOp::create(inner, loc);
    };
    scf::IfOp::create(builder, loc, valid, good, bad);
  }

  void depositWherever(Emit &emit, Body &body, ArrayRef<Value> values) {
    Stencil stencil =
        deposit.getStencil(emit, placement, body.getExtents(), getView(),
                           body.getCoordinates(), values, getElement());
    SmallVector<Value> weights;
    if (!deposit.hasOneWeight())
      for (Value weight : values.take_back(deposit.getOrders().size()))
        weights.push_back(emit.cast(weight, getElement()));
    if (sums)
      return deposit.forEachCell(
          emit, stencil, sums->getRows(kernel), weights,
          [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
            sums->add(at, kernel, row, cell, weight);
          });
    auto toMeshes = [&](Emit &at) {
      inMeshes(at, body, [&](Emit &inner, ArrayRef<MeshRows> meshes) {
        add(inner, stencil, meshes, weights, pmk::Scope::Device);
      });
    };
    if (!tiles)
      return toMeshes(emit);
    Tiles::Spot spot = tiles->find(
        emit, body, values.drop_back(deposit.getOrders().size()), stencil);
    auto inside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      add(at, spot.stencil, tiles->getRows(), weights, pmk::Scope::Block);
      scf::YieldOp::create(inner, loc);
    };
    auto outside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      toMeshes(at);
      scf::YieldOp::create(inner, loc);
    };
    scf::IfOp::create(emit.getBuilder(), loc, spot.isInside, inside, outside);
  }

  /// Calls `emitAdditions` with the rows of the meshes, in each case of what
  /// places are.
  void
  inMeshes(Emit &emit, Body &body,
           llvm::function_ref<void(Emit &, ArrayRef<MeshRows>)> emitAdditions) {
    SmallVector<MeshRows> whole, split;
    for (Value mesh : scatter.getOuts())
      whole.emplace_back(kernel.get(mesh));
    if (halos.empty())
      return emitAdditions(emit, whole);
    KernelExtents &inside = body.getExtents();
    for (Value halo : halos)
      split.emplace_back(inside.view(halo));
    // One rank need not pay for looking rows up.
    auto branch = [&](ArrayRef<MeshRows> meshes) {
      return [&, meshes](OpBuilder &inner, Location) {
        Emit at(inner, loc);
        emitAdditions(at, meshes);
        scf::YieldOp::create(inner, loc);
      };
    };
    scf::IfOp::create(emit.getBuilder(), loc, inside.view(getView()).whole,
                      branch(whole), branch(split));
  }

  /// `scope`: what else may add there at the same time.
  void add(Emit &emit, const Stencil &stencil, ArrayRef<MeshRows> meshes,
           ArrayRef<Value> weights, pmk::Scope scope) {
    deposit.forEachCell(
        emit, stencil, meshes, weights,
        [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
          addAtomically(at, row, cell, weight, scope);
        });
  }

  void addAtomically(Emit &emit, const MeshRow &row, Value cell, Value weight,
                     pmk::Scope scope) {
    pmk::AtomicAddOp::create(emit.getBuilder(), loc, scope, weight, row.base,
                             row.getIndex(emit, cell));
  }

  /// Where all meshes' cells are found, null if these are whole.
  Value getView() const { return halos.empty() ? Value() : halos.front(); }
  Type getElement() { return scatter.getMeshType().getElementType(); }

  ScatterOp scatter;
  DomainOpInterface domain;
  LoweringContext &context;
  Location loc;
  OpBuilder host;
  Extents extents;
  DeviceKernel kernel;
  SmallVector<Value> halos; // addresses of pmrt_halos, if meshes are split
  Placement placement;
  Deposit deposit;
  std::optional<Sums> sums;
  std::optional<Tiles> tiles;
};

} // namespace

LogicalResult pmc::codegen::lowerDevicePaint(ScatterOp scatter,
                                             LoweringContext &context) {
  Paint(scatter, context).lower();
  return success();
}
