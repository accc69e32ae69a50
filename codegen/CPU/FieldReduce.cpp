//===- FieldReduce.cpp - Reductions over some of the dims -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Few results: every thread has accumulators for all of them, and rows are
// handed out. Otherwise results are handed out: each is, or 64 neighbours along
// the last dim are, reduced by one thread.
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/FieldReduce.h"
#include "codegen/CPU/Launch.h"
#include "codegen/CPU/Partials.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

ChunkedReduction::ChunkedReduction(OpBuilder &builder, Location loc,
                                   Reduction kind, Body &body, TypeRange types,
                                   NumberReduction::Values values)
    : loc(loc), lanes(kind), body(body), values(values) {
  for (Type type : types)
    arrays.emplace_back(builder, type);
}

SmallVector<Value> ChunkedReduction::initial(Emit &emit) const {
  return SmallVector<Value>(arrays.size(), lanes.initial(emit));
}

SmallVector<Value> ChunkedReduction::add(OpBuilder &builder, Value from,
                                         Value to, ValueRange carried) {
  return forChunks(
      builder, loc, from, to, carried,
      [&](OpBuilder &inner, Value first, Value size, ValueRange values) {
        Emit emit(inner, loc);
        body.enterChunk(inner, first, size);
        body.forEach(
            inner, emit.index(0), size, [&](OpBuilder &innermost, Value i) {
              SmallVector<Value> results = evaluate(innermost, i);
              Emit at(innermost, loc);
              for (auto [array, result] : llvm::zip_equal(arrays, results))
                array.store(at, result, i);
            });
        SmallVector<Value> sums;
        for (auto [array, value] : llvm::zip_equal(arrays, values))
          sums.push_back(lanes.add(emit, value, array, size));
        return sums;
      });
}

SmallVector<Value> ChunkedReduction::finish(Emit &emit,
                                            ValueRange carried) const {
  SmallVector<Value> results;
  for (Value value : carried)
    results.push_back(lanes.finish(emit, value));
  return results;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {

class FieldReduction {
public:
  FieldReduction(ReduceOp reduce, LoweringContext &context)
      : reduce(reduce), domain(cast<DomainOpInterface>(reduce.getOperation())),
        context(context), loc(reduce.getLoc()), host(reduce),
        extents(context, host, loc),
        title(stringifyReduction(reduce.getKind())),
        kernel(context, host, loc, title), dims(domain.getDomainDims()),
        outs(reduce.getOuts()), kept(getDims(outs.front())),
        range(reduce, kernel) {
    for (DimAttr dim : dims)
      if (!isKept(dim))
        dropped.push_back(dim);
    Body::capture(domain, kernel, extents);
  }

  LogicalResult lower() {
    if (failed(checkCommonDims(reduce, outs)))
      return failure();
    if (range || isKept(dims.front()) || !Partials::fit(kept, outs.size()))
      handOutResults();
    else
      handOutRows();
    return success();
  }

private:
  bool isKept(DimAttr dim) const { return llvm::is_contained(kept, dim); }

  /// Coordinates of all dims but the last, from those of some.
  SmallVector<Value> merge(ArrayRef<DimAttr> some, ValueRange coordinates,
                           ArrayRef<DimAttr> others, ValueRange more) const {
    return mergeCoordinates(dims.drop_back(), some, coordinates, others, more);
  }

  void handOutRows() {
    Type i64 = host.getI64Type();
    kernel.create({i64, i64, pmk::ViewType::get(host.getF64Type())});
    kernel.setSchedule(pmk::RowsAttr::get(host.getContext(), chunkSize));
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, kernel, extents, yields);
    auto values = [&](OpBuilder &builder, Value i) {
      return body.evaluate(builder, i, yields);
    };
    ChunkedReduction chunks(kernel.body(), loc, reduce.getKind(), body,
                            TypeRange(ValueRange(yields)), values);
    Partials partials(kept, kernel.extra(2));
    forParts(kernel.body(), loc, dims, body.getExtents(), kernel.extra(0),
             kernel.extra(1), {},
             [&](OpBuilder &builder, ArrayRef<Value> outer, Value from,
                 Value to, ValueRange) {
               Emit emit(builder, loc);
               SmallVector<Value> where;
               for (auto [dim, coordinate] : llvm::zip(dims.drop_back(), outer))
                 if (isKept(dim))
                   where.push_back(coordinate);
               body.enterRow(builder, outer);
               if (isKept(dims.back()))
                 addRow(builder, body, chunks, partials, where, from, to);
               else
                 addSum(emit, body, chunks, partials, where, from, to);
               return SmallVector<Value>();
             });
    partials.reduce(context, host, loc, title, kernel,
                    getParts(host, extents, domain), reduce.getKind(), outs);
  }

  /// Adds every element of the row to its own accumulator.
  void addRow(OpBuilder &builder, Body &body, ChunkedReduction &chunks,
              Partials &partials, SmallVector<Value> where, Value from,
              Value to) {
    Emit at(builder, loc);
    where.push_back(at.index(0));
    Value origin = body.getExtents().linear(at, kept, where);
    forChunks(builder, loc, from, to, {},
              [&](OpBuilder &inner, Value first, Value size, ValueRange) {
                body.enterChunk(inner, first, size);
                body.forEach(
                    inner, Emit(inner, loc).index(0), size,
                    [&](OpBuilder &innermost, Value i) {
                      SmallVector<Value> values = chunks.evaluate(innermost, i);
                      Emit emit(innermost, loc);
                      Value cell = emit.add(origin, emit.add(first, i));
                      partials.add(emit, chunks.getLanes(), cell, values);
                    });
                return SmallVector<Value>();
              });
  }

  /// Adds the row's sum to one accumulator.
  void addSum(Emit &emit, Body &body, ChunkedReduction &chunks,
              Partials &partials, ArrayRef<Value> where, Value from, Value to) {
    SmallVector<Value> lanes =
        chunks.add(emit.getBuilder(), from, to, chunks.initial(emit));
    partials.add(emit, chunks.getLanes(),
                 body.getExtents().linear(emit, kept, where),
                 chunks.finish(emit, lanes));
  }

  void handOutResults() {
    Type i64 = host.getI64Type();
    kernel.create({i64, i64});
    kernel.setSchedule(pmk::RowsAttr::get(host.getContext(), chunkSize));
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, kernel, extents, yields);
    auto values = [&](OpBuilder &builder, Value i) {
      return body.evaluate(builder, i, yields);
    };
    ChunkedReduction chunks(kernel.body(), loc, reduce.getKind(), body,
                            TypeRange(ValueRange(yields)), values);
    bool along = isKept(dims.back());
    forLoop(kernel.body(), loc, kernel.extra(0), kernel.extra(1),
            [&](OpBuilder &builder, Value part) {
              if (along)
                reduceChunk(builder, body, chunks, part);
              else
                reduceOne(builder, body, chunks, part);
            });
    Emit emit(host, loc);
    Parts parts = getParts(host, extents, domain);
    Value all = emit.mul(parts.count, parts.bytes);
    parts.count = along ? emit.mul(extents.count(kept.drop_back()),
                                   pieces(emit, extents.extent(dims.back())))
                        : extents.count(kept);
    parts.bytes = emit.div(all, emit.max(parts.count, emit.index(1)));
    Launch(context, host, loc, title).loop(kernel, parts);
  }

  static Value pieces(Emit &emit, Value length) {
    return emit.div(emit.add(length, emit.index(chunkSize - 1)),
                    emit.index(chunkSize));
  }

  void store(Emit &emit, ValueRange values, Value cell) {
    for (auto [out, value] : llvm::zip_equal(outs, values)) {
      Type element = cast<GridType>(out.getType()).getElementType();
      emit.store(emit.cast(value, element), kernel.get(out), cell);
    }
  }

  /// Elements of some of the dropped dims, counted row by row.
  std::pair<Value, Value> getOuterRange(Emit &emit, KernelExtents &sizes,
                                        ArrayRef<DimAttr> some) const {
    if (some.size() == 1)
      return range.get(emit, sizes, some.front());
    return {emit.index(0), sizes.count(emit, some)};
  }

  /// One result: everything along the dropped dims, the last among them.
  void reduceOne(OpBuilder &builder, Body &body, ChunkedReduction &chunks,
                 Value cell) {
    Emit emit(builder, loc);
    KernelExtents &sizes = body.getExtents();
    SmallVector<Value> where = sizes.split(emit, kept, cell);
    ArrayRef<DimAttr> others = ArrayRef(dropped).drop_back();
    auto [first, last] = getOuterRange(emit, sizes, others);
    SmallVector<Value> lanes =
        forLoop(builder, loc, first, last, 1, chunks.initial(emit),
                [&](OpBuilder &inner, Value i, ValueRange sums) {
                  Emit at(inner, loc);
                  body.enterRow(inner, merge(kept, where, others,
                                             sizes.split(at, others, i)));
                  auto [from, to] = range.get(at, sizes, dims.back());
                  return chunks.add(inner, from, to, sums);
                });
    store(emit, chunks.finish(emit, lanes), cell);
  }

  /// A chunk of results along the last dim.
  void reduceChunk(OpBuilder &builder, Body &body, ChunkedReduction &chunks,
                   Value part) {
    Emit emit(builder, loc);
    KernelExtents &sizes = body.getExtents();
    Value length = sizes.extent(dims.back());
    Value number = pieces(emit, length);
    Value first = emit.mul(emit.rem(part, number), emit.index(chunkSize));
    Value size = emit.min(emit.sub(length, first), emit.index(chunkSize));
    ArrayRef<DimAttr> keptOuter = kept.drop_back();
    SmallVector<Value> where =
        sizes.split(emit, keptOuter, emit.div(part, number));
    SmallVector<ChunkArray> sums;
    for (size_t j = 0; j < outs.size(); ++j) {
      sums.emplace_back(builder, builder.getF64Type());
      sums.back().fillTail(
          emit, emit.index(0),
          chunks.getLanes().neutral(emit, builder.getF64Type()));
    }
    auto [begin, end] = getOuterRange(emit, sizes, dropped);
    forLoop(builder, loc, begin, end, [&](OpBuilder &inner, Value i) {
      Emit at(inner, loc);
      body.enterRow(
          inner, merge(keptOuter, where, dropped, sizes.split(at, dropped, i)));
      body.enterChunk(inner, first, size);
      forLoop(inner, loc, at.index(0), size,
              [&](OpBuilder &innermost, Value element) {
                addElement(innermost, chunks, sums, element);
              });
    });
    where.push_back(first);
    Value origin = sizes.linear(emit, kept, where);
    forLoop(builder, loc, emit.index(0), size, [&](OpBuilder &inner, Value i) {
      Emit at(inner, loc);
      SmallVector<Value> values;
      for (ChunkArray &sum : sums)
        values.push_back(sum.load(at, i));
      store(at, values, at.add(origin, i));
    });
  }

  void addElement(OpBuilder &builder, ChunkedReduction &chunks,
                  MutableArrayRef<ChunkArray> sums, Value i) {
    SmallVector<Value> values = chunks.evaluate(builder, i);
    Emit emit(builder, loc);
    for (auto [sum, value] : llvm::zip_equal(sums, values))
      sum.store(emit,
                chunks.getLanes().combine(emit, sum.load(emit, i),
                                          emit.cast(value, sum.getType())),
                i);
  }

  ReduceOp reduce;
  DomainOpInterface domain;
  LoweringContext &context;
  Location loc;
  OpBuilder host;
  Extents extents;
  StringRef title;
  Kernel kernel;
  ArrayRef<DimAttr> dims;
  SmallVector<Value> outs;
  ArrayRef<DimAttr> kept;
  ReducedRange range;
  SmallVector<DimAttr> dropped;
};

} // namespace

LogicalResult pmc::codegen::lowerFieldReduce(ReduceOp reduce,
                                             LoweringContext &context) {
  return FieldReduction(reduce, context).lower();
}
