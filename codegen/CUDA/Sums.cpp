//===- Sums.cpp - Additions in any order, with the same bits --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Sums.h"

#include "codegen/CUDA/BlockReduction.h"

#include "pmrt/pmrt_cuda.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// What a particle of weight 1 adds to a cell at most. Splines are between 0
/// and 1; their derivatives are differences of two, and differences of these.
static double getMost(WindowAttr window, const WindowOrders &orders) {
  double most = 1;
  for (auto [d, order] : llvm::enumerate(orders))
    most *= window.isSpline() || window.isBatch(d)
                ? std::ldexp(1.0, std::max(0, int(order) - 1))
                : window.getBound(order);
  return most;
}

/// The same of a particle, f64, if its weights are numbers, which the mesh
/// rounds.
static std::optional<double> getConstantMost(ArrayRef<Value> weights,
                                             WindowAttr window,
                                             const Deposit &deposit,
                                             Type element) {
  double most = 0;
  for (auto [weight, orders] : llvm::zip_equal(weights, deposit.getOrders())) {
    APFloat value(0.0);
    if (!matchPattern(weight, m_ConstantFloat(&value)))
      return std::nullopt;
    double size = std::abs(value.convertToDouble());
    most += (element.isF32() ? double(float(size)) : size) *
            getMost(window, orders);
  }
  return most;
}

/// On the host, f64: no sum of what is added to a cell is larger.
static Value getBound(const Paint &paint) {
  LoweringContext &context = paint.getContext();
  OpBuilder &host = paint.getHost();
  ScatterOp scatter = paint.getOp();
  const Deposit &deposit = paint.getDeposit();
  Location loc = paint.getLoc();
  DomainOpInterface domain = paint.getDomain();
  Type f64 = host.getF64Type();
  Emit emit(host, loc);
  SmallVector<Value> weights(scatter.getYieldedWeights());
  Type element = paint.getElement();
  if (std::optional<double> most =
          getConstantMost(weights, scatter.getWindow(), deposit, element)) {
    Extents extents(context, host, loc);
    Value count = emit.cast(extents.count(domain.getDomainDims()), f64);
    return emit.mul(count, emit.constant(f64, *most));
  }
  Value selection = scatter.getSelection();
  if (selection)
    weights.push_back(selection);
  BlockReduction reduction(domain, context, host, "bound", Reduction::Sum, 1);
  Body body(domain, reduction.getKernel(), reduction.getExtents(), weights,
            Body::Reading::ByElement);
  Value result = reduction.emit(body, f64, [&](OpBuilder &builder, Value i) {
    SmallVector<Value> values = body.evaluate(builder, i, weights);
    Emit at(builder, loc);
    Value sum = at.constant(f64, 0);
    for (auto [value, orders] : llvm::zip(values, deposit.getOrders())) {
      Value rounded = at.cast(at.cast(value, element), f64);
      Value size = math::AbsFOp::create(builder, loc, rounded);
      sum = at.add(
          sum,
          at.mul(size, at.constant(f64, getMost(scatter.getWindow(), orders))));
    }
    if (selection)
      sum = at.select(values.back(), sum, at.constant(f64, 0));
    return SmallVector<Value>{sum};
  });
  return emit.load(result, emit.index(0));
}

Sums::Sums(const Paint &paint)
    : paint(paint), words(paint.getElement().isF32() ? 1 : 2) {
  LoweringContext &context = paint.getContext();
  OpBuilder &host = paint.getHost();
  ScatterOp scatter = paint.getOp();
  Location loc = paint.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(host.getContext());
  auto count = int64_t(scatter.getOuts().size());
  scale =
      context.call(host, loc, PMRT_FUNCTION(pmrt_sums_scale), getBound(paint));
  Value list = context.frame(host, pointer, count);
  rowLength =
      context.call(host, loc, PMRT_FUNCTION(pmrt_sums_open),
                   {context.getContext(host), context.null(host),
                    context.location(host, loc),
                    context.array(host, scatter.getOuts().front()),
                    paint.getHalo() ? paint.getHalo() : context.null(host),
                    context.constant(host, count, 32), list});
  Emit emit(host, loc);
  Value views = emit.view(list, pmk::ViewType::get(host.getI64Type()));
  for (int64_t m = 0; m < count; ++m)
    sums.push_back(emit.load(views, emit.index(m)));
}

void Sums::capture(DeviceKernel &kernel) const {
  kernel.capture(scale);
  kernel.capture(rowLength);
  for (Value mesh : sums)
    kernel.capture(mesh);
}

SmallVector<MeshRows> Sums::getRows(DeviceKernel &kernel) const {
  SmallVector<MeshRows> rows;
  for (Value mesh : sums)
    rows.emplace_back(kernel.get(mesh), kernel.get(rowLength));
  return rows;
}

void Sums::add(Emit &emit, DeviceKernel &kernel, const MeshRow &row, Value cell,
               Value weight) const {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  Type f64 = builder.getF64Type(), i64 = builder.getI64Type();
  Value first = emit.mul(row.getIndex(emit, cell), emit.index(words));
  Value rest = emit.mul(emit.cast(weight, f64), kernel.get(scale));
  for (int64_t word = 0; word < words; ++word) {
    Value whole = math::RoundEvenOp::create(builder, loc, rest);
    // Where a weight is not finite, the scale is none, and so are the meshes.
    Value isNumber = emit.less(math::AbsFOp::create(builder, loc, whole),
                               emit.constant(f64, 0x1p62));
    Value number =
        emit.cast(emit.select(isNumber, whole, emit.constant(f64, 0)), i64);
    pmk::AtomicAddOp::create(builder, loc, pmk::Scope::Device, number, row.base,
                             emit.add(first, emit.index(word)));
    rest = emit.mul(emit.sub(rest, whole), emit.constant(f64, PMRT_SUMS_STEP));
  }
}

void Sums::finish() {
  LoweringContext &context = paint.getContext();
  OpBuilder &host = paint.getHost();
  ScatterOp scatter = paint.getOp();
  Location loc = paint.getLoc();
  ArrayRef<Value> halos = paint.getHalos();
  for (auto [m, mesh] : llvm::enumerate(scatter.getOuts()))
    context.call(host, loc, PMRT_FUNCTION(pmrt_sums_finish),
                 {context.getContext(host), context.null(host),
                  context.location(host, loc), context.array(host, mesh),
                  halos.empty() ? context.null(host) : halos[m], scale,
                  pmk::AddressOp::create(
                      host, loc, LLVM::LLVMPointerType::get(host.getContext()),
                      sums[m])});
}
