//===- FieldReduce.cpp - Reductions over some of the dims -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few results: every thread has accumulators for all of them, and elements are
// handed out. Otherwise results are handed out: each is reduced by one thread.
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/FieldReduce.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

class FieldReduction {
public:
  FieldReduction(ReduceOp reduce, LoweringContext &context,
                 const KernelSchedule &schedule)
      : reduce(reduce), domain(cast<DomainOpInterface>(reduce.getOperation())),
        context(context), schedule(schedule), loc(reduce.getLoc()),
        host(reduce), title(stringifyReduction(reduce.getKind())),
        dims(domain.getDomainDims()), outs(reduce.getOuts()),
        kept(getDims(outs.front())), yields(Body::getYields(domain)) {
    for (DimAttr dim : dims)
      if (!isKept(dim))
        dropped.push_back(dim);
  }

  LogicalResult lower() {
    if (failed(checkCommonDims(reduce, outs)))
      return failure();
    if (reduce.getWithin() || schedule.handsOut(domain, kept) ||
        !schedule.fitsThreads(context.getTarget().sizes, kept, outs.size()))
      handOutResults();
    else
      handOutElements();
    return success();
  }

private:
  bool isKept(DimAttr dim) const { return llvm::is_contained(kept, dim); }

  Body makeBody(DomainLoop &loop) {
    return {domain, loop.getKernel(), loop.getExtents(), yields,
            loop.getReading()};
  }

  void handOutElements() {
    std::unique_ptr<CellReduction> loop = schedule.reduceToCells(
        domain, context, host, title, reduce.getKind(), outs);
    Body body = makeBody(*loop);
    auto values = [&](OpBuilder &builder, Value i) {
      return body.evaluate(builder, i, yields);
    };
    std::unique_ptr<Accumulation> sums;
    if (!isKept(dims.back()))
      sums = loop->accumulate(body, TypeRange(ValueRange(yields)), values);
    loop->forRows(body, [&](OpBuilder &builder, const RowPart &part) {
      SmallVector<Value> where;
      for (auto [dim, coordinate] : llvm::zip(dims.drop_back(), part.outer))
        if (isKept(dim))
          where.push_back(coordinate);
      Emit emit(builder, loc);
      if (sums)
        addSum(emit, body, *loop, *sums, where, part);
      else
        addCells(emit, body, *loop, where, part);
    });
    loop->launch();
  }

  /// Every element of the row goes to a cell of its own.
  void addCells(Emit &emit, Body &body, CellReduction &loop,
                SmallVector<Value> where, const RowPart &part) {
    where.push_back(emit.index(0));
    Value origin = body.getExtents().linear(emit, kept, where);
    loop.forElements(emit.getBuilder(), body, part,
                     [&](OpBuilder &builder, Value i, Value place) {
                       SmallVector<Value> values =
                           body.evaluate(builder, i, yields);
                       Emit at(builder, loc);
                       loop.add(at, at.add(origin, place), values);
                     });
  }

  /// The row's elements go to one cell.
  void addSum(Emit &emit, Body &body, CellReduction &loop, Accumulation &sums,
              ArrayRef<Value> where, const RowPart &part) {
    SmallVector<Value> carried =
        sums.add(emit.getBuilder(), part, sums.begin(emit));
    Value cell = body.getExtents().linear(emit, kept, where);
    sums.store(emit, carried, [&](Emit &at, Value, ArrayRef<Value> values) {
      loop.add(at, cell, values);
    });
  }

  void handOutResults() {
    std::unique_ptr<ResultLoop> loop =
        schedule.handOut(domain, context, host, title, reduce.getKind(), kept);
    Body body = makeBody(*loop);
    auto values = [&](OpBuilder &builder, Value i) {
      return body.evaluate(builder, i, yields);
    };
    loop->forResults(body, TypeRange(ValueRange(yields)), values,
                     [&](OpBuilder &builder, ArrayRef<Value> where, Value cell,
                         Accumulation &sums) {
                       computeResult(builder, loop->getKernel(), body, where,
                                     cell, sums);
                     });
    loop->launch();
  }

  /// Everything along the dropped dims, row by row.
  void computeResult(OpBuilder &builder, Kernel &kernel, Body &body,
                     ArrayRef<Value> where, Value cell, Accumulation &sums) {
    Emit emit(builder, loc);
    KernelExtents &sizes = body.getExtents();
    ReducedRange range(reduce, kernel);
    bool along = isKept(dims.back());
    ArrayRef<DimAttr> others =
        along ? ArrayRef(dropped) : ArrayRef(dropped).drop_back();
    Value first = emit.index(0), last = sizes.count(emit, others);
    if (others.size() == 1)
      std::tie(first, last) = range.get(emit, sizes, others.front());
    SmallVector<Value> carried = forLoop(
        builder, loc, first, last, 1, sums.begin(emit),
        [&](OpBuilder &inner, Value i, ValueRange before) {
          Emit at(inner, loc);
          body.enterRow(inner,
                        mergeCoordinates(dims.drop_back(), kept, where, others,
                                         sizes.split(at, others, i)));
          RowPart part;
          if (!along)
            std::tie(part.from, part.to) = range.get(at, sizes, dims.back());
          return sums.add(inner, part, before);
        });
    sums.store(emit, carried, [&](Emit &at, Value place, ArrayRef<Value> made) {
      Value to = place ? at.add(cell, place) : cell;
      for (auto [out, value] : llvm::zip_equal(outs, made)) {
        Type element = cast<GridType>(out.getType()).getElementType();
        at.store(at.cast(value, element), kernel.get(out), to);
      }
    });
  }

  ReduceOp reduce;
  DomainOpInterface domain;
  LoweringContext &context;
  const KernelSchedule &schedule;
  Location loc;
  OpBuilder host;
  StringRef title;
  ArrayRef<DimAttr> dims;
  SmallVector<Value> outs;
  ArrayRef<DimAttr> kept;
  SmallVector<Value> yields;
  SmallVector<DimAttr> dropped;
};

} // namespace

LogicalResult pmc::codegen::reduceToFields(ReduceOp reduce,
                                           LoweringContext &context,
                                           const KernelSchedule &schedule) {
  return FieldReduction(reduce, context, schedule).lower();
}
