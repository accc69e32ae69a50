//===- Paint.cpp - Paint: the bodies of the runtime's scatter -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The runtime decides which particles may be painted at the same time; it is
// given four kernels made of one body (see pmrt_scatter_bodies).
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/CPU.h"
#include "codegen/Common/Scatter.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

class Paint {
public:
  Paint(ScatterOp scatter, LoweringContext &context)
      : scatter(scatter),
        domain(cast<DomainOpInterface>(scatter.getOperation())),
        context(context), loc(scatter.getLoc()), host(scatter),
        extents(context, host, loc), meshes(scatter.getOuts()),
        dims(domain.getDomainDims()), placement(getPlacement(scatter)),
        meshDims(placement.getMesh()), yields(Body::getYields(domain)),
        offsets(scatter.getYieldedOffsets()), deposit(scatter) {}

  void lower() {
    halos = openMeshes(scatter, context, host);
    Type i64 = host.getI64Type();
    Kernel bounds =
        make("paint.bounds", {i64, i64, pmk::ViewType::get(host.getF64Type())});
    emitBounds(bounds);
    Kernel block = make("paint.block", {i64, i64, i64, i64});
    emitBlock(block);
    Kernel planes =
        make("paint.planes", {i64, i64, pmk::ViewType::get(host.getI32Type())});
    emitPlanes(planes);
    Kernel list = make("paint.list", {pmk::ViewType::get(i64), i64});
    emitList(list);
    launch(bounds, block, planes, list);
  }

private:
  Kernel make(StringRef name, ArrayRef<Type> extra) {
    Kernel kernel(context, host, loc, name);
    Body::capture(domain, kernel, extents);
    for (Value halo : halos)
      extents.getViews().capture(kernel, halo, scatter.getMeshType());
    kernel.create(extra);
    kernel.setSchedule(pmk::RowsAttr::get(host.getContext(), chunkSize));
    return kernel;
  }

  /// What `bounds` says of a particle must hold where `block` paints it, or
  /// threads meet in one cell.
  std::unique_ptr<Body> makeBody(Kernel &kernel, ArrayRef<Value> wanted) {
    auto body = std::make_unique<Body>(domain, kernel, extents, wanted);
    body->forbidContraction();
    return body;
  }

  /// Dims of a row of the runtime's lattice.
  ArrayRef<DimAttr> rowDims() const {
    return dims.drop_front(std::min<size_t>(2, dims.size()));
  }

  //===--------------------------------------------------------------------===//
  // Kernels
  //===--------------------------------------------------------------------===//

  void emitBounds(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    Emit emit(builder, loc);
    std::unique_ptr<Body> made = makeBody(kernel, offsets);
    Body &body = *made;
    unsigned measured = std::min<size_t>(2, meshDims.size());
    if (scatter.getFree())
      measured = 0;
    // Of every dim, the smallest and the largest first offset; then 0 or NaN.
    Lanes smallest(Reduction::Min, /*hasNaN=*/false);
    Lanes largest(Reduction::Max, /*hasNaN=*/false);
    Lanes sum(Reduction::Sum);
    Type f64 = builder.getF64Type();
    SmallVector<ChunkArray> arrays;
    SmallVector<Value> lanes;
    for (unsigned d = 0; d < measured; ++d) {
      arrays.emplace_back(builder, f64);
      lanes.push_back(smallest.initial(emit));
      lanes.push_back(largest.initial(emit));
    }
    arrays.emplace_back(builder, f64);
    lanes.push_back(sum.initial(emit));

    auto element = [&](OpBuilder &inner, Value i) {
      SmallVector<Value> u = body.evaluate(inner, i, offsets);
      Emit at(inner, loc);
      for (unsigned d = 0; d < measured; ++d)
        arrays[d].store(at, placement.getFirstOffset(at, u[d]), i);
      arrays.back().store(at, nanUnlessValid(at, u), i);
    };
    auto chunk = [&](OpBuilder &inner, Value first, Value size,
                     ValueRange before) {
      Emit at(inner, loc);
      body.enterChunk(inner, first, size);
      forLoop(inner, loc, at.index(0), size, element);
      SmallVector<Value> after;
      for (unsigned d = 0; d < measured; ++d) {
        // A value of the chunk once more changes no extreme.
        arrays[d].fillTail(at, size, arrays[d].load(at, at.index(0)));
        after.push_back(smallest.add(at, before[2 * d], arrays[d]));
        after.push_back(largest.add(at, before[2 * d + 1], arrays[d]));
      }
      after.push_back(sum.add(at, before.back(), arrays.back(), size));
      return after;
    };
    lanes = forLattice(builder, body, kernel.extra(0), kernel.extra(1), lanes,
                       [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                           Value to, ValueRange before) {
                         body.enterRow(inner, outer);
                         return forChunks(inner, loc, from, to, before, chunk);
                       });

    Lanes minimum(Reduction::Min);
    auto take = [&](unsigned slot, Value value) {
      Value at = emit.index(slot);
      Value before = emit.load(kernel.extra(2), at);
      emit.store(minimum.combine(emit, before, value), kernel.extra(2), at);
    };
    for (unsigned d = 0; d < 2; ++d) {
      // A mesh of one dim has one plane along the other.
      Value zero = emit.constant(f64, 0);
      bool has = d < measured;
      take(2 * d, has ? smallest.finish(emit, lanes[2 * d]) : zero);
      take(2 * d + 1,
           has ? emit.negate(largest.finish(emit, lanes[2 * d + 1])) : zero);
    }
    take(4, sum.finish(emit, lanes.back()));
  }

  /// 0, or NaN if an offset is not finite or too large to be exact.
  Value nanUnlessValid(Emit &emit, ArrayRef<Value> u) {
    Type f64 = emit.getBuilder().getF64Type();
    return emit.select(
        isValid(emit, u), emit.constant(f64, 0),
        emit.constant(f64, std::numeric_limits<double>::quiet_NaN()));
  }

  void emitBlock(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    std::unique_ptr<Body> made = makeBody(kernel, yields);
    Body &body = *made;
    Painter painter(*this, builder, kernel, body);
    auto row = [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                   Value to, ValueRange) {
      body.enterRow(inner, outer);
      return forChunks(
          inner, loc, from, to, {},
          [&](OpBuilder &innermost, Value first, Value size, ValueRange) {
            body.enterChunk(innermost, first, size);
            painter.paint(innermost, size);
            return SmallVector<Value>();
          });
    };
    if (dims.size() == 1) {
      forLattice(builder, body, kernel.extra(0), kernel.extra(1), {}, row);
      return;
    }
    forLoop(builder, loc, kernel.extra(0), kernel.extra(1),
            [&](OpBuilder &inner, Value i0) {
              Emit emit(inner, loc);
              Value origin = emit.mul(i0, body.getExtents().extent(dims[1]));
              forLattice(inner, body, emit.add(origin, kernel.extra(2)),
                         emit.add(origin, kernel.extra(3)), {}, row);
            });
  }

  void emitPlanes(Kernel &kernel) {
    std::unique_ptr<Body> made = makeBody(kernel, offsets);
    Body &body = *made;
    KernelExtents &sizes = body.getExtents();
    forLattice(
        kernel.body(), body, kernel.extra(0), kernel.extra(1), {},
        [&](OpBuilder &builder, ArrayRef<Value> outer, Value from, Value to,
            ValueRange) {
          body.enterRow(builder, outer);
          Emit at(builder, loc);
          SmallVector<Value> start(outer);
          start.push_back(at.index(0));
          Value origin = sizes.linear(at, dims, start);
          return forChunks(
              builder, loc, from, to, {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterChunk(inner, first, size);
                Value begin = Emit(inner, loc).add(origin, first);
                forLoop(inner, loc, Emit(inner, loc).index(0), size,
                        [&](OpBuilder &innermost, Value i) {
                          storePlane(innermost, body, kernel.extra(2), begin,
                                     i);
                        });
                return SmallVector<Value>();
              });
        });
  }

  void storePlane(OpBuilder &builder, Body &body, Value planes, Value begin,
                  Value i) {
    SmallVector<Value> u = body.evaluate(builder, i, offsets);
    Emit emit(builder, loc);
    Value plane = placement.getFirstCell(emit, body.getExtents(), getHalo(),
                                         body.getCoordinates(), 0, u[0]);
    // The array's origin may lie before its memory.
    pmk::StoreOp::create(builder, loc, plane, planes, emit.add(begin, i),
                         /*unbounded=*/true);
  }

  void emitList(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    std::unique_ptr<Body> made = makeBody(kernel, yields);
    Body &body = *made;
    Painter painter(*this, builder, kernel, body);
    forChunks(builder, loc, Emit(builder, loc).index(0), kernel.extra(1), {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterList(inner, kernel.extra(0), first, size);
                painter.paint(inner, size);
                return SmallVector<Value>();
              });
  }

  /// The particles of the runtime's rows [from, to).
  SmallVector<Value> forLattice(OpBuilder &builder, Body &body, Value from,
                                Value to, ValueRange carried, RowBody row) {
    Emit emit(builder, loc);
    Value each = body.getExtents().count(emit, rowDims());
    return forElements(builder, loc, dims, body.getExtents(),
                       emit.mul(from, each), emit.mul(to, each), carried, row);
  }

  /// Deposits a chunk of the body's particles.
  class Painter {
  public:
    Painter(Paint &paint, OpBuilder &builder, Kernel &kernel, Body &body)
        : scatter(paint), kernel(kernel), body(body),
          element(paint.scatter.getMeshType().getElementType()),
          stencils(builder, paint.placement, element,
                   paint.deposit.getOrders()) {
      if (!paint.deposit.hasOneWeight())
        for (size_t i = 0; i < paint.deposit.getOrders().size(); ++i)
          weights.emplace_back(builder, element);
    }

    void paint(OpBuilder &builder, Value size) {
      Location loc = scatter.loc;
      Value begin = Emit(builder, loc).index(0);
      forLoop(builder, loc, begin, size, [&](OpBuilder &inner, Value i) {
        SmallVector<Value> values = body.evaluate(inner, i, scatter.yields);
        size_t rank = scatter.offsets.size();
        Emit emit(inner, loc);
        stencils.store(
            emit,
            scatter.deposit.getStencil(emit, scatter.placement,
                                       body.getExtents(), scatter.getHalo(),
                                       body.getCoordinates(), values, element),
            i);
        for (auto [array, value] :
             llvm::zip(weights, ArrayRef(values).drop_front(rank)))
          array.store(emit, value, i);
      });
      SmallVector<MeshRows> whole, split;
      for (Value mesh : scatter.meshes)
        whole.emplace_back(kernel.get(mesh));
      if (scatter.halos.empty())
        return deposit(builder, whole, size);
      for (Value halo : scatter.halos)
        split.emplace_back(body.getExtents().view(halo));
      // What is all here need not pay for looking rows up.
      Value direct = stencils.moveToMesh(
          builder, loc, body.getExtents().view(scatter.getHalo()), size);
      auto branch = [&](ArrayRef<MeshRows> rows) {
        return [&, rows](OpBuilder &inner, Location) {
          deposit(inner, rows, size);
          scf::YieldOp::create(inner, loc);
        };
      };
      scf::IfOp::create(builder, loc, direct, branch(whole), branch(split));
    }

  private:
    void deposit(OpBuilder &builder, ArrayRef<MeshRows> meshes, Value size) {
      Location loc = scatter.loc;
      Value begin = Emit(builder, loc).index(0);
      forLoop(builder, loc, begin, size, [&](OpBuilder &inner, Value i) {
        Emit emit(inner, loc);
        Stencil stencil = stencils.load(emit, i);
        SmallVector<Value> scales;
        for (ChunkArray &array : weights)
          scales.push_back(array.load(emit, i));
        scatter.deposit.forEachCell(
            emit, stencil, meshes, scales,
            [&](const MeshRow &row, Value cell, Value weight) {
              Value index = row.getIndex(emit, cell);
              Value before = emit.load(row.base, index);
              emit.store(emit.add(before, weight), row.base, index);
            });
      });
    }

    Paint &scatter;
    Kernel &kernel;
    Body &body;
    Type element;
    StencilChunk stencils;
    SmallVector<ChunkArray> weights; // unless there is one
  };

  //===--------------------------------------------------------------------===//
  // Host
  //===--------------------------------------------------------------------===//

  /// The first view: all have the same shape. Null where meshes are whole.
  Value getHalo() const { return halos.empty() ? Value() : halos.front(); }

  void launch(Kernel &bounds, Kernel &block, Kernel &planes, Kernel &list) {
    bool isLattice = !scatter.getFree();
    context.getTables().addPaint(dims, meshDims, isLattice);
    Value ratios, offsets;
    if (isLattice) {
      SmallVector<Value> values;
      for (unsigned d = 0; d < std::min<size_t>(2, meshDims.size()); ++d)
        values.push_back(context.constant(host, double(placement.getRatio(d))));
      ratios = context.pack(host, values, host.getF64Type());
    }
    auto along1 = [&](Value (Extents::*get)(DimAttr), int64_t otherwise) {
      return dims.size() > 1 ? (extents.*get)(dims[1])
                             : context.constant(host, otherwise, 64);
    };
    if (getHalo())
      offsets = context.pack(
          host, {extents.offset(dims[0]), along1(&Extents::offset, 0)},
          host.getI64Type());
    Value particles[] = {extents.extent(dims[0]), along1(&Extents::extent, 1),
                         extents.count(rowDims())};
    pmk::ParallelScatterOp::create(
        host, loc, bounds.getSymbol(), block.getSymbol(), planes.getSymbol(),
        list.getSymbol(), bounds.getCaptures(),
        context.array(host, meshes.front()), getHalo(), offsets, particles,
        ratios, placement.getSupport(), "paint",
        context.getTables().location(loc));
  }

  ScatterOp scatter;
  DomainOpInterface domain;
  LoweringContext &context;
  Location loc;
  OpBuilder host;
  Extents extents;
  SmallVector<Value> meshes;
  SmallVector<Value>
      halos; // addresses of a pmrt_halo a mesh, if they are split
  ArrayRef<DimAttr> dims;
  Placement placement;
  ArrayRef<DimAttr> meshDims;
  SmallVector<Value> yields, offsets;
  Deposit deposit;
};

} // namespace

LogicalResult pmc::codegen::lowerPaint(ScatterOp scatter,
                                       LoweringContext &context) {
  Paint(scatter, context).lower();
  return success();
}
