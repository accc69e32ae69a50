//===- Kernels.h - The pmk dialect: kernels ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_KERNELS_KERNELS_H
#define PMC_CODEGEN_KERNELS_KERNELS_H

#include "dialect/IR/PM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "codegen/Kernels/KernelDialect.h.inc"
#include "codegen/Kernels/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "codegen/Kernels/KernelAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "codegen/Kernels/KernelTypes.h.inc"

#define GET_OP_CLASSES
#include "codegen/Kernels/KernelOps.h.inc"

namespace pmc::pmk {

/// A kernel's attribute that says how its loops were made.
constexpr llvm::StringLiteral scheduleName = "pmk.schedule";

/// Chunks are aligned for, and consist of, vectors of so many bits.
constexpr int64_t vectorBits = 512;

/// Registers the patterns that convert spans and operations on them to the LLVM
/// dialect, for convert-to-llvm. Launches must be lowered by then.
void registerKernelsToLLVM(mlir::DialectRegistry &registry);

} // namespace pmc::pmk

#endif // PMC_CODEGEN_KERNELS_KERNELS_H
