//===- LoopBytes.h - What a step of a loop must move ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_LOOPBYTES_H
#define PMC_CODEGEN_PROGRAM_LOOPBYTES_H

#include "codegen/Program/ProgramTables.h"

namespace pmc::codegen {

/// The number as the descriptor has it (runtime/doc/descriptor.md); null if it
/// does not follow from the parameters.
llvm::json::Value describeCount(mlir::Value value, const ProgramTables &tables);

/// `loops` of the descriptor: for each loop of `main` that reports its steps
/// and has a number of them, the bytes that a step surely reads and writes. A
/// lower bound, unlike what CostOpInterface says: what may be left out counts
/// nothing (branches, loops of unknown length, copies, cells that a window
/// reads).
llvm::json::Array describeLoops(mlir::func::FuncOp main, ProgramTables &tables);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_LOOPBYTES_H
