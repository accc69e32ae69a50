//===- BlockReduction.cpp - Numbers that a block agrees on ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/BlockReduction.h"
#include "codegen/CUDA/Threads/SharedMemory.h"
#include "codegen/Lowering/Handles.h"
#include "codegen/Particles/Chunk.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// f64 reduce(f64) in the device module: called by all threads of a block, it
/// gives all of them the reduction of their values.
static func::FuncOp getBlockReduction(LoweringContext &context,
                                      Reduction kind) {
  ModuleOp device = context.getDeviceModule();
  std::string name = ("pmc.block." + stringifyReduction(kind)).str();
  if (auto known = device.lookupSymbol<func::FuncOp>(name))
    return known;
  Location loc = device.getLoc();
  OpBuilder top = OpBuilder::atBlockEnd(device.getBody());
  Type f64 = top.getF64Type();
  auto function =
      func::FuncOp::create(top, loc, name, top.getFunctionType({f64}, {f64}));
  function.setPrivate();
  // A kernel has it once a number, at its end.
  function->setAttr("passthrough", top.getStrArrayAttr({"noinline"}));
  Block *block = function.addEntryBlock();
  OpBuilder body = OpBuilder::atBlockEnd(block);
  Emit emit(body, loc);
  Lanes lanes(kind);
  Value memory = getSharedMemory(context, body, loc, f64);
  Value own = emit.widen(NVVM::ThreadIdXOp::create(body, loc, top.getI32Type()),
                         top.getI64Type());
  emit.store(block->getArgument(0), memory, own);
  for (int64_t half = context.getTarget().sizes.block / 2; half > 0;
       half /= 2) {
    NVVM::Barrier0Op::create(body, loc);
    Value isAdding = emit.less(own, emit.index(half));
    scf::IfOp::create(body, loc, isAdding, [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      Value other = at.load(memory, at.add(own, at.index(half)));
      at.store(lanes.combine(at, at.load(memory, own), other), memory, own);
      scf::YieldOp::create(inner, loc);
    });
  }
  NVVM::Barrier0Op::create(body, loc);
  Value result = emit.load(memory, emit.index(0));
  // The next reduction writes there.
  NVVM::Barrier0Op::create(body, loc);
  func::ReturnOp::create(body, loc, result);
  return function;
}

BlockReduction::BlockReduction(DomainOpInterface op, LoweringContext &context,
                               OpBuilder &host, StringRef title, Reduction kind,
                               int64_t width)
    : NumberReduction(op, context, host), title(title), kind(kind),
      width(width), kernel(context, host, loc, title),
      threads(context.getTarget().sizes, op.getDomainDims(), getWidth(op)) {
  Body::capture(op, kernel, extents);
  context.getTables().addReduction(threads.getMostItems(), 0, width);
  Value count = context.constant(host, width, 64);
  blocks = context.call(host, loc, PMRT_FUNCTION(pmrt_reduction_blocks),
                        {threads.getItems(host, loc, extents), count});
  partials = Emit(host, loc).span(
      context.call(host, loc, PMRT_FUNCTION(pmrt_partials),
                   {context.getContext(host), context.null(host),
                    context.location(host, loc),
                    reductionCode(context, host, kind), blocks, count}),
      host.getF64Type());
  kernel.capture(partials);
  kernel.useShared(context.getTarget().sizes.block * int64_t(sizeof(double)));
  kernel.create();
}

Value BlockReduction::emit(Body &body, TypeRange, Values values) {
  Lanes lanes(kind);
  Type f64 = host.getF64Type();
  Emit start(kernel.body(), loc);
  SmallVector<Value> sums(size_t(width), lanes.neutral(start, f64));
  sums = threads.forElements(
      kernel, body, sums, [&](OpBuilder &builder, Value i, ValueRange before) {
        SmallVector<Value> after;
        Emit at(builder, loc);
        for (auto [sum, value] : llvm::zip_equal(before, values(builder, i)))
          after.push_back(lanes.combine(at, sum, at.cast(value, f64)));
        return after;
      });
  storeBlock(sums);
  kernel.launchBlocks(blocks, getTraffic(host, extents, op));
  Value out = context.frame(host, f64, width);
  context.call(host, loc, PMRT_FUNCTION(pmrt_reduce_scalars),
               {context.getContext(host), context.null(host),
                context.location(host, loc), context.string(host, title),
                reductionCode(context, host, kind), blocks,
                context.constant(host, width, 64),
                host.createOrFold<pmk::AddressOp>(loc, out.getType(), partials),
                out});
  return Emit(host, loc).span(out, f64);
}

void BlockReduction::storeBlock(ValueRange sums) {
  OpBuilder &builder = kernel.body();
  Emit emit(builder, loc);
  func::FuncOp reduce = getBlockReduction(context, kind);
  SmallVector<Value> results;
  for (Value sum : sums)
    results.push_back(
        func::CallOp::create(builder, loc, reduce, sum).getResult(0));
  Value size = emit.index(context.getTarget().sizes.block);
  Value isFirst = emit.equal(emit.rem(kernel.getThread(), size), emit.index(0));
  scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inner, Location) {
    Emit at(inner, loc);
    Value place = at.mul(at.div(kernel.getThread(), size), at.index(width));
    for (auto [j, result] : llvm::enumerate(results))
      at.store(result, kernel.get(partials),
               at.add(place, at.index(int64_t(j))));
    scf::YieldOp::create(inner, loc);
  });
}
