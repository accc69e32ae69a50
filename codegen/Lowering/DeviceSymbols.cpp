//===- DeviceSymbols.cpp - What names the code of a GPU -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/DeviceSymbols.h"
#include "codegen/Lowering/LoweringContext.h"

using namespace mlir;

LLVM::GlobalOp pmc::codegen::declareDeviceCode(OpBuilder &top, Location loc) {
  MLIRContext *context = top.getContext();
  auto record = LLVM::LLVMStructType::getLiteral(
      context, {top.getI64Type(), LLVM::LLVMPointerType::get(context)});
  auto code = LLVM::GlobalOp::create(top, loc, record, /*isConstant=*/true,
                                     LLVM::Linkage::External, deviceCodeName,
                                     Attribute());
  // Sessions look it up in a shared object, which always uses its own.
  code.setVisibility_(LLVM::Visibility::Protected);
  return code;
}
