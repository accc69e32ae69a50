//===- MemoryReport.h - What memory a program will need ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_MEMORYREPORT_H
#define PMC_CODEGEN_MACHINE_MEMORYREPORT_H

#include "mlir/IR/BuiltinOps.h"

namespace pmc::machine {

/// Prints the peak of the memory plan and what checkpoint stores hold, with
/// parameters at their defaults; if the program (global view) has adjoints, for
/// each way to reverse their loops. `toBuffers` brings a module to the buffer
/// form.
mlir::LogicalResult
explainMemory(mlir::ModuleOp program,
              llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> toBuffers,
              llvm::raw_ostream &os);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_MEMORYREPORT_H
