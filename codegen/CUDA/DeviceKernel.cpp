//===- DeviceKernel.cpp - A function that GPU threads run -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/CUDA/Assembly/DeviceCode.h"

#include "codegen/Lowering/Emit.h"
#include "codegen/Lowering/Frame.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

void DeviceKernel::create() {
  OpBuilder top = OpBuilder::atBlockEnd(context.getDeviceModule().getBody());
  attributes = {kernelAttribute};
  if (hasFewRegisters)
    attributes.push_back(fewRegistersAttribute);
  SmallVector<Type> types(TypeRange{ValueRange(captured)});
  for (Value &value : captured)
    if (!isa<pmk::SpanType>(value.getType()))
      value = toStored(host, value);
  createFunction(top, {});
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    if (argument.getType() != type)
      argument = fromStored(*builder, argument, type);
  // PTX has no dots in names.
  std::string plain = function.getName().str();
  llvm::replace(plain, '.', '_');
  function.setName(plain);
  // Of all that the runtime places; neighbors can be accessed at once.
  for (unsigned argument : data)
    function.setArgAttr(argument, LLVM::LLVMDialect::getAlignAttrName(),
                        builder->getI64IntegerAttr(16));
  Emit emit(*builder, loc);
  Type i32 = builder->getI32Type(), i64 = builder->getI64Type();
  auto get = [&](Value number) { return emit.widen(number, i64); };
  block = get(NVVM::BlockIdXOp::create(*builder, loc, i32));
  own = get(NVVM::ThreadIdXOp::create(*builder, loc, i32));
  blocks = get(NVVM::GridDimXOp::create(*builder, loc, i32));
  Value size = emit.index(context.getTarget().sizes.block);
  thread = emit.add(emit.mul(block, size), own);
  threads = emit.mul(blocks, size);
}

void DeviceKernel::launch(Value amount, pmk::Grid grid, Value bytes) {
  auto symbol = SymbolRefAttr::get(host.getStringAttr(deviceModuleName),
                                   {FlatSymbolRefAttr::get(function)});
  pmk::LaunchOp::create(host, loc, symbol, captured, amount, grid,
                        context.getTarget().sizes.block, shared, bytes, title,
                        context.getTables().location(loc));
}

void DeviceKernel::launch(Value items, Value bytes) {
  launch(items, pmk::Grid::Threads, bytes);
}

void DeviceKernel::launchBlocks(Value blocks, Value bytes) {
  launch(blocks, pmk::Grid::Blocks, bytes);
}
