//===- Tables.cpp - Tables that kernels look up ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Tables.h"
#include "codegen/Common/Emit.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// The runtime's functions, for the host.
static constexpr StringLiteral lookup = "pmrt_table_lookup";
static constexpr StringLiteral slope = "pmrt_table_lookup_derivative";

/// i such that `at` lies in [x_i, x_i+1], or in the continuation of the first
/// or last piece: the runtime's own search.
static Value findPiece(Emit &emit, Value size, Value x, Value at) {
  OpBuilder &builder = emit.getBuilder();
  Location loc = emit.getLoc();
  SmallVector<Value> initial{emit.index(0), emit.sub(size, emit.index(1))};
  auto search = scf::WhileOp::create(
      builder, loc, ValueRange(initial).getTypes(), initial,
      [&](OpBuilder &inner, Location, ValueRange state) {
        Value more = Emit(inner, loc).less(Emit(inner, loc).index(1), state[1]);
        scf::ConditionOp::create(inner, loc, more, state);
      },
      [&](OpBuilder &inner, Location, ValueRange state) {
        Emit step(inner, loc);
        Value half = step.div(state[1], step.index(2));
        Value middle = step.add(state[0], half);
        Value isAbove =
            arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OLE,
                                  step.load(at.getType(), x, middle), at);
        scf::YieldOp::create(inner, loc,
                             ValueRange{step.select(isAbove, middle, state[0]),
                                        step.sub(state[1], half)});
      });
  return search.getResult(0);
}

/// f64 lookup(i64 size, ptr x, ptr y, f64 at) in the device module.
static func::FuncOp getFunction(LoweringContext &context, bool isSlope) {
  ModuleOp device = context.getDeviceModule();
  StringRef name = isSlope ? "pmc.slope" : "pmc.lookup";
  if (auto known = device.lookupSymbol<func::FuncOp>(name))
    return known;
  Location loc = device.getLoc();
  OpBuilder top = OpBuilder::atBlockBegin(device.getBody());
  Type f64 = top.getF64Type();
  Type pointer = LLVM::LLVMPointerType::get(top.getContext());
  auto function = func::FuncOp::create(
      top, loc, name,
      top.getFunctionType({top.getI64Type(), pointer, pointer, f64}, f64));
  function.setPrivate();
  Block *block = function.addEntryBlock();
  OpBuilder body = OpBuilder::atBlockEnd(block);
  // Not fused, so that it gives what the host's lookup does.
  auto sub = [&](Value a, Value b) -> Value {
    return arith::SubFOp::create(body, loc, a, b);
  };
  Emit emit(body, loc);
  Value x = block->getArgument(1), y = block->getArgument(2);
  Value at = block->getArgument(3);
  Value i = findPiece(emit, block->getArgument(0), x, at);
  Value next = emit.add(i, emit.index(1));
  Value x0 = emit.load(f64, x, i), x1 = emit.load(f64, x, next);
  Value y0 = emit.load(f64, y, i), y1 = emit.load(f64, y, next);
  Value rise = sub(y1, y0), run = sub(x1, x0), result;
  if (isSlope) {
    result = emit.div(rise, run);
  } else {
    Value part = emit.div(sub(at, x0), run);
    Value change = arith::MulFOp::create(body, loc, rise, part);
    result = arith::AddFOp::create(body, loc, y0, change);
  }
  func::ReturnOp::create(body, loc, result);
  return function;
}

namespace {
/// A pmrt_table in device memory.
struct DeviceTable {
  Value size, x, y;
};
} // namespace

static DeviceTable bring(LoweringContext &context, OpBuilder &host,
                         Location loc, Value table) {
  Type pointer = table.getType(), i64 = host.getI64Type();
  auto record = LLVM::LLVMStructType::getLiteral(host.getContext(),
                                                 {i64, pointer, pointer});
  Value memory = context.frame(host, record);
  context.call(host, loc, "pmrt_table_device", {},
               {context.getContext(host), context.null(host),
                context.location(host, loc), table, memory});
  auto load = [&](Type type, int32_t member) -> Value {
    Value address = LLVM::GEPOp::create(host, loc, pointer, record, memory,
                                        ArrayRef<LLVM::GEPArg>{0, member});
    return LLVM::LoadOp::create(host, loc, type, address);
  };
  return {load(i64, 0), load(pointer, 1), load(pointer, 2)};
}

void pmc::codegen::bringTables(DomainOpInterface op, LoweringContext &context) {
  OpBuilder host(op);
  SmallVector<LLVM::CallOp> calls;
  op->walk([&](LLVM::CallOp call) {
    if (call.getCallee() == lookup || call.getCallee() == slope)
      calls.push_back(call);
  });
  llvm::MapVector<Value, DeviceTable> tables;
  for (LLVM::CallOp call : calls) {
    Value table = call.getOperand(0);
    if (!tables.contains(table))
      tables[table] = bring(context, host, call.getLoc(), table);
    const DeviceTable &there = tables[table];
    OpBuilder builder(call);
    auto replaced = func::CallOp::create(
        builder, call.getLoc(), getFunction(context, call.getCallee() == slope),
        ValueRange{there.size, there.x, there.y, call.getOperand(1)});
    call->replaceAllUsesWith(replaced);
    call->erase();
  }
}
