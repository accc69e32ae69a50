//===- TableLifetimes.h - When tables end -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_TABLELIFETIMES_H
#define PMC_CODEGEN_COMMON_TABLELIFETIMES_H

#include "codegen/Common/LoweringContext.h"

namespace pmc::codegen {

/// Ends the tables of every loop that makes some, step by step. What a step
/// makes can be seen by later ones only if it is carried to them: all others
/// made since the loop began end with the step, whatever branches, calls or
/// inner loops they are from. Other tables end with the program.
void releaseTables(LoweringContext &context);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_TABLELIFETIMES_H
