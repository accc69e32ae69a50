//===- Tables.cpp - Tables that kernels look up ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Tables.h"
#include "codegen/Lowering/Emit.h"

#include "pmrt/pmrt.h"

#include <cstddef>

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

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
        Value isAbove = arith::CmpFOp::create(
            inner, loc, arith::CmpFPredicate::OLE, step.load(x, middle), at);
        scf::YieldOp::create(inner, loc,
                             ValueRange{step.select(isAbove, middle, state[0]),
                                        step.sub(state[1], half)});
      });
  return search.getResult(0);
}

namespace {

/// What computes a function of a table, of its number of rows, x, y and of an
/// argument. Not fused, so that it gives what the host does.
class DeviceFunction {
public:
  DeviceFunction(OpBuilder &builder, Location loc, ValueRange arguments)
      : builder(builder), loc(loc), emit(builder, loc), size(arguments[0]),
        x(arguments[1]), y(arguments[2]), at(arguments[3]) {}

  Value lookup() {
    Value i = find();
    Value x0 = load(x, i), y0 = load(y, i);
    Value part = emit.div(sub(at, x0), sub(load(x, next(i)), x0));
    Value change =
        arith::MulFOp::create(builder, loc, sub(load(y, next(i)), y0), part);
    return arith::AddFOp::create(builder, loc, y0, change);
  }
  Value slope() {
    Value i = find();
    return emit.div(sub(load(y, next(i)), load(y, i)),
                    sub(load(x, next(i)), load(x, i)));
  }
  Value find() { return findPiece(emit, size, x, at); }
  Value getX() { return load(x, at); }
  Value getY() { return load(y, at); }

private:
  Value next(Value i) { return emit.add(i, emit.index(1)); }
  Value load(Value column, Value row) { return emit.load(column, row); }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }

  OpBuilder &builder;
  Location loc;
  Emit emit;
  Value size, x, y, at;
};

/// A function of the runtime, for the host, and what stands for it on a device.
struct TableFunction {
  RuntimeFunction host;
  StringLiteral device;
  Value (DeviceFunction::*build)();
};

} // namespace

static const TableFunction functions[] = {
    {PMRT_FUNCTION(pmrt_table_lookup), "pmc.lookup", &DeviceFunction::lookup},
    {PMRT_FUNCTION(pmrt_table_lookup_derivative), "pmc.slope",
     &DeviceFunction::slope},
    {PMRT_FUNCTION(pmrt_table_find), "pmc.find", &DeviceFunction::find},
    {PMRT_FUNCTION(pmrt_table_x), "pmc.row_x", &DeviceFunction::getX},
    {PMRT_FUNCTION(pmrt_table_y), "pmc.row_y", &DeviceFunction::getY},
};

static const TableFunction *findFunction(LLVM::CallOp call) {
  for (const TableFunction &function : functions)
    if (function.host.isCalledBy(call))
      return &function;
  return nullptr;
}

/// (i64 size, ptr x, ptr y, argument) -> result in the device module.
static func::FuncOp getFunction(LoweringContext &context, LLVM::CallOp call) {
  const TableFunction &what = *findFunction(call);
  ModuleOp device = context.getDeviceModule();
  if (auto known = device.lookupSymbol<func::FuncOp>(what.device))
    return known;
  Location loc = device.getLoc();
  OpBuilder top = OpBuilder::atBlockBegin(device.getBody());
  Type column = pmk::SpanType::get(top.getF64Type());
  auto function = func::FuncOp::create(
      top, loc, what.device,
      top.getFunctionType(
          {top.getI64Type(), column, column, call.getOperand(1).getType()},
          call.getResult().getType()));
  function.setPrivate();
  Block *block = function.addEntryBlock();
  OpBuilder body = OpBuilder::atBlockEnd(block);
  DeviceFunction inside(body, loc, block->getArguments());
  func::ReturnOp::create(body, loc, (inside.*what.build)());
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
  Type f64 = host.getF64Type();
  // The runtime writes all members of a pmrt_table.
  static_assert(sizeof(pmrt_table) == 32 && offsetof(pmrt_table, y) == 16 &&
                offsetof(pmrt_table, density) == 24);
  auto record = LLVM::LLVMStructType::getLiteral(host.getContext(),
                                                 {i64, pointer, pointer, f64});
  Value memory = context.frame(host, record);
  context.call(host, loc, PMRT_FUNCTION(pmrt_table_device),
               {context.getContext(host), context.null(host),
                context.location(host, loc), table, memory});
  auto load = [&](Type type, int32_t member) -> Value {
    Value address = LLVM::GEPOp::create(host, loc, pointer, record, memory,
                                        ArrayRef<LLVM::GEPArg>{0, member});
    return LLVM::LoadOp::create(host, loc, type, address);
  };
  Emit emit(host, loc);
  return {load(i64, 0), emit.span(load(pointer, 1), f64),
          emit.span(load(pointer, 2), f64)};
}

void pmc::codegen::bringTables(DomainOpInterface op, LoweringContext &context) {
  OpBuilder host(op);
  SmallVector<LLVM::CallOp> calls;
  op->walk([&](LLVM::CallOp call) {
    if (findFunction(call))
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
        builder, call.getLoc(), getFunction(context, call),
        ValueRange{there.size, there.x, there.y, call.getOperand(1)});
    call->replaceAllUsesWith(replaced);
    call->erase();
  }
}
