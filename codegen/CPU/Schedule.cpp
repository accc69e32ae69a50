//===- Schedule.cpp - Rows for threads, chunks for vectors ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Accumulation.h"
#include "codegen/CPU/Blocks/BlockedElements.h"
#include "codegen/CPU/Blocks/ElementNumbers.h"
#include "codegen/CPU/CPU.h"
#include "codegen/CPU/Partials.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// The reading of which the elements should be sorted, if there is one. None
/// of a part of the domain: rows are counted there.
InterpolateOp getSortedReading(DomainOpInterface op) {
  auto map = dyn_cast<MapOp>(op.getOperation());
  if (!map || map.getWithin())
    return {};
  for (auto reading : op.getDomainBody()->getOps<InterpolateOp>())
    if (getParticleWindow(reading, op.getDomainDims()).wantsCellBlocks())
      return reading;
  return {};
}

/// Elements that read a mesh anywhere with a wide window: the runtime lists
/// them in the order of the cell blocks where they do.
class SortedElements : public ElementLoop {
public:
  SortedElements(DomainOpInterface op, InterpolateOp reading,
                 LoweringContext &context, OpBuilder &host, StringRef title)
      : ElementLoop(op, context, host), reading(reading), title(title),
        list(context, host, loc, title),
        cellBlocks(context, host, loc, (title + ".cell_blocks").str()) {
    Type i64 = host.getI64Type();
    for (Kernel *kernel : {&list, &cellBlocks})
      Body::capture(op, *kernel, extents);
    list.create({pmk::SpanType::get(i64), i64});
    cellBlocks.create({i64, i64, pmk::SpanType::get(host.getI32Type())});
    for (Kernel *kernel : {&list, &cellBlocks})
      kernel->setSchedule(pmk::RowsAttr::get(host.getContext(),
                                             context.getTarget().sizes.chunk));
  }

  Kernel &getKernel() override { return list; }
  Body::Reading getReading() const override { return Body::Reading::InChunks; }

  void forElements(Body &body, Element element) override {
    OpBuilder &builder = list.body();
    forChunks(builder, loc, Emit(builder, loc).index(0), list.extra(1),
              body.getChunk(), {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterList(inner, list.extra(0), first, size);
                body.forEach(inner, Emit(inner, loc).index(0), size, element);
                return SmallVector<Value>();
              });
  }

  void launch() override {
    emitCellBlocks();
    context.getTables().addSortedReading(op.getDomainDims());
    // `each` is of the parts that rows are.
    Parts parts = getParts(host, extents, op);
    Emit emit(host, loc);
    ArrayRef<DimAttr> dims = op.getDomainDims();
    Value each =
        dims.size() == 1
            ? parts.bytes
            : emit.div(parts.bytes,
                       emit.max(extents.extent(dims.back()), emit.index(1)));
    pmk::ParallelListOp::create(
        host, loc, cellBlocks.getSymbol(), list.getSymbol(), list.getCaptures(),
        extents.count(dims), each, title, context.getTables().location(loc));
  }

private:
  void emitCellBlocks() {
    SmallVector<Value> offsets(reading.getOffsets());
    ParticleWindow particleWindow =
        getParticleWindow(reading, op.getDomainDims());
    Body body(op, cellBlocks, extents, offsets);
    storeNumbers(cellBlocks, body, cellBlocks.extra(0), cellBlocks.extra(1),
                 cellBlocks.extra(2), [&](OpBuilder &builder, Value i) {
                   SmallVector<Value> u = body.evaluate(builder, i, offsets);
                   Emit emit(builder, loc);
                   return particleWindow.getCellBlock(
                       emit, body.getExtents(), getHalo(reading),
                       body.getCoordinates(), 0, u);
                 });
  }

  InterpolateOp reading;
  StringRef title;
  Kernel list, cellBlocks;
};

class Numbers : public RowLoop<NumberReduction> {
public:
  Numbers(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
          StringRef title, Reduction kind, int64_t width)
      : RowLoop(op, context, host, title), kind(kind), width(width) {
    create(/*accumulates=*/true);
  }

  Value emit(Body &body, TypeRange types, Values values) override {
    setChunk(context.getTarget().sizes.chunk);
    LaneAccumulation sums(kernel.body(), loc, kind, body, types, values);
    Emit emit(kernel.body(), loc);
    SmallVector<Value> carried = forOwnRows(
        body, sums.begin(emit),
        [&](OpBuilder &inner, ArrayRef<Value> outer, Value from, Value to,
            ValueRange before) {
          return sums.add(inner, {SmallVector<Value>(outer), from, to, {}},
                          before);
        });
    sums.store(emit, carried, [&](Emit &, Value, ArrayRef<Value> results) {
      for (auto [j, value] : llvm::enumerate(results)) {
        Value at = emit.index(int64_t(j));
        Value before = emit.load(kernel.extra(2), at);
        emit.store(sums.getLanes().combine(emit, before, value),
                   kernel.extra(2), at);
      }
    });
    Value out = context.frame(host, host.getF64Type(), width);
    Launch(context, host, loc, title)
        .reduce(kernel, getParts(), width, kind, out);
    return Emit(host, loc).span(out, host.getF64Type());
  }

private:
  Reduction kind;
  int64_t width;
};

class Cells : public RowLoop<CellReduction> {
public:
  Cells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
        StringRef title, Reduction kind, ArrayRef<Value> outs)
      : RowLoop(op, context, host, title), lanes(kind), kind(kind), outs(outs) {
    create(/*accumulates=*/true);
    partials.emplace(getDims(outs.front()), kernel.extra(2));
  }

  /// Values go to chunks first, in a loop that vectorizes.
  void forValues(Body &body, ArrayRef<Value> wanted, Use use) override {
    setChunk(context.getTarget().sizes.chunk);
    SmallVector<ChunkArray> arrays;
    for (Value value : wanted)
      arrays.emplace_back(kernel.body(), value.getType());
    auto chunk = [&](OpBuilder &builder, Value first, Value size, ValueRange) {
      Emit emit(builder, loc);
      body.enterChunk(builder, first, size);
      body.forEach(
          builder, emit.index(0), size, [&](OpBuilder &inner, Value i) {
            SmallVector<Value> values = body.evaluate(inner, i, wanted);
            Emit at(inner, loc);
            for (auto [array, value] : llvm::zip_equal(arrays, values))
              array.store(at, value, i);
          });
      forLoop(builder, loc, emit.index(0), size,
              [&](OpBuilder &inner, Value i) {
                Emit at(inner, loc);
                SmallVector<Value> values;
                for (ChunkArray &array : arrays)
                  values.push_back(array.load(at, i));
                use(at, values);
              });
      return SmallVector<Value>();
    };
    forOwnRows(body, {},
               [&](OpBuilder &inner, ArrayRef<Value>, Value from, Value to,
                   ValueRange) {
                 return forChunks(inner, loc, from, to, body.getChunk(), {},
                                  chunk);
               });
  }
  void forRows(Body &body, Row row) override {
    setChunk(context.getTarget().sizes.chunk);
    forOwnRows(body, {},
               [&](OpBuilder &builder, ArrayRef<Value> outer, Value from,
                   Value to, ValueRange) {
                 row(builder, {SmallVector<Value>(outer), from, to, {}});
                 return SmallVector<Value>();
               });
  }
  void forElements(OpBuilder &builder, Body &body, const RowPart &part,
                   Element element) override {
    forChunks(builder, loc, part.from, part.to, body.getChunk(), {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterChunk(inner, first, size);
                body.forEach(inner, Emit(inner, loc).index(0), size,
                             [&](OpBuilder &innermost, Value i) {
                               Emit at(innermost, loc);
                               element(innermost, i, at.add(first, i));
                             });
                return SmallVector<Value>();
              });
  }
  std::unique_ptr<Accumulation>
  accumulate(Body &body, TypeRange types,
             Accumulation::Values values) override {
    return std::make_unique<LaneAccumulation>(kernel.body(), loc, kind, body,
                                              types, values);
  }
  void add(Emit &emit, Value cell, ArrayRef<Value> values) override {
    partials->add(emit, lanes, cell, values);
  }
  void launch() override {
    partials->reduce(context, host, loc, title, kernel, getParts(), kind, outs);
  }

private:
  Lanes lanes;
  Reduction kind;
  SmallVector<Value> outs;
  std::optional<Partials> partials;
};

/// The runtime hands out results, or, if the last dim is kept, pieces of rows
/// of them, which vectorize.
class Results : public RowLoop<ResultLoop> {
public:
  Results(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
          StringRef title, Reduction kind, ArrayRef<DimAttr> kept)
      : RowLoop(op, context, host, title), kind(kind), kept(kept),
        along(llvm::is_contained(kept, op.getDomainDims().back())) {
    create(/*accumulates=*/false);
  }

  void forResults(Body &body, TypeRange types, Accumulation::Values values,
                  Result result) override {
    setChunk(context.getTarget().sizes.chunk);
    std::optional<LaneAccumulation> lanes;
    if (!along)
      lanes.emplace(kernel.body(), loc, kind, body, types, values);
    KernelExtents &sizes = body.getExtents();
    forLoop(kernel.body(), loc, kernel.extra(0), kernel.extra(1),
            [&](OpBuilder &builder, Value part) {
              Emit emit(builder, loc);
              if (lanes)
                return result(builder, sizes.split(emit, kept, part), part,
                              *lanes);
              Value length = sizes.extent(kept.back());
              Value number = pieces(emit, length);
              Value most = emit.index(context.getTarget().sizes.chunk);
              Value first = emit.mul(emit.rem(part, number), most);
              Value size = emit.min(emit.sub(length, first), most);
              SmallVector<Value> where =
                  sizes.split(emit, kept.drop_back(), emit.div(part, number));
              where.push_back(first);
              ChunkAccumulation chunk(builder, loc, kind, body, types.size(),
                                      values, first, size);
              result(builder, where, sizes.linear(emit, kept, where), chunk);
            });
  }
  void launch() override {
    Emit emit(host, loc);
    Parts parts = getParts();
    Value all = emit.mul(parts.count, parts.bytes);
    parts.count = along ? emit.mul(extents.count(kept.drop_back()),
                                   pieces(emit, extents.extent(kept.back())))
                        : extents.count(kept);
    parts.bytes = emit.div(all, emit.max(parts.count, emit.index(1)));
    Launch(context, host, loc, title).loop(kernel, parts);
  }

private:
  Value pieces(Emit &emit, Value length) {
    int64_t chunk = context.getTarget().sizes.chunk;
    return emit.div(emit.add(length, emit.index(chunk - 1)), emit.index(chunk));
  }

  Reduction kind;
  ArrayRef<DimAttr> kept;
  bool along;
};

class CPUSchedule : public KernelSchedule {
public:
  void prepare(DomainOpInterface, LoweringContext &) const override {}
  std::unique_ptr<ElementLoop> loop(DomainOpInterface op,
                                    LoweringContext &context, OpBuilder &host,
                                    StringRef title) const override {
    if (InterpolateOp reading = getSortedReading(op))
      return std::make_unique<SortedElements>(op, reading, context, host,
                                              title);
    if (InterpolateOp reading =
            getBlockedReading(op, context.getTarget().sizes))
      return std::make_unique<BlockedElements>(op, reading, context, host,
                                               title);
    return std::make_unique<Elements>(op, context, host, title);
  }
  std::unique_ptr<NumberReduction>
  reduceToNumbers(DomainOpInterface op, LoweringContext &context,
                  OpBuilder &host, StringRef title, Reduction kind,
                  int64_t width) const override {
    return std::make_unique<Numbers>(op, context, host, title, kind, width);
  }
  bool fitsThreads(const ScheduleSizes &, ArrayRef<DimAttr> dims,
                   size_t fields) const override {
    return Partials::fit(dims, fields);
  }
  std::unique_ptr<CellReduction>
  reduceToCells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
                StringRef title, Reduction kind,
                ArrayRef<Value> outs) const override {
    return std::make_unique<Cells>(op, context, host, title, kind, outs);
  }
  /// Rows of one dim's elements each belong to results of their own.
  bool handsOut(DomainOpInterface op, ArrayRef<DimAttr> kept) const override {
    return llvm::is_contained(kept, op.getDomainDims().front());
  }
  std::unique_ptr<ResultLoop> handOut(DomainOpInterface op,
                                      LoweringContext &context, OpBuilder &host,
                                      StringRef title, Reduction kind,
                                      ArrayRef<DimAttr> kept) const override {
    return std::make_unique<Results>(op, context, host, title, kind, kept);
  }
  void paint(Paint &paint) const override { paintByThreads(paint); }
  LogicalResult filter(SpectralFilterOp filter, MapOp map,
                       LoweringContext &context) const override {
    filterByLines(filter, map, context);
    return success();
  }
};

} // namespace

const KernelSchedule &pmc::codegen::getCPUSchedule() {
  static const CPUSchedule schedule;
  return schedule;
}
