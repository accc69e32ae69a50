//===- ThreadPartials.cpp - Accumulators of every thread ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/ThreadPartials.h"
#include "codegen/Lowering/Handles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// Accumulators of all threads, 128 MiB of them.
static constexpr int64_t mostAccumulators = int64_t(1) << 24;
static constexpr int64_t mostThreads = 65536;

static int64_t count(ArrayRef<DimAttr> dims) {
  int64_t product = 1;
  for (DimAttr dim : dims)
    product *= dim.getStoredExtent();
  return product;
}

bool ThreadPartials::fit(const ScheduleSizes &sizes, ArrayRef<DimAttr> dims,
                         size_t fields) {
  if (llvm::any_of(dims, [](DimAttr dim) { return !dim.getAxes().empty(); }))
    return false;
  double wanted = double(fields);
  for (DimAttr dim : dims)
    wanted *= double(dim.getStoredExtent());
  int64_t capacity = mostAccumulators / sizes.block;
  return wanted <= double(capacity);
}

ThreadPartials::ThreadPartials(LoweringContext &context, OpBuilder &host,
                               DeviceKernel &kernel, const Threads &threads,
                               Reduction kind, ArrayRef<Value> outs)
    : context(context), host(host), kernel(kernel), kind(kind), outs(outs),
      cells(count(getDims(outs.front()))) {
  int64_t width = cells * int64_t(outs.size());
  auto capacity = int64_t(llvm::bit_floor(uint64_t(mostAccumulators / width)));
  auto wanted = int64_t(llvm::PowerOf2Ceil(uint64_t(threads.getMostItems())));
  threadCount = std::max(context.getTarget().sizes.block,
                         std::min({capacity, wanted, mostThreads}));
  context.getTables().addReduction(0, threadCount, width);
  memory = Emit(host, kernel.getLoc())
               .span(context.call(host, kernel.getLoc(),
                                  PMRT_FUNCTION(pmrt_partials),
                                  {context.getContext(host), context.null(host),
                                   context.location(host, kernel.getLoc()),
                                   reductionCode(context, host, kind),
                                   context.constant(host, threadCount, 64),
                                   context.constant(host, width, 64)}),
                     host.getF64Type());
  kernel.capture(memory);
}

void ThreadPartials::add(Emit &emit, Value cell, ArrayRef<Value> values) {
  Type f64 = emit.getBuilder().getF64Type();
  Value own =
      emit.mul(kernel.getThread(), emit.index(cells * int64_t(outs.size())));
  for (auto [j, value] : llvm::enumerate(values)) {
    Value at = emit.add(own, emit.add(cell, emit.index(int64_t(j) * cells)));
    Value before = emit.load(kernel.get(memory), at);
    emit.store(Lanes(kind).combine(emit, before, emit.cast(value, f64)),
               kernel.get(memory), at);
  }
}

void ThreadPartials::reduce(StringRef title, Value bytes) {
  Location loc = kernel.getLoc();
  kernel.launchBlocks(
      context.constant(host, threadCount / context.getTarget().sizes.block, 64),
      bytes);
  SmallVector<Value> arrays;
  for (Value out : outs)
    arrays.push_back(context.array(host, out));
  Type pointer = LLVM::LLVMPointerType::get(host.getContext());
  context.call(host, loc, PMRT_FUNCTION(pmrt_finish_fields),
               {context.getContext(host), context.null(host),
                context.location(host, loc), context.string(host, title),
                reductionCode(context, host, kind),
                context.constant(host, threadCount, 64),
                host.createOrFold<pmk::AddressOp>(loc, pointer, memory),
                context.constant(host, int64_t(outs.size()), 32),
                context.pack(host, arrays, pointer)});
}
