//===- RuntimeFunction.cpp - Functions of the C ABI as MLIR ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/RuntimeFunction.h"

using namespace mlir;
using namespace pmc::codegen;

LLVM::LLVMFuncOp RuntimeFunction::declareIn(ModuleOp module) const {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::LLVMFuncOp::create(top, module.getLoc(), name,
                                  getType(module.getContext()));
}
