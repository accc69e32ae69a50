//===- KernelModels.cpp - Loops over domains as kernels -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/DisplacementBound.h"
#include "codegen/Elements/FieldReduce.h"
#include "codegen/Elements/KernelInterfaces.h"
#include "codegen/Elements/Paint.h"
#include "codegen/Elements/Schedule.h"
#include "codegen/Lowering/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

template <typename Model, typename Op>
struct KernelModel : KernelOpInterface::ExternalModel<Model, Op> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context,
                              const KernelSchedule &schedule) const {
    schedule.prepare(cast<DomainOpInterface>(op), context);
    return static_cast<const Model *>(this)->lower(cast<Op>(op), context,
                                                   schedule);
  }
};

struct MapKernel : KernelModel<MapKernel, MapOp> {
  LogicalResult lower(MapOp map, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    auto domain = cast<DomainOpInterface>(map.getOperation());
    OpBuilder host(map);
    bool reads = !map.getBody().getOps<InterpolateOp>().empty();
    std::unique_ptr<ElementLoop> loop =
        schedule.loop(domain, context, host, reads ? "readout" : "map");
    SmallVector<Value> yields(Body::getYields(domain));
    for (Kernel *kernel : loop->getKernels()) {
      Body body(domain, *kernel, loop->getExtents(), yields,
                loop->getReading());
      body.setOuts(map.getOuts());
      loop->forElements(body, [&](OpBuilder &builder, Value i) {
        SmallVector<Value> values = body.evaluate(builder, i, yields);
        Emit emit(builder, map.getLoc());
        body.store(emit, values);
      });
    }
    loop->launch();
    return success();
  }
};

struct SpectralFilterKernel
    : KernelModel<SpectralFilterKernel, SpectralFilterOp> {
  LogicalResult lower(SpectralFilterOp filter, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    OpBuilder builder(filter);
    Value spectrum = filter.getOuts()[1];
    SmallVector<Value> inputs(filter.getInputs());
    inputs.push_back(spectrum);
    auto map = MapOp::create(builder, filter.getLoc(), TypeRange(),
                             filter.getDomainAttr(), inputs, spectrum);
    map.getBody().takeBody(filter.getBody());
    LogicalResult result = schedule.filter(filter, map, context);
    filter.getBody().takeBody(map.getBody());
    map.erase();
    return result;
  }
};

struct ReduceKernel : KernelModel<ReduceKernel, ReduceOp> {
  LogicalResult lower(ReduceOp reduce, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    if (reduce.getScalars().empty())
      return reduceToFields(reduce, context, schedule);
    auto domain = cast<DomainOpInterface>(reduce.getOperation());
    OpBuilder host(reduce);
    Reduction kind = reduce.getKind();
    std::unique_ptr<NumberReduction> loop = schedule.reduceToNumbers(
        domain, context, host, stringifyReduction(kind), kind,
        int64_t(reduce.getScalars().size()));
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, loop->getKernel(), loop->getExtents(), yields,
              loop->getReading());
    Value results = loop->emit(body, TypeRange(ValueRange(yields)),
                               [&](OpBuilder &builder, Value i) {
                                 return body.evaluate(builder, i, yields);
                               });
    Emit emit(host, reduce.getLoc());
    for (auto [j, scalar] : llvm::enumerate(reduce.getScalars()))
      replaceResult(scalar, emit.load(results, emit.index(int64_t(j))));
    return success();
  }
};

struct BinsKernel : KernelModel<BinsKernel, BinsOp> {
  LogicalResult lower(BinsOp bins, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    SmallVector<Value> outs(bins.getOuts());
    if (failed(checkCommonDims(bins, outs)))
      return failure();
    // Too many accumulators: every result in a pass of its own.
    size_t each = schedule.fitsThreads(context.getTarget().sizes,
                                       getDims(outs.front()), outs.size())
                      ? outs.size()
                      : 1;
    for (size_t j = 0; j < outs.size(); j += each)
      sum(bins, context, schedule, j, each);
    return success();
  }

private:
  /// Sums `count` of the values.
  static void sum(BinsOp bins, LoweringContext &context,
                  const KernelSchedule &schedule, size_t begin, size_t count) {
    auto domain = cast<DomainOpInterface>(bins.getOperation());
    OpBuilder host(bins);
    OperandRange yields = Body::getYields(domain);
    SmallVector<Value> wanted{yields.front()};
    llvm::append_range(wanted, yields.drop_front().slice(begin, count));
    SmallVector<Value> outs(bins.getOuts().slice(begin, count));
    std::unique_ptr<CellReduction> loop = schedule.reduceToCells(
        domain, context, host, "bins", Reduction::Sum, outs);
    Body body(domain, loop->getKernel(), loop->getExtents(), wanted,
              loop->getReading());
    int64_t cells = getDims(outs.front()).front().getStoredExtent();
    loop->forValues(body, wanted, [&](Emit &emit, ArrayRef<Value> values) {
      Location loc = bins.getLoc();
      Value isInside = arith::CmpIOp::create(emit.getBuilder(), loc,
                                             arith::CmpIPredicate::ult,
                                             values.front(), emit.index(cells));
      scf::IfOp::create(emit.getBuilder(), loc, isInside,
                        [&](OpBuilder &inner, Location) {
                          Emit at(inner, loc);
                          loop->add(at, values.front(), values.drop_front());
                          scf::YieldOp::create(inner, loc);
                        });
    });
    loop->launch();
  }
};

struct DisplacementBoundKernel
    : KernelModel<DisplacementBoundKernel, DisplacementBoundOp> {
  LogicalResult lower(DisplacementBoundOp bound, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    lowerDisplacementBound(bound, context, schedule);
    return success();
  }
};

struct ScatterKernel : KernelModel<ScatterKernel, ScatterOp> {
  LogicalResult lower(ScatterOp scatter, LoweringContext &context,
                      const KernelSchedule &schedule) const {
    OpBuilder host(scatter);
    Paint paint(scatter, context, host);
    schedule.paint(paint);
    return success();
  }
};

} // namespace

void pmc::codegen::registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<MapKernel>(*context);
    SpectralFilterOp::attachInterface<SpectralFilterKernel>(*context);
    ReduceOp::attachInterface<ReduceKernel>(*context);
    BinsOp::attachInterface<BinsKernel>(*context);
    DisplacementBoundOp::attachInterface<DisplacementBoundKernel>(*context);
    ScatterOp::attachInterface<ScatterKernel>(*context);
  });
}
