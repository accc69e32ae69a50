//===- Paint.cpp - Paints as kernels for GPUs -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/CUDA.h"
#include "codegen/CUDA/Threads/SharedTiles.h"
#include "codegen/CUDA/Threads/Threads.h"
#include "dialect/IR/Markers/PMDeterministic.h"

#include "pmrt/pmrt_cuda.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// A thread a particle, which adds to its cells by atomic additions: to the
/// meshes, or to tiles of them in shared memory first.
class PaintKernel {
public:
  explicit PaintKernel(Paint &paint)
      : paint(paint), loc(paint.getLoc()), host(paint.getHost()),
        kernel(paint.getContext(), host, loc, "paint") {}

  void emit() {
    LoweringContext &context = paint.getContext();
    if (isTiled(context.getTarget().paint))
      cutTiles();
    paint.capture(kernel);
    Value faults = Emit(host, loc).span(
        context.call(host, loc, PMRT_FUNCTION(pmrt_fault_word),
                     context.getContext(host)),
        host.getI64Type());
    kernel.capture(faults);
    kernel.create();

    std::unique_ptr<Body> made =
        paint.makeBody(kernel, paint.withSelection(paint.getPainted()),
                       Body::Reading::ByElement);
    Body &body = *made;
    kernel.launch(tiles ? paintParticleBlocks(body, faults)
                        : paintRows(body, faults),
                  getTraffic(host, paint.getExtents(), paint.getDomain()));
  }

private:
  /// Neighbors on a lattice stay near each other; what follows each other in
  /// a list may be anywhere.
  bool isTiled(PaintMethod method) const {
    return method == PaintMethod::Tiled ||
           (method == PaintMethod::Auto &&
            !pm::isDeterministic(paint.getOp()) &&
            paint.getDomain().getDomainDims().size() ==
                paint.getParticleWindow().getMesh().size());
  }

  void cutTiles() {
    int64_t bytes = int64_t(paint.getOp().getOuts().size()) *
                    int64_t(getElementBytes(paint.getElement()));
    if (auto shape = chooseSharedTileShape(
            paint.getParticleWindow(), paint.getDomain().getDomainDims(), bytes,
            paint.getContext().getTarget().sizes, {}))
      tiles.emplace(std::move(*shape), paint, kernel);
  }

  /// Threads take particles along rows. Returns how many find work.
  Value paintRows(Body &body, Value faults) {
    Threads threads(paint.getContext().getTarget().sizes,
                    paint.getDomain().getDomainDims());
    threads.forElements(kernel, body, {},
                        [&](OpBuilder &builder, Value i, ValueRange) {
                          addChosen(builder, body, i, faults);
                          return SmallVector<Value>();
                        });
    return threads.getItems(host, loc, paint.getExtents());
  }

  /// The same of blocks that take particle blocks.
  Value paintParticleBlocks(Body &body, Value faults) {
    tiles->forParticleBlocks(
        body,
        [&](OpBuilder &builder, Value i) {
          addChosen(builder, body, i, faults);
        },
        [&](Emit &emit, size_t mesh, Value place, Value cell, Value sum) {
          inMeshes(emit, body, [&](Emit &at, ArrayRef<MeshRows> meshes, bool) {
            addAtomically(at, meshes[mesh].find(at, place), cell, sum,
                          pmk::Scope::Device);
          });
        });
    return tiles->getItems(host);
  }

  /// Element i of the body's row, if it is painted: of others nothing else is
  /// computed.
  void addChosen(OpBuilder &builder, Body &body, Value i, Value faults) {
    Value selection = paint.getSelection();
    if (!selection)
      return addParticle(builder, body, i, faults);
    Value isChosen = body.evaluate(builder, i, selection).front();
    scf::IfOp::create(builder, loc, isChosen, [&](OpBuilder &inner, Location) {
      addParticle(inner, body, i, faults);
      scf::YieldOp::create(inner, loc);
    });
  }

  void addParticle(OpBuilder &builder, Body &body, Value i, Value faults) {
    SmallVector<Value> values = body.evaluate(builder, i, paint.getPainted());
    Emit emit(builder, loc);
    ArrayRef<Value> offsets =
        ArrayRef(values).take_front(paint.getOffsets().size());
    auto good = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      addWherever(at, body, paint.getParticle(at, body, values));
      scf::YieldOp::create(inner, loc);
    };
    auto bad = [&](OpBuilder &inner, Location) {
      int64_t line = paint.getContext().getTables().location(loc);
      Emit at(inner, loc);
      // Two stores of 32 bits would let the host read half of the word.
      Value fault = at.index((int64_t(PMRT_FAULT_POSITION) << 32) |
                             int64_t(uint32_t(line)));
      pmk::StoreOp::create(inner, loc, fault, kernel.get(faults), at.index(0),
                           /*unbounded=*/false, /*atomic=*/true);
      scf::YieldOp::create(inner, loc);
    };
    scf::IfOp::create(builder, loc, isValid(emit, offsets), good, bad);
  }

  void addWherever(Emit &emit, Body &body, const Paint::Particle &particle) {
    auto toMeshes = [&](Emit &at) {
      inMeshes(at, body, [&](Emit &inner, ArrayRef<MeshRows> meshes, bool) {
        add(inner, particle, meshes, pmk::Scope::Device);
      });
    };
    if (!tiles)
      return toMeshes(emit);
    SharedTiles::Spot spot = tiles->find(emit, particle.stencil);
    auto inside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      add(at, {spot.stencil, particle.weights}, tiles->getRows(),
          pmk::Scope::Block);
      scf::YieldOp::create(inner, loc);
    };
    auto outside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      toMeshes(at);
      scf::YieldOp::create(inner, loc);
    };
    scf::IfOp::create(emit.getBuilder(), loc, spot.isInside, inside, outside);
  }

  /// One rank need not pay for looking rows up.
  void inMeshes(Emit &emit, Body &body, Paint::Use use) {
    Value halo = paint.getHalo();
    paint.inMeshes(emit, kernel, body,
                   halo ? body.getExtents().haloView(halo).whole : Value(),
                   use);
  }

  /// `scope`: what else may add there at the same time.
  void add(Emit &emit, const Paint::Particle &particle,
           ArrayRef<MeshRows> meshes, pmk::Scope scope) {
    paint.forEachCell(
        emit, kernel, particle, meshes,
        [&](Emit &at, const MeshRow &row, Value cell, Value weight) {
          addAtomically(at, row, cell, weight, scope);
        });
  }

  void addAtomically(Emit &emit, const MeshRow &row, Value cell, Value weight,
                     pmk::Scope scope) {
    pmk::AtomicAddOp::create(emit.getBuilder(), loc, scope, weight, row.base,
                             row.getIndex(emit, cell));
  }

  Paint &paint;
  Location loc;
  OpBuilder &host;
  DeviceKernel kernel;
  std::optional<SharedTiles> tiles;
};

} // namespace

void pmc::codegen::paintOnDevice(Paint &paint) { PaintKernel(paint).emit(); }
