//===- Paint.cpp - Paint: the bodies of the runtime's scatter -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The runtime decides which particles may be painted at the same time; it is
// given five kernels made of one body, or six (see pmrt_scatter_bodies).
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/ElementNumbers.h"
#include "codegen/CPU/CPU.h"
#include "codegen/CPU/Paints/CachedPaint.h"
#include "codegen/CPU/Paints/PaintStencil.h"
#include "codegen/CPU/Paints/Painter.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

class PaintKernels {
public:
  explicit PaintKernels(Paint &paint)
      : paint(paint), context(paint.getContext()), loc(paint.getLoc()),
        host(paint.getHost()), dims(paint.getDomain().getDomainDims()),
        meshDims(paint.getParticleWindow().getMesh()),
        selection(paint.getSelection()) {}

  void emit() {
    if (paint.getOp().isComputed())
      return emitComputed();
    Type i64 = host.getI64Type();
    Type f64s = pmk::SpanType::get(host.getF64Type());
    Kernel bounds = make("paint.bounds", {i64, i64, f64s});
    emitBounds(bounds);
    Kernel block = make("paint.block", {i64, i64, i64, i64});
    emitBlock(block);
    Kernel planes =
        make("paint.planes", {i64, i64, pmk::SpanType::get(host.getI32Type())});
    emitPlanes(planes);
    Kernel list = make("paint.list", {pmk::SpanType::get(i64), i64});
    emitList(list);
    Kernel copy = make("paint.copy", {i64, i64, f64s, f64s});
    emitCopy(copy);
    SmallVector<Kernel *> kernels{&bounds, &block, &planes, &list, &copy};
    std::optional<Kernel> cellBlocks;
    if (paint.getParticleWindow().wantsCellBlocks()) {
      cellBlocks.emplace(
          make("paint.cell_blocks",
               {i64, i64, pmk::SpanType::get(host.getI32Type())}));
      emitCellBlocks(*cellBlocks);
      kernels.push_back(&*cellBlocks);
    }
    if (!CachedPaint::canPaint(paint))
      return launch(kernels, {});
    Kernel box = emitBox(), deposit = emitDeposit();
    launch(kernels, {&box, &deposit, nullptr});
  }

private:
  /// The kernels of blocks; null: none.
  struct Cached {
    Kernel *box = nullptr, *deposit = nullptr, *stencil = nullptr;
  };

  /// Of a paint that computes its meshes' cells.
  void emitComputed() {
    Kernel box = emitBox(), deposit = emitDeposit();
    Type i64 = host.getI64Type(), cells = pmk::SpanType::get(paint.getCell());
    Kernel stencil = make("paint.stencil",
                          {i64, i64, pmk::SpanType::get(i64), cells, cells});
    PaintStencil(paint).emit(stencil);
    launch({}, {&box, &deposit, &stencil});
  }

  Kernel emitBox() {
    Kernel box = make("paint.box", {pmk::SpanType::get(host.getI64Type()),
                                    pmk::SpanType::get(host.getF64Type())});
    std::unique_ptr<Body> body = makeBody(box, paint.getOffsets());
    pmc::codegen::emitBox(box, *body, paint.getParticleWindow(),
                          paint.getOffsets());
    return box;
  }

  Kernel emitDeposit() {
    Type i64s = pmk::SpanType::get(host.getI64Type());
    Kernel deposit =
        make("paint.deposit",
             {i64s, i64s, i64s, pmk::SpanType::get(paint.getCell())});
    CachedPaint(paint, deposit).emit();
    return deposit;
  }

  Kernel make(StringRef name, ArrayRef<Type> extra) {
    Kernel kernel(context, host, loc, name);
    paint.capture(kernel);
    kernel.create(extra);
    kernel.setSchedule(
        pmk::RowsAttr::get(host.getContext(), context.getTarget().sizes.chunk));
    return kernel;
  }

  /// What `bounds` says of a particle must hold where `block` paints it, or
  /// threads meet in one cell.
  std::unique_ptr<Body> makeBody(Kernel &kernel, ArrayRef<Value> wanted) {
    return paint.makeBody(kernel, wanted, Body::Reading::InChunks);
  }
  bool isFree() { return paint.getOp().getFree(); }

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
    SmallVector<Value> wanted = paint.withSelection(paint.getOffsets());
    std::unique_ptr<Body> made = makeBody(kernel, wanted);
    Body &body = *made;
    unsigned measured = std::min<size_t>(2, meshDims.size());
    if (isFree())
      measured = 0;
    // Of every dim, the smallest and the largest first offset; then 0 or NaN.
    Lanes smallest(Reduction::Min, /*hasNaN=*/false);
    Lanes largest(Reduction::Max, /*hasNaN=*/false);
    Lanes sum(Reduction::Sum);
    Type f64 = builder.getF64Type();
    const double infinity = std::numeric_limits<double>::infinity();
    SmallVector<ChunkArray> arrays, highest;
    SmallVector<Value> lanes;
    for (unsigned d = 0; d < measured; ++d) {
      arrays.emplace_back(builder, f64);
      if (selection)
        highest.emplace_back(builder, f64);
      lanes.push_back(smallest.initial(emit));
      lanes.push_back(largest.initial(emit));
    }
    arrays.emplace_back(builder, f64);
    lanes.push_back(sum.initial(emit));

    auto element = [&](OpBuilder &inner, Value i) {
      SmallVector<Value> u = body.evaluate(inner, i, wanted);
      Emit at(inner, loc);
      auto store = [&](ChunkArray &array, Value value, double otherwise) {
        if (selection)
          value = at.select(u.back(), value, at.constant(f64, otherwise));
        array.store(at, value, i);
      };
      for (unsigned d = 0; d < measured; ++d) {
        Value cell = paint.getParticleWindow().getFirstOffset(at, d, u[d]);
        store(arrays[d], cell, infinity);
        if (selection)
          store(highest[d], cell, -infinity);
      }
      store(
          arrays.back(),
          nanUnlessValid(at, ArrayRef(u).take_front(paint.getOffsets().size())),
          0);
    };
    auto chunk = [&](OpBuilder &inner, Value first, Value size,
                     ValueRange before) {
      Emit at(inner, loc);
      body.enterChunk(inner, first, size);
      forLoop(inner, loc, at.index(0), size, element);
      SmallVector<Value> after;
      for (unsigned d = 0; d < measured; ++d) {
        // A value of the chunk once more changes no extreme.
        ChunkArray &high = selection ? highest[d] : arrays[d];
        for (ChunkArray *array : {&arrays[d], &high})
          array->fillTail(at, size, array->load(at, at.index(0)));
        after.push_back(smallest.add(at, before[2 * d], arrays[d]));
        after.push_back(largest.add(at, before[2 * d + 1], high));
      }
      after.push_back(sum.add(at, before.back(), arrays.back(), size));
      return after;
    };
    lanes = forLattice(builder, body, kernel.extra(0), kernel.extra(1), lanes,
                       [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                           Value to, ValueRange before) {
                         body.enterRow(inner, outer);
                         return forChunks(inner, loc, from, to, body.getChunk(),
                                          before, chunk);
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

  void emitBlock(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    std::unique_ptr<Body> made =
        makeBody(kernel, paint.withSelection(paint.getPainted()));
    Body &body = *made;
    Painter painter(paint, kernel, body, selection);
    auto row = [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                   Value to, ValueRange) {
      body.enterRow(inner, outer);
      return forChunks(
          inner, loc, from, to, body.getChunk(), {},
          [&](OpBuilder &innermost, Value first, Value size, ValueRange) {
            body.enterChunk(innermost, first, size);
            painter.toMeshes(innermost, painter.prepare(innermost, size));
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
    storeCells(kernel, paint.getOffsets().front(),
               [&](Emit &emit, Body &body, ArrayRef<Value> u) {
                 return paint.getParticleWindow().getFirstCell(
                     emit, body.getExtents(), paint.getHalo(),
                     body.getCoordinates(), 0, u.front());
               });
  }

  /// The first dim's planes are sorted already.
  void emitCellBlocks(Kernel &kernel) {
    storeCells(kernel, paint.getOffsets(),
               [&](Emit &emit, Body &body, ArrayRef<Value> u) {
                 return paint.getParticleWindow().getCellBlock(
                     emit, body.getExtents(), paint.getHalo(),
                     body.getCoordinates(), 1, u);
               });
  }

  /// Stores what `find` makes of some offsets of each particle of the runtime's
  /// rows, -1 of those that are not painted.
  void
  storeCells(Kernel &kernel, ArrayRef<Value> wanted,
             llvm::function_ref<Value(Emit &, Body &, ArrayRef<Value>)> find) {
    SmallVector<Value> all = paint.withSelection(wanted);
    std::unique_ptr<Body> made = makeBody(kernel, all);
    Body &body = *made;
    Emit start(kernel.body(), loc);
    Value each = body.getExtents().count(start, rowDims());
    auto number = [&](OpBuilder &builder, Value i) {
      SmallVector<Value> values = body.evaluate(builder, i, all);
      Emit emit(builder, loc);
      Value cell = find(emit, body, ArrayRef(values).take_front(wanted.size()));
      return selection ? emit.select(values.back(), cell,
                                     emit.constant(builder.getI32Type(), -1))
                       : cell;
    };
    storeNumbers(kernel, body, start.mul(kernel.extra(0), each),
                 start.mul(kernel.extra(1), each), kernel.extra(2), number);
  }

  void emitList(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    std::unique_ptr<Body> made = makeBody(kernel, paint.getPainted());
    Body &body = *made;
    // All that are listed are painted.
    Painter painter(paint, kernel, body, /*selection=*/{});
    bool hasCopy = CellBlockCopy::isWanted(paint);
    if (hasCopy)
      painter.useCopy();
    forChunks(builder, loc, Emit(builder, loc).index(0), kernel.extra(1),
              body.getChunk(), {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterList(inner, kernel.extra(0), first, size);
                painter.toMeshes(inner, painter.prepare(inner, size));
                return SmallVector<Value>();
              });
    if (hasCopy)
      painter.emptyCopy(builder);
  }

  /// Meshes stand one after the other in the memory; the runtime sees to it
  /// that they are whole.
  void emitCopy(Kernel &kernel) {
    OpBuilder &builder = kernel.body();
    Emit emit(builder, loc);
    std::unique_ptr<Body> made =
        makeBody(kernel, paint.withSelection(paint.getPainted()));
    Body &body = *made;
    Painter painter(paint, kernel, body, selection);
    painter.testPositions();
    Value cells = body.getExtents().count(emit, meshDims);
    SmallVector<MeshRows> copies;
    for (size_t m = 0; m < paint.getOp().getOuts().size(); ++m)
      copies.emplace_back(
          emit.at(kernel.extra(2), emit.mul(cells, emit.index(int64_t(m)))));
    Lanes sum(Reduction::Sum);
    SmallVector<Value> lanes = forLattice(
        builder, body, kernel.extra(0), kernel.extra(1), sum.initial(emit),
        [&](OpBuilder &inner, ArrayRef<Value> outer, Value from, Value to,
            ValueRange before) {
          body.enterRow(inner, outer);
          return forChunks(inner, loc, from, to, body.getChunk(), before,
                           [&](OpBuilder &innermost, Value first, Value size,
                               ValueRange tests) {
                             body.enterChunk(innermost, first, size);
                             Value count = painter.prepare(innermost, size);
                             painter.deposit(innermost, copies, count,
                                             /*isWhole=*/true);
                             Emit at(innermost, loc);
                             return SmallVector<Value>{sum.add(
                                 at, tests.front(), painter.getTests(), count)};
                           });
        });
    Value at = emit.index(0);
    Value before = emit.load(kernel.extra(3), at);
    emit.store(Lanes(Reduction::Min)
                   .combine(emit, before, sum.finish(emit, lanes.front())),
               kernel.extra(3), at);
  }

  /// The particles of the runtime's rows [from, to).
  SmallVector<Value> forLattice(OpBuilder &builder, Body &body, Value from,
                                Value to, ValueRange carried, RowBody row) {
    Emit emit(builder, loc);
    Value each = body.getExtents().count(emit, rowDims());
    return forElements(builder, loc, dims, body.getExtents(),
                       emit.mul(from, each), emit.mul(to, each), carried, row);
  }

  //===--------------------------------------------------------------------===//
  // Host
  //===--------------------------------------------------------------------===//

  /// Cells along the dims that threads divide among themselves: of a list of
  /// particles, one.
  unsigned getPlaneSupport() {
    unsigned support = paint.getParticleWindow().getSupport(0);
    if (!isFree() && meshDims.size() > 1)
      support = std::max(support, paint.getParticleWindow().getSupport(1));
    return support;
  }

  /// `kernels`: none if blocks compute their cells.
  void launch(ArrayRef<Kernel *> kernels, const Cached &cached) {
    auto getName = [&](Kernel *kernel) {
      return kernel ? FlatSymbolRefAttr::get(host.getContext(),
                                             kernel->getSymbol())
                    : FlatSymbolRefAttr();
    };
    std::array<FlatSymbolRefAttr, 6> names;
    for (auto [name, kernel] : llvm::zip(names, kernels))
      name = getName(kernel);
    bool isLattice = !isFree();
    if (!kernels.empty())
      context.getTables().addPaint(dims, meshDims, isLattice, bool(names[5]));
    Value ratios, offsets;
    if (isLattice) {
      SmallVector<Value> values;
      for (unsigned d = 0; d < std::min<size_t>(2, meshDims.size()); ++d)
        values.push_back(context.constant(
            host, double(paint.getParticleWindow().getRatio(d))));
      ratios = context.pack(host, values, host.getF64Type());
    }
    auto along1 = [&](Value (Extents::*get)(DimAttr), int64_t otherwise) {
      return dims.size() > 1 ? (paint.getExtents().*get)(dims[1])
                             : context.constant(host, otherwise, 64);
    };
    if (paint.getHalo())
      offsets = context.pack(
          host,
          {paint.getExtents().offset(dims[0]), along1(&Extents::offset, 0)},
          host.getI64Type());
    Value particles[] = {paint.getExtents().extent(dims[0]),
                         along1(&Extents::extent, 1),
                         paint.getExtents().count(rowDims())};
    SmallVector<Value> arrays =
        llvm::map_to_vector(paint.getOp().getOuts(), [&](Value mesh) {
          return context.array(host, mesh);
        });
    DenseI64ArrayAttr sites, widths;
    SmallVector<Value> sizes, views;
    if (cached.deposit) {
      sites = host.getDenseI64ArrayAttr(
          getBlockSites(paint.getParticleWindow(), dims.size(),
                        context.getTarget().sizes.cells));
      SmallVector<int64_t> support;
      for (unsigned d = 0; d < meshDims.size(); ++d)
        support.push_back(paint.getParticleWindow().getSupport(d));
      widths = host.getDenseI64ArrayAttr(support);
      for (DimAttr dim : dims)
        sizes.push_back(paint.getExtents().extent(dim));
      llvm::append_range(views, paint.getHalos());
    }
    IntegerAttr fields;
    DenseI64ArrayAttr below, above, taps;
    if (cached.stencil) {
      PaintStencil stencil(paint);
      fields = host.getI64IntegerAttr(stencil.getFields());
      below = host.getDenseI64ArrayAttr(stencil.getBelow());
      above = host.getDenseI64ArrayAttr(stencil.getAbove());
      taps = host.getDenseI64ArrayAttr(stencil.getRows());
    }
    Kernel *any = kernels.empty() ? cached.box : kernels.front();
    auto launch = pmk::ParallelScatterOp::create(
        host, loc, names[0], names[1], names[2], names[3], names[4], names[5],
        any->getCaptures(), arrays, paint.getHalo(), offsets, particles, ratios,
        getPlaneSupport(), getName(cached.box), getName(cached.deposit), sizes,
        sites, widths, views, getName(cached.stencil), fields, below, above,
        taps, "paint", context.getTables().location(loc));
    Attribute boxes = paint.getOp()->getAttr(sharedBoxes);
    if (boxes && cached.deposit)
      launch->setAttr(sharedBoxes, boxes);
  }

  Paint &paint;
  LoweringContext &context;
  Location loc;
  OpBuilder &host;
  ArrayRef<DimAttr> dims, meshDims;
  Value selection;
};

} // namespace

void pmc::codegen::paintByThreads(Paint &paint) { PaintKernels(paint).emit(); }
