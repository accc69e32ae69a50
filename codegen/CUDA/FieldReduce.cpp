//===- FieldReduce.cpp - Reductions to fields on GPUs ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few results: every thread has accumulators for all of them, and elements are
// handed out. Otherwise results are, and a thread goes through everything that
// is reduced into one.
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/FieldReduce.h"
#include "codegen/CUDA/ThreadPartials.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

class FieldReduction {
public:
  FieldReduction(ReduceOp reduce, LoweringContext &context)
      : reduce(reduce), domain(cast<DomainOpInterface>(reduce.getOperation())),
        context(context), loc(reduce.getLoc()), host(reduce),
        extents(context, host, loc),
        title(stringifyReduction(reduce.getKind())),
        kernel(context, host, loc, title), lanes(reduce.getKind()),
        dims(domain.getDomainDims()), outs(reduce.getOuts()),
        kept(getDims(outs.front())), yields(Body::getYields(domain)),
        range(reduce, kernel) {
    for (DimAttr dim : dims)
      if (!isKept(dim))
        dropped.push_back(dim);
    Body::capture(domain, kernel, extents);
  }

  LogicalResult lower() {
    if (failed(checkCommonDims(reduce, outs)))
      return failure();
    if (!range && ThreadPartials::fit(kept, outs.size()))
      handOutElements();
    else
      handOutResults();
    return success();
  }

private:
  bool isKept(DimAttr dim) const { return llvm::is_contained(kept, dim); }

  SmallVector<Value> neutral(Emit &emit) {
    return SmallVector<Value>(
        outs.size(), lanes.neutral(emit, emit.getBuilder().getF64Type()));
  }

  /// Combines elements from, from + step, ... of the body's row with the sums.
  SmallVector<Value> addRow(OpBuilder &builder, Body &body, Value from,
                            Value to, Value step, ValueRange sums) {
    return forLoop(builder, loc, from, to, step, sums,
                   [&](OpBuilder &inner, Value i, ValueRange before) {
                     return addElement(inner, body, i, before);
                   });
  }

  SmallVector<Value> addElement(OpBuilder &builder, Body &body, Value i,
                                ValueRange before) {
    SmallVector<Value> values = body.evaluate(builder, i, yields), after;
    Emit emit(builder, loc);
    for (auto [sum, value] : llvm::zip_equal(before, values))
      after.push_back(
          lanes.combine(emit, sum, emit.cast(value, builder.getF64Type())));
    return after;
  }

  void handOutElements() {
    Threads threads(dims);
    ThreadPartials partials(context, host, kernel, threads, reduce.getKind(),
                            outs);
    kernel.create();
    Body body(domain, kernel, extents, yields, Body::Reading::ByElement);
    threads.forParts(
        kernel, body.getExtents(), {},
        [&](OpBuilder &builder, const Threads::Part &part, ValueRange) {
          body.enterRow(builder, part.outer);
          SmallVector<Value> where;
          for (auto [dim, coordinate] : llvm::zip(dims.drop_back(), part.outer))
            if (isKept(dim))
              where.push_back(coordinate);
          if (isKept(dims.back()))
            addCells(builder, body, partials, where, part);
          else
            addSum(builder, body, partials, where, part);
          return SmallVector<Value>();
        });
    partials.reduce(title, getTraffic(host, extents, domain));
  }

  /// Every element of the row goes to a cell of its own.
  void addCells(OpBuilder &builder, Body &body, ThreadPartials &partials,
                SmallVector<Value> where, const Threads::Part &part) {
    where.push_back({});
    forLoop(builder, loc, part.from, part.to, part.step, {},
            [&](OpBuilder &inner, Value i, ValueRange) {
              SmallVector<Value> values = body.evaluate(inner, i, yields);
              Emit emit(inner, loc);
              where.back() = i;
              partials.add(emit, body.getExtents().linear(emit, kept, where),
                           values);
              return SmallVector<Value>();
            });
  }

  /// The row's elements go to one cell.
  void addSum(OpBuilder &builder, Body &body, ThreadPartials &partials,
              ArrayRef<Value> where, const Threads::Part &part) {
    Emit emit(builder, loc);
    SmallVector<Value> sums =
        addRow(builder, body, part.from, part.to, part.step, neutral(emit));
    partials.add(emit, body.getExtents().linear(emit, kept, where), sums);
  }

  void handOutResults() {
    Threads threads(kept);
    kernel.create();
    Body body(domain, kernel, extents, yields, Body::Reading::ByElement);
    threads.forParts(
        kernel, body.getExtents(), {},
        [&](OpBuilder &builder, const Threads::Part &part, ValueRange) {
          return forLoop(builder, loc, part.from, part.to, part.step, {},
                         [&](OpBuilder &inner, Value i, ValueRange) {
                           SmallVector<Value> where(part.outer);
                           where.push_back(i);
                           reduceOne(inner, body, where);
                           return SmallVector<Value>();
                         });
        });
    kernel.launch(threads.getItems(host, loc, extents),
                  getTraffic(host, extents, domain));
  }

  /// The result at `where`: everything along the dropped dims.
  void reduceOne(OpBuilder &builder, Body &body, ArrayRef<Value> where) {
    Emit emit(builder, loc);
    KernelExtents &sizes = body.getExtents();
    bool along = isKept(dims.back());
    ArrayRef<DimAttr> others =
        along ? ArrayRef(dropped) : ArrayRef(dropped).drop_back();
    auto combine = [&](OpBuilder &inner, Value i, ValueRange sums) {
      Emit at(inner, loc);
      body.enterRow(inner,
                    mergeCoordinates(dims.drop_back(), kept, where, others,
                                     sizes.split(at, others, i)));
      if (along)
        return addElement(inner, body, where.back(), sums);
      auto [from, to] = range.get(at, sizes, dims.back());
      return addRow(inner, body, from, to, at.index(1), sums);
    };
    Value first = emit.index(0), last = sizes.count(emit, others);
    if (others.size() == 1)
      std::tie(first, last) = range.get(emit, sizes, others.front());
    SmallVector<Value> sums =
        forLoop(builder, loc, first, last, 1, neutral(emit), combine);
    Value cell = sizes.linear(emit, kept, where);
    for (auto [out, sum] : llvm::zip_equal(outs, sums))
      emit.store(emit.cast(sum, cast<GridType>(out.getType()).getElementType()),
                 kernel.get(out), cell);
  }

  ReduceOp reduce;
  DomainOpInterface domain;
  LoweringContext &context;
  Location loc;
  OpBuilder host;
  Extents extents;
  StringRef title;
  DeviceKernel kernel;
  Lanes lanes;
  ArrayRef<DimAttr> dims;
  SmallVector<Value> outs;
  ArrayRef<DimAttr> kept;
  SmallVector<Value> yields;
  ReducedRange range;
  SmallVector<DimAttr> dropped;
};

} // namespace

LogicalResult pmc::codegen::lowerDeviceFieldReduce(ReduceOp reduce,
                                                   LoweringContext &context) {
  return FieldReduction(reduce, context).lower();
}
