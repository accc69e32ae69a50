//===- ElementNumbers.h - A number for each element -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_ELEMENTNUMBERS_H
#define PMC_CODEGEN_CPU_ELEMENTNUMBERS_H

#include "codegen/Elements/Body.h"

namespace pmc::codegen {

/// Stores an i32 in `numbers` for each of the body's elements [from, to),
/// counted row by row: what the runtime sorts by. The array's origin may lie
/// before its memory. `number` gives that of element i.
void storeNumbers(
    Kernel &kernel, Body &body, mlir::Value from, mlir::Value to,
    mlir::Value numbers,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value i)> number);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_ELEMENTNUMBERS_H
