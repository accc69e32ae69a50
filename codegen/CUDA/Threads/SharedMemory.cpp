//===- SharedMemory.cpp - Memory that a block of threads shares -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/SharedMemory.h"
#include "codegen/CUDA/Assembly/DeviceCode.h"
#include "codegen/Lowering/Emit.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace pmc::codegen;

static LLVM::GlobalOp getGlobal(ModuleOp device) {
  if (auto known = device.lookupSymbol<LLVM::GlobalOp>(sharedMemoryName))
    return known;
  OpBuilder top = OpBuilder::atBlockBegin(device.getBody());
  auto type = LLVM::LLVMArrayType::get(top.getF64Type(), 0);
  return LLVM::GlobalOp::create(top, device.getLoc(), type,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                sharedMemoryName, Attribute(),
                                /*alignment=*/16,
                                unsigned(NVVM::NVVMMemorySpace::Shared));
}

Value pmc::codegen::getSharedMemory(LoweringContext &context,
                                    OpBuilder &builder, Location loc,
                                    Type element) {
  Value address = LLVM::AddressOfOp::create(
      builder, loc, getGlobal(context.getDeviceModule()));
  return Emit(builder, loc).span(address, element);
}
