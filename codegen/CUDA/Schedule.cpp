//===- Schedule.cpp - Teams of threads, elements one by one ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/BlockReduction.h"
#include "codegen/CUDA/CUDA.h"
#include "codegen/CUDA/FieldReduce.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/CUDA/ThreadPartials.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// A kernel whose teams of threads take rows.
template <typename Loop> class TeamLoop : public Loop {
public:
  TeamLoop(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
           StringRef title, int64_t width)
      : Loop(op, context, host), title(title),
        kernel(context, host, op.getLoc(), title),
        part(op, this->extents, host),
        threads(op.getDomainDims(), width, &part) {
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

class Elements : public TeamLoop<ElementLoop> {
public:
  Elements(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
           StringRef title)
      : TeamLoop(op, context, host, title, getWidth(op)) {
    kernel.create();
  }
  void forElements(Body &body, Element element) override {
    forEach(body, element);
  }
  void launch() override {
    kernel.launch(threads.getItems(host, loc, extents), getTraffic());
  }
};

class Cells : public TeamLoop<CellReduction> {
public:
  Cells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
        StringRef title, Reduction kind, ArrayRef<Value> outs)
      : TeamLoop(op, context, host, title, /*width=*/1),
        partials(context, host, kernel, threads, kind, outs) {
    kernel.create();
  }
  void forValues(Body &body, ArrayRef<Value> wanted, Use use) override {
    forEach(body, [&](OpBuilder &builder, Value i) {
      SmallVector<Value> values = body.evaluate(builder, i, wanted);
      Emit emit(builder, loc);
      use(emit, values);
    });
  }
  void add(Emit &emit, Value cell, ArrayRef<Value> values) override {
    partials.add(emit, cell, values);
  }
  void launch() override { partials.reduce(title, getTraffic()); }

private:
  ThreadPartials partials;
};

class CUDASchedule : public KernelSchedule {
public:
  void prepare(DomainOpInterface op, LoweringContext &context) const override {
    bringTables(op, context);
  }
  std::unique_ptr<ElementLoop> loop(DomainOpInterface op,
                                    LoweringContext &context, OpBuilder &host,
                                    StringRef title) const override {
    return std::make_unique<Elements>(op, context, host, title);
  }
  std::unique_ptr<NumberReduction>
  reduceToNumbers(DomainOpInterface op, LoweringContext &context,
                  OpBuilder &host, StringRef title, Reduction kind,
                  int64_t width) const override {
    return std::make_unique<BlockReduction>(op, context, host, title, kind,
                                            width);
  }
  bool fitsThreads(ArrayRef<DimAttr> dims, size_t fields) const override {
    return ThreadPartials::fit(dims, fields);
  }
  std::unique_ptr<CellReduction>
  reduceToCells(DomainOpInterface op, LoweringContext &context, OpBuilder &host,
                StringRef title, Reduction kind,
                ArrayRef<Value> outs) const override {
    return std::make_unique<Cells>(op, context, host, title, kind, outs);
  }
  LogicalResult reduceToFields(ReduceOp op,
                               LoweringContext &context) const override {
    return lowerDeviceFieldReduce(op, context);
  }
  LogicalResult paint(ScatterOp op, LoweringContext &context) const override {
    return lowerDevicePaint(op, context);
  }
};

} // namespace

const KernelSchedule &pmc::codegen::getCUDASchedule() {
  static const CUDASchedule schedule;
  return schedule;
}
