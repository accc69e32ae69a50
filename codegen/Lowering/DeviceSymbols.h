//===- DeviceSymbols.h - What names the code of a GPU -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_DEVICESYMBOLS_H
#define PMC_CODEGEN_LOWERING_DEVICESYMBOLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace pmc::codegen {

/// Declares the program's pmrt_device_code, which another object may define.
mlir::LLVM::GlobalOp declareDeviceCode(mlir::OpBuilder &top,
                                       mlir::Location loc);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_DEVICESYMBOLS_H
