//===- Schedule.cpp - Groups of threads, elements one by one --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/CUDA.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/CUDA/Threads/BlockReduction.h"
#include "codegen/CUDA/Threads/ThreadPartials.h"
#include "codegen/CUDA/TiledReading.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// A kernel whose thread groups take rows.
template <typename Loop> class ThreadGroupLoop : public Loop {
public:
  /// `dims`: of what the threads take.
  ThreadGroupLoop(DomainOpInterface op, LoweringContext &context,
                  OpBuilder &host, StringRef title, int64_t width,
                  ArrayRef<DimAttr> dims)
      : Loop(op, context, host), title(title),
        kernel(context, host, op.getLoc(), title),
        part(op, this->extents, host),
        threads(context.getTarget().sizes, dims, width, &part) {
    Body::capture(op, kernel, this->extents);
    part.capture(kernel);
  }

  Kernel &getKernel() override { return kernel; }
  Body::Reading getReading() const override { return Body::Reading::ByElement; }

protected:
  void forEach(Body &body, ElementLoop::Element element) {
    threads.forElements(kernel, body, {},
                        [&](OpBuilder &builder, Value i, ValueRange) {
                          element(builder, i);
                          return SmallVector<Value>();
                        });
  }
  Value getTraffic() {
    return pmc::codegen::getTraffic(this->host, this->op, part);
  }

  StringRef title;
  DeviceKernel kernel;
  DomainPart part;
  Threads threads;
};

class Elements : public ThreadGroupLoop<ElementLoop> {
public:
  Elements(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
           StringRef title)
      : ThreadGroupLoop(op, context, host, title, getWidth(op),
                        op.getDomainDims()) {
    kernel.create();
  }
  void forElements(Body &body, Element element) override {
    forEach(body, element);
  }
  void launch() override {
    kernel.launch(threads.getItems(host, loc, extents), getTraffic());
  }
};

/// Results in a thread's registers, one after the other.
class ThreadAccumulation : public Accumulation {
public:
  /// `own`: the element of rows that is the result's; null: all are.
  ThreadAccumulation(Location loc, Reduction kind, size_t count, Values values,
                     Value own = {})
      : loc(loc), lanes(kind), count(count), values(values), own(own) {}

  SmallVector<Value> begin(Emit &emit) override {
    return SmallVector<Value>(
        count, lanes.neutral(emit, emit.getBuilder().getF64Type()));
  }
  SmallVector<Value> add(OpBuilder &builder, const RowPart &part,
                         ValueRange carried) override {
    if (own)
      return addElement(builder, own, carried);
    Value step = part.step ? part.step : Emit(builder, loc).index(1);
    return forLoop(builder, loc, part.from, part.to, step, carried,
                   [&](OpBuilder &inner, Value i, ValueRange before) {
                     return addElement(inner, i, before);
                   });
  }
  void store(Emit &emit, ValueRange carried, Store store) override {
    store(emit, {}, SmallVector<Value>(carried));
  }

private:
  SmallVector<Value> addElement(OpBuilder &builder, Value i,
                                ValueRange before) {
    SmallVector<Value> made = values(builder, i), after;
    Emit emit(builder, loc);
    for (auto [sum, value] : llvm::zip_equal(before, made))
      after.push_back(
          lanes.combine(emit, sum, emit.cast(value, builder.getF64Type())));
    return after;
  }

  Location loc;
  Lanes lanes;
  size_t count;
  Values values;
  Value own;
};

class Cells : public ThreadGroupLoop<CellReduction> {
public:
  Cells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
        StringRef title, Reduction kind, ArrayRef<Value> outs)
      : ThreadGroupLoop(op, context, host, title, /*width=*/1,
                        op.getDomainDims()),
        kind(kind), partials(context, host, kernel, threads, kind, outs) {
    kernel.create();
  }
  void forValues(Body &body, ArrayRef<Value> wanted, Use use) override {
    forEach(body, [&](OpBuilder &builder, Value i) {
      SmallVector<Value> values = body.evaluate(builder, i, wanted);
      Emit emit(builder, loc);
      use(emit, values);
    });
  }
  void forRows(Body &body, Row row) override {
    threads.forParts(kernel, body.getExtents(), {},
                     [&](OpBuilder &builder, const RowPart &own, ValueRange) {
                       body.enterRow(builder, own.outer);
                       row(builder, own);
                       return SmallVector<Value>();
                     });
  }
  void forElements(OpBuilder &builder, Body &, const RowPart &own,
                   Element element) override {
    forLoop(builder, loc, own.from, own.to, own.step, {},
            [&](OpBuilder &inner, Value i, ValueRange) {
              element(inner, i, i);
              return SmallVector<Value>();
            });
  }
  std::unique_ptr<Accumulation>
  accumulate(Body &, TypeRange types, Accumulation::Values values) override {
    return std::make_unique<ThreadAccumulation>(loc, kind, types.size(),
                                                values);
  }
  void add(Emit &emit, Value cell, ArrayRef<Value> values) override {
    partials.add(emit, cell, values);
  }
  void launch() override { partials.reduce(title, getTraffic()); }

private:
  Reduction kind;
  ThreadPartials partials;
};

/// A result a thread.
class Results : public ThreadGroupLoop<ResultLoop> {
public:
  Results(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
          StringRef title, Reduction kind, ArrayRef<DimAttr> kept)
      : ThreadGroupLoop(op, context, host, title, /*width=*/1, kept),
        kind(kind), kept(kept),
        along(llvm::is_contained(kept, op.getDomainDims().back())) {
    kernel.create();
  }

  void forResults(Body &body, TypeRange types, Accumulation::Values values,
                  Result result) override {
    threads.forParts(
        kernel, body.getExtents(), {},
        [&](OpBuilder &builder, const RowPart &own, ValueRange) {
          auto element = [&](OpBuilder &inner, Value i, ValueRange) {
            SmallVector<Value> where(own.outer);
            where.push_back(i);
            Emit emit(inner, loc);
            ThreadAccumulation sum(loc, kind, types.size(), values,
                                   along ? i : Value());
            result(inner, where, body.getExtents().linear(emit, kept, where),
                   sum);
            return SmallVector<Value>();
          };
          return forLoop(builder, loc, own.from, own.to, own.step, {}, element);
        });
  }
  void launch() override {
    kernel.launch(threads.getItems(host, loc, extents), getTraffic());
  }

private:
  Reduction kind;
  ArrayRef<DimAttr> kept;
  bool along;
};

class CUDASchedule : public KernelSchedule {
public:
  void prepare(DomainOpInterface op, LoweringContext &context) const override {
    bringTables(op, context);
  }
  std::unique_ptr<ElementLoop> loop(DomainOpInterface op,
                                    LoweringContext &context, OpBuilder &host,
                                    StringRef title) const override {
    if (InterpolateOp reading = getComputedReading(op))
      return readInTiles(op, reading, context, host, title);
    return std::make_unique<Elements>(op, context, host, title);
  }
  std::unique_ptr<NumberReduction>
  reduceToNumbers(DomainOpInterface op, LoweringContext &context,
                  OpBuilder &host, StringRef title, Reduction kind,
                  int64_t width) const override {
    return std::make_unique<BlockReduction>(op, context, host, title, kind,
                                            width);
  }
  bool fitsThreads(const ScheduleSizes &sizes, ArrayRef<DimAttr> dims,
                   size_t fields) const override {
    return ThreadPartials::fit(sizes, dims, fields);
  }
  std::unique_ptr<CellReduction>
  reduceToCells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
                StringRef title, Reduction kind,
                ArrayRef<Value> outs) const override {
    return std::make_unique<Cells>(op, context, host, title, kind, outs);
  }
  bool handsOut(DomainOpInterface, ArrayRef<DimAttr>) const override {
    return false;
  }
  std::unique_ptr<ResultLoop> handOut(DomainOpInterface op,
                                      LoweringContext &context, OpBuilder &host,
                                      StringRef title, Reduction kind,
                                      ArrayRef<DimAttr> kept) const override {
    return std::make_unique<Results>(op, context, host, title, kind, kept);
  }
  void paint(Paint &paint) const override { paintOnDevice(paint); }
  LogicalResult filter(SpectralFilterOp filter, MapOp,
                       LoweringContext &) const override {
    return filter.emitOpError("runs between the passes of a transform, which "
                              "only CPUs can, and the target is cuda; leave "
                              "out pm-filter-spectra");
  }
};

} // namespace

const KernelSchedule &pmc::codegen::getCUDASchedule() {
  static const CUDASchedule schedule;
  return schedule;
}
