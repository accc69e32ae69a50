//===- Interrupts.h - Loops that a signal ends ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_INTERRUPTS_H
#define PMC_CODEGEN_COMMON_INTERRUPTS_H

#include "codegen/Common/LoweringContext.h"

namespace pmc::codegen {

/// Lets loops over numbers, in host code and in bodies that the CPU runs, end
/// after Ctrl-C: there may be no runtime call in them, which would look. Before
/// kernels take bodies.
void addInterruptChecks(mlir::ModuleOp module, Target target);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_INTERRUPTS_H
